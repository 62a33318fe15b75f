/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* lanes_tile.h where elements in memory are narrower than the tile's, written for binary16: rows are widened, then turned round. Of fewer
 * columns than lanes elements are moved one by one, before whole columns are widened: parts of many rows would wait for memory each. */
#pragma once
#include "half.h"
#include "lanes_tile.h"

MIK_INLINE MIK_LANES void f32p4_load_tile_half(float *tile, const uint16_t *p, int64_t apart, int64_t rows, int64_t cols)
{
    float straight[P4_LANES * P4_LANES];
    if (P4_LANES < 16 && cols < P4_LANES) { /* sets of 16 lanes load parts by masks */
        uint16_t turned[P4_LANES * P4_LANES] = {0};
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                turned[j * P4_LANES + i] = p[i * apart + j];
        for (int64_t j = 0; j < cols; j++)
            f32p4_store(tile + j * P4_LANES, f32p4_load_half(turned + j * P4_LANES));
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        f32p4_store(straight + i * P4_LANES, cols == P4_LANES ? f32p4_load_half(p + i * apart) : f32p4_load_part_half(p + i * apart, cols));
    f32p4_load_tile(tile, straight, P4_LANES, rows, cols);
}
