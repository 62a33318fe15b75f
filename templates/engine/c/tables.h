/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The tables of a small set of kernels, f32 on AVX-512, which stand for those that mikgen writes into a generated file: the engine's
 * files compile against them, and its unit tests run on them. They are no part of generated files. The costs are a Zen 5's.
 */
#pragma once
#include "codes.h"
#include "column.h"
#include "dot.h"
#include "panels.h"
#include "row.h"
#include "shallow.h"
#include "types.h"
#include "winograd_kernels.h"

/* clang-format off */
#define TILE(mr, nv, sets) MIK_AVX512 static void mik_f32_##mr##x##nv(const mik_f32_tile *t) { f32z_tile(t, mr, nv, sets); }
TILE(1, 1, 8) TILE(4, 1, 4) TILE(8, 1, 2) TILE(1, 2, 8) TILE(4, 2, 2) TILE(8, 2, 1) TILE(1, 3, 4) TILE(8, 3, 1)
#undef TILE
#define DOT(rows, cols, sets) MIK_AVX512 static void mik_f32_dot##rows##x##cols(const mik_f32_tile *t) { f32z_dot(t, rows, cols, sets); }
DOT(1, 1, 4) DOT(1, 2, 4) DOT(1, 3, 2) DOT(1, 4, 2) DOT(2, 1, 4) DOT(2, 2, 2) DOT(2, 3, 2) DOT(2, 4, 2)
#undef DOT
#define SHALLOW(k, widest) \
    MIK_AVX512 static void f32z_shallow##k(const mik_f32_tile *t, int64_t m, int64_t n) { f32z_shallow(t, m, n, k, widest); } \
    MIK_AVX512 static void f32z_slim##k(const mik_f32_tile *t, int64_t m, int64_t n) { f32z_slim(t, m, n, k); }
SHALLOW(1, 4) SHALLOW(2, 4) SHALLOW(3, 4)
#undef SHALLOW

static const mik_f32_variant mik_f32_avx512_variants[] = {
    { mik_f32_1x1, 1, 1, { 8.56f, 12.53f, 15.58f, 68.02f, 344.4f, 1243, 2916, 5989 } },
    { mik_f32_4x1, 4, 1, { 14.38f, 16.37f, 28.88f, 107, 376.6f, 1357, 3182, 6535 } },
    { mik_f32_8x1, 8, 1, { 20.41f, 25.13f, 54.21f, 218.5f, 743.7f, 2705, 6356, 13060 } },
    { mik_f32_1x2, 1, 2, { 7.775f, 10.59f, 25.86f, 101.3f, 512.2f, 1860, 4370, 8980 } },
    { mik_f32_4x2, 4, 2, { 15.85f, 18.05f, 56.13f, 192.8f, 622.1f, 2256, 5299, 10890 } },
    { mik_f32_8x2, 8, 2, { 22, 35, 105, 370, 1230, 4500, 10600, 21800 } },
    { mik_f32_1x3, 1, 3, { 7.024f, 11.96f, 34.98f, 136.2f, 679.9f, 2478, 5825, 11970 } },
    { mik_f32_8x3, 8, 3, { 29.25f, 49.16f, 138.7f, 539.8f, 1847, 6751, 15880, 32640 } },
};

static mik_f32_kernel *const mik_f32_avx512_dots[] = {
    mik_f32_dot1x1, mik_f32_dot1x2, mik_f32_dot1x3, mik_f32_dot1x4, mik_f32_dot2x1, mik_f32_dot2x2, mik_f32_dot2x3, mik_f32_dot2x4,
};
static mik_f32_shallow_kernel *const mik_f32_avx512_shallow[] = { f32z_shallow1, f32z_shallow2, f32z_shallow3 };
static mik_f32_shallow_kernel *const mik_f32_avx512_slim[] = { f32z_slim1, f32z_slim2, f32z_slim3 };

/* Three vectors at a time, then two, then one; the same for every number of rows. */
#define WIDTHS { 0, 1, 2, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 }
static const unsigned char mik_f32_avx512_columns[][MIK_F32_COVER_COLUMNS + 1] = {
    WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS, WIDTHS
};
#undef WIDTHS
static const unsigned char mik_f32_avx512_heights_1[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2 };
static const unsigned char mik_f32_avx512_heights_2[] = { 0, 3, 3, 3, 4, 4, 4, 4, 5 };
static const unsigned char mik_f32_avx512_heights_3[] = { 0, 6, 6, 6, 6, 6, 6, 6, 7 };

#define COVER { mik_f32_avx512_columns, { NULL, mik_f32_avx512_heights_1, mik_f32_avx512_heights_2, mik_f32_avx512_heights_3 }, { 0, 2, 5, 7 } }
static const mik_f32_isa mik_f32_avx512 = {
    "avx512", 3, F32Z_LANES, 8, 3, mik_f32_avx512_variants, { 0, 8, 8, 8 }, { COVER, COVER, COVER },
    mik_f32_avx512_dots, { 2, 2, 2, 2 }, mik_f32_avx512_shallow, mik_f32_avx512_slim, 3, 3, f32z_row, f32z_long_row, F32Z_ROW * F32Z_LANES, f32z_column, f32z_panels, F32Z_PANELS, f32z_codes, f32z_unpack,
    f32z_winograd, 1,
    0.15f, 5.6f, 0.84f,
    { 0.05f, 0.24f, 0.6f, 0.5f, 1.6f, 3, 0.07f, 0.24f, 0.05f, 0.03f, 3000, 524288, 4096, 524288, 2097152, 512, 16, 16, 16 },
    { 8, 7, 64, 12, 8, 256, 128, 8, 40, 12, 131072, 400000, 144, 12, 0.14f, 0.25f }
};
#undef COVER

static const mik_f32_isa *mik_f32_choose(int isa)
{
    (void)isa;
    return &mik_f32_avx512;
}
