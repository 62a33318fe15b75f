/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* lanes_tile.h where elements in memory are narrower than the tile's, written for binary16: rows are widened, then turned round. */
#pragma once
#include "half.h"
#include "lanes_tile.h"

MIK_INLINE MIK_LANES void f32p4_load_tile_half(float *tile, const uint16_t *p, int64_t apart, int64_t rows, int64_t cols)
{
    float straight[P4_LANES * P4_LANES];
    for (int64_t i = 0; i < rows; i++)
        f32p4_store(straight + i * P4_LANES, cols == P4_LANES ? f32p4_load_half(p + i * apart) : f32p4_load_part_half(p + i * apart, cols));
    f32p4_load_tile(tile, straight, P4_LANES, rows, cols);
}
