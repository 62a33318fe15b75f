/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A tile of as many rows as there are lanes, each `apart` elements from the next, turned round: column j is a vector at tile[j * lanes]. */
#pragma once
#include "memory.h"

/* Of so many rows and columns, at most as many as there are lanes; what lanes of other rows hold is not said. */
MIK_INLINE MIK_LANES void f32p4_load_tile(float *tile, const float *p, int64_t apart, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            tile[j * P4_LANES + i] = p[i * apart + j];
}
MIK_INLINE MIK_LANES void f32p4_store_tile(float *p, const float *tile, int64_t apart, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * P4_LANES + i];
}
