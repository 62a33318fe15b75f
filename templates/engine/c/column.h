/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Outputs of fewer columns than a vector has: kernels of all heights, so that rows run in tiles of about equal height. */
#pragma once
#include "tile.h"

/* m rows by t->cols columns, fewer than a vector has. */
MIK_AVX512
static void f32z_column(const mik_f32_tile *t, int64_t m)
{
    mik_f32_tile x = *t;
    for (int64_t h, tiles = (m + F32Z_HEIGHTS - 1) / F32Z_HEIGHTS; tiles > 0; tiles--, m -= h) {
        h = m / tiles;
        switch (h) {
#define CASE(mr, sets) \
    case mr: f32z_tile_of(&x, x.b, x.prefetch, x.c, x.cols, mr, 1, sets, 1); break;
            F32Z_COLUMN(CASE)
#undef CASE
        }
        x.a += h * x.a_m;
        x.c += h * x.c_m;
    }
}
