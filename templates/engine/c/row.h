/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The product of one row and a matrix, row by row of the matrix, of one family on one instruction set: c(j) (+)= sum over k of
 * a(k) * b(k, j). B is read in the order in which it lies, as one stream: that brings it fastest, from a cache as from memory.
 * Up to F32Z_ROW vectors of sums stay in registers, all of them for all of k; a kernel of nv vectors also does for nv - 1, as its
 * last two vectors end at the last column and may share columns, which are computed alike. (Zen 5, 400 columns: 250 GB/s; in two
 * strips 150.) More sums are in the nearest cache, and F32Z_ROWS_AT_ONCE steps at a time are added to them. (Zen 5, 540 KB
 * of B: 200 to 240 GB/s by two; in strips of 256 columns 130, by four 130, one by one 160 to 190. Zen 3, 37 MB: 17 GB/s by eight, 12 by two, 9 one
 * by one; 4 MB: all alike.)
 */
#pragma once
#include "sums.h"

/* One row by n columns, which nv vectors hold, or one less. */
MIK_FOLDED MIK_AVX512 void f32z_row_of(const mik_f32_tile *t, int64_t n, const int nv)
{
    const mik_f32_acc *a = t->a, *b = t->b;
    const int64_t a_k = t->a_k, b_k = t->b_k, last = n - F32Z_LANES, before = mik_min((nv - 2) * F32Z_LANES, last);
    mik_f32_acc *const c = t->c;
    f32z_vec sum[F32Z_ROW];
    MIK_UNROLL
    for (int j = 0; j < nv; j++)
        sum[j] = f32z_zero();
    for (int64_t k = t->k; k > 0; k--, a += a_k, b += b_k) {
        const f32z_element x = f32z_splat(a);
        MIK_UNROLL
        for (int j = 0; j < nv - 2; j++)
            sum[j] = f32z_fma(x, f32z_load(b + j * F32Z_LANES), sum[j]);
        sum[nv - 2] = f32z_fma(x, f32z_load(b + before), sum[nv - 2]);
        sum[nv - 1] = f32z_fma(x, f32z_load(b + last), sum[nv - 1]);
    }
    sum[nv - 2] = f32z_plus(c + before, sum[nv - 2], t->add);
    sum[nv - 1] = f32z_plus(c + last, sum[nv - 1], t->add);
    MIK_UNROLL
    for (int j = 0; j < nv - 2; j++)
        f32z_end(c + j * F32Z_LANES, sum[j], t->add);
    f32z_put(c + before, sum[nv - 2]);
    f32z_put(c + last, sum[nv - 1]);
}

MIK_AVX512
static void f32z_row(const mik_f32_tile *t, int64_t n)
{
    switch ((n + 2 * F32Z_LANES - 1) / (2 * F32Z_LANES)) {
#define CASE(pairs) \
    case pairs: f32z_row_of(t, n, 2 * pairs); return;
        F32Z_ROW_PAIRS(CASE)
#undef CASE
    }
}

/* Rows k to k + rows - 1 of B times their elements of A, added to t->c. */
MIK_FOLDED MIK_AVX512 void f32z_row_steps(const mik_f32_tile *t, int64_t k, int64_t n, const int rows)
{
    const mik_f32_acc *b = t->b + k * t->b_k;
    const int64_t b_k = t->b_k;
    mik_f32_acc *c = t->c;
    f32z_element x[F32Z_ROWS_AT_ONCE];
    MIK_UNROLL
    for (int i = 0; i < rows; i++)
        x[i] = f32z_splat(t->a + (k + i) * t->a_k);
    for (; n >= F32Z_LANES; n -= F32Z_LANES, b += F32Z_LANES, c += F32Z_LANES) {
        f32z_vec sum = f32z_get(c);
        MIK_UNROLL
        for (int i = 0; i < rows; i++)
            sum = f32z_fma(x[i], f32z_load(b + i * b_k), sum);
        f32z_put(c, sum);
    }
    if (n <= 0)
        return;
    const f32z_mask last = f32z_first((int)n);
    f32z_vec sum = f32z_get_part(c, last);
    MIK_UNROLL
    for (int i = 0; i < rows; i++)
        sum = f32z_fma(x[i], f32z_load_part(b + i * b_k, last), sum);
    f32z_put_part(c, sum, last);
}

/* Of more columns. */
MIK_AVX512
static void f32z_long_row(const mik_f32_tile *t, int64_t n)
{
    int64_t k = 0;
    for (int64_t j = 0; j < n && !t->add; j++)
        t->c[j] = 0;
    for (; k + F32Z_ROWS_AT_ONCE <= t->k; k += F32Z_ROWS_AT_ONCE)
        f32z_row_steps(t, k, n, F32Z_ROWS_AT_ONCE);
    for (; k < t->k; k++)
        f32z_row_steps(t, k, n, 1);
}
