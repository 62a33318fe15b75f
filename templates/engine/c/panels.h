/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The product of a few rows and panels of a B prepacked, of one family on one instruction set: c(i, j) (+)= sum over k of a(i, k) *
 * b(k, j). F32Z_PANELS panels are read at once, each as one stream, of which processors follow several better than one: in pages of
 * 4 KB, of which each begins anew. (Sapphire Rapids, 67 MB of B, 1 row: 3.6 GFLOP/s by one panel, 5.4 by two or four; 2 rows 5.8 and
 * 10.6.) More than four rows come by fours over a few steps, which the nearest cache keeps for the later ones.
 */
#pragma once
#include "sums.h"

/* `rows` of them; t->b_n: how far panels are apart. prefetch: B is to come from far. */
MIK_FOLDED MIK_AVX512 void f32z_panels_of(const mik_f32_tile *t, const int rows, const int prefetch)
{
    enum { width = MIK_F32_AHEAD_COLUMNS, vectors = width / F32Z_LANES, all = F32Z_PANELS * vectors, line = MIK_F32_LINE, far = 16 };
    const mik_f32_acc *a = t->a, *b = t->b;
    const int64_t a_m = t->a_m, a_k = t->a_k, apart = t->b_n, c_m = t->c_m;
    mik_f32_acc *const c = t->c;
    f32z_vec sum[4 * all];
    MIK_UNROLL
    for (int i = 0; i < rows; i++) {
        MIK_UNROLL
        for (int j = 0; j < all; j++)
            sum[i * all + j] = t->add ? f32z_get(c + i * c_m + j * F32Z_LANES) : f32z_zero();
    }
    for (int64_t k = t->k; k > 0; k--, a += a_k, b += width) {
        f32z_element x[4];
        MIK_UNROLL
        for (int i = 0; i < rows; i++)
            x[i] = f32z_splat(a + i * a_m);
        MIK_UNROLL
        for (int p = 0; p < F32Z_PANELS; p++) {
            const mik_f32_acc *const row = b + p * apart;
            if (prefetch) {
                MIK_UNROLL
                for (int j = 0; j < width; j += line)
                    MIK_PREFETCH(row + far * width + j);
            }
            MIK_UNROLL
            for (int j = 0; j < vectors; j++) {
                const f32z_operand y = f32z_load(row + j * F32Z_LANES);
                MIK_UNROLL
                for (int i = 0; i < rows; i++)
                    sum[i * all + p * vectors + j] = f32z_fma(x[i], y, sum[i * all + p * vectors + j]);
            }
        }
    }
    MIK_UNROLL
    for (int i = 0; i < rows; i++) {
        MIK_UNROLL
        for (int j = 0; j < all; j++)
            f32z_put(c + i * c_m + j * F32Z_LANES, sum[i * all + j]);
    }
}

/* Any number of rows, over t->k steps that the nearest cache holds if there are more than four. */
MIK_AVX512
static void f32z_panels(const mik_f32_tile *t, int64_t rows)
{
    mik_f32_tile x = *t;
    switch (rows) {
    case 1: f32z_panels_of(t, 1, 1); return;
    case 2: f32z_panels_of(t, 2, 1); return;
    case 3: f32z_panels_of(t, 3, 1); return;
    default: f32z_panels_of(t, 4, 1);
    }
    while ((rows -= 4) > 0) {
        x.a += 4 * x.a_m;
        x.c += 4 * x.c_m;
        switch (rows) {
        case 1: f32z_panels_of(&x, 1, 0); break;
        case 2: f32z_panels_of(&x, 2, 0); break;
        case 3: f32z_panels_of(&x, 3, 0); break;
        default: f32z_panels_of(&x, 4, 0);
        }
    }
}
