/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Winograd's transforms of one family on one instruction set: F(m, 3) x F(m, 3) for m = 2 and 4, vectors along channels and outputs. With
 * n = m + 2 points, m x m outputs take n x n products instead of 9 m m. The points are 0, 1, -1 and infinity, and 0, 5/8, -5/8, 3/2,
 * -3/2 and infinity: these make half the error of 0, +-1, +-2 and infinity.
 */
#pragma once
#include "sums.h"
#include "winograd_form.h"

/* Of n pixels in a row what multiplies the transformed filter: the coefficients of the product of (x - point) over the other points. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_before(const mik_f32_acc *k, f32z_vec *x, const int64_t apart, const int m)
{
    const f32z_vec d0 = x[0], d1 = x[apart], d2 = x[2 * apart], d3 = x[3 * apart];
    if (m == 2) {
        const f32z_element minus = f32z_each(k + MIK_F32_POINT_MINUS);
        x[0] = f32z_fma(minus, d0, d2);
        x[apart] = f32z_add(d2, d1);
        x[2 * apart] = f32z_fma(minus, d1, d2);
        x[3 * apart] = f32z_fma(minus, d1, d3);
        return;
    }
    const f32z_vec d4 = x[4 * apart], d5 = x[5 * apart];
    const f32z_element product = f32z_each(k + MIK_F32_POINT_PRODUCT), sum = f32z_each(k + MIK_F32_POINT_SUM);
    const f32z_element aa = f32z_each(k + MIK_F32_POINT_MINUS_AA), bb = f32z_each(k + MIK_F32_POINT_MINUS_BB);
    const f32z_vec even_a = f32z_fma(bb, d2, d4), odd_a = f32z_fma(bb, d1, d3);
    const f32z_vec even_b = f32z_fma(aa, d2, d4), odd_b = f32z_fma(aa, d1, d3);
    x[0] = f32z_fma(product, d0, f32z_fma(sum, d2, d4));
    x[apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_A), odd_a, even_a);
    x[2 * apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_MINUS_A), odd_a, even_a);
    x[3 * apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_B), odd_b, even_b);
    x[4 * apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_MINUS_B), odd_b, even_b);
    x[5 * apart] = f32z_fma(product, d1, f32z_fma(sum, d3, d5));
}

/* Of n products m outputs: the powers of the points. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_after(const mik_f32_acc *k, f32z_vec *x, const int64_t apart, const int m)
{
    const f32z_element minus = f32z_each(k + MIK_F32_POINT_MINUS);
    const f32z_vec sum = f32z_add(x[apart], x[2 * apart]), gap = f32z_fma(minus, x[2 * apart], x[apart]);
    x[0] = f32z_add(x[0], sum);
    if (m == 2) {
        x[apart] = f32z_add(gap, x[3 * apart]);
        return;
    }
    const f32z_vec sum_b = f32z_add(x[3 * apart], x[4 * apart]), gap_b = f32z_fma(minus, x[4 * apart], x[3 * apart]);
    x[0] = f32z_add(x[0], sum_b);
    x[apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_A), gap, f32z_fma(f32z_each(k + MIK_F32_POINT_B), gap_b, f32z_zero()));
    x[2 * apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_AA), sum, f32z_fma(f32z_each(k + MIK_F32_POINT_BB), sum_b, f32z_zero()));
    x[3 * apart] = f32z_fma(f32z_each(k + MIK_F32_POINT_AAA), gap, f32z_fma(f32z_each(k + MIK_F32_POINT_BBB), gap_b, x[5 * apart]));
}

/* Vectors of channels from c on, or a part of one, of a tile's pixels. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_pixels(const mik_f32_panel *const *pixels, int64_t c, int64_t ahead, mik_f32_panel *v,
                                                int64_t plane, f32z_mask last, const int m, const int part)
{
    const mik_f32_acc *const k = mik_f32_points;
    const int n = m + 2;
    f32z_vec x[6 * 6];
    for (int i = 0; i < n; i++) {
        MIK_UNROLL
        for (int j = 0; j < n; j++) {
            x[i * n + j] = part ? f32z_get_part(pixels[i * n + j] + c, last) : f32z_get(pixels[i * n + j] + c);
            if (j > 1)
                MIK_PREFETCH(pixels[i * n + j] + ahead + c);
        }
        f32z_winograd_before(k, x + i * n, 1, m);
    }
    for (int j = 0; j < n; j++) {
        f32z_winograd_before(k, x + j, n, m);
        MIK_UNROLL
        for (int i = 0; i < n; i++)
            f32z_put(v + (i * n + j) * plane + c, x[i * n + j]);
    }
}

/* The pixels of a tile, whose n x n addresses are given: product i of channel c goes to v[i * plane + c]; v has whole vectors of channels.
   Those of the next tile, `ahead` elements further on, are prefetched. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_image(const mik_f32_panel *const *pixels, int64_t channels, int64_t ahead, mik_f32_panel *v,
                                               int64_t plane, const int m)
{
    const f32z_mask last = f32z_first((int)(channels % F32Z_LANES));
    int64_t c = 0;
    for (; c + F32Z_LANES <= channels; c += F32Z_LANES)
        f32z_winograd_pixels(pixels, c, ahead, v, plane, last, m, 0);
    if (c < channels)
        f32z_winograd_pixels(pixels, c, ahead, v, plane, last, m, 1);
}

/* A vector of columns of a tile's outputs, or a part of one. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_column(const mik_f32_winograd_tile *t, int column, f32z_mask last, const int m, const int part)
{
    const mik_f32_acc *const k = mik_f32_points;
    const int n = m + 2;
    f32z_vec x[6 * 6];
    for (int i = 0; i < n; i++) {
        MIK_UNROLL
        for (int j = 0; j < n; j++)
            x[i * n + j] = f32z_get(t->sums + (i * n + j) * t->plane + column);
        f32z_winograd_after(k, x + i * n, 1, m);
    }
    for (int j = 0; j < t->cols; j++) {
        f32z_winograd_after(k, x + j, n, m);
        for (int i = 0; i < t->rows; i++) {
            mik_f32_acc *const c = t->c + i * t->down + j * t->right + column;
            part ? f32z_end_part(c, x[i * n + j], t->add, last) : f32z_end(c, x[i * n + j], t->add);
        }
    }
}

/* The outputs of a tile: `rows` by `cols` of them, from the products at sums[i * plane + column]. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_outputs(const mik_f32_winograd_tile *t, const int m)
{
    const f32z_mask last = f32z_first(t->columns % F32Z_LANES);
    int column = 0;
    for (; column + F32Z_LANES <= t->columns; column += F32Z_LANES)
        f32z_winograd_column(t, column, last, m, 0);
    if (column < t->columns)
        f32z_winograd_column(t, column, last, m, 1);
}

/* Of three elements of a filter the n factors: powers of a point over the product of its distances to the others. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_factors(double g0, double g1, double g2, double *x, const int64_t apart, const int m)
{
    if (m == 2) {
        const double even = 0.5 * (g0 + g2), odd = 0.5 * g1;
        x[0] = -g0, x[apart] = even + odd, x[2 * apart] = even - odd, x[3 * apart] = g2;
        return;
    }
    const double even_a = MIK_F32_FACTOR_A * (g0 + 0.390625 * g2), odd_a = 0.625 * MIK_F32_FACTOR_A * g1;
    const double even_b = MIK_F32_FACTOR_B * (g0 + 2.25 * g2), odd_b = 1.5 * MIK_F32_FACTOR_B * g1;
    x[0] = MIK_F32_FACTOR_0 * g0;
    x[apart] = even_a + odd_a, x[2 * apart] = even_a - odd_a;
    x[3 * apart] = even_b + odd_b, x[4 * apart] = even_b - odd_b;
    x[5 * apart] = g2;
}

/* Filters in double, rounded once, for all channels and some columns: factor i of channel c goes to
   u[(i * channels + c) * MIK_F32_WINOGRAD_COLUMNS + column]. */
MIK_FOLDED MIK_AVX512 void f32z_winograd_filter(const mik_f32_winograd_source *b, mik_f32_panel *u, const int m)
{
    enum { most = MIK_F32_WINOGRAD_COLUMNS };
    const int n = m + 2;
    for (int64_t c = 0; c < b->channels; c++) {
        mik_f32_panel g[9][most] = {{0}}, to[6 * 6][most];
        for (int i = 0; i < 9; i++)
            memcpy(g[i], b->b + i / 3 * b->row + i % 3 * b->column + c * b->channel, (size_t)b->columns * sizeof **g);
        for (int j = 0; j < most; j++) {
            double half[6 * 3];
            f32z_winograd_factors(g[0][j], g[3][j], g[6][j], half, 3, m);
            f32z_winograd_factors(g[1][j], g[4][j], g[7][j], half + 1, 3, m);
            f32z_winograd_factors(g[2][j], g[5][j], g[8][j], half + 2, 3, m);
            MIK_UNROLL
            for (int i = 0; i < n; i++) {
                double x[6];
                f32z_winograd_factors(half[3 * i], half[3 * i + 1], half[3 * i + 2], x, 1, m);
                MIK_UNROLL
                for (int k = 0; k < n; k++)
                    to[i * n + k][j] = (mik_f32_panel)x[k];
            }
        }
        for (int i = 0; i < n * n; i++)
            memcpy(u + (i * b->channels + c) * most, to[i], sizeof to[i]);
    }
}

/* clang-format off */
#define KERNELS(m) \
    MIK_AVX512 static void f32z_winograd_image_##m(const mik_f32_panel *const *pixels, int64_t channels, int64_t ahead, mik_f32_panel *v, int64_t plane) \
    { f32z_winograd_image(pixels, channels, ahead, v, plane, m); } \
    MIK_AVX512 static void f32z_winograd_outputs_##m(const mik_f32_winograd_tile *t) { f32z_winograd_outputs(t, m); } \
    MIK_AVX512 static void f32z_winograd_filter_##m(const mik_f32_winograd_source *b, mik_f32_panel *u) { f32z_winograd_filter(b, u, m); }
KERNELS(2)
#if MIK_F32_WINOGRAD > 2
KERNELS(4)
#endif
#undef KERNELS
static const mik_f32_winograd_kernels f32z_winograd[] = {
    { f32z_winograd_image_2, f32z_winograd_outputs_2, f32z_winograd_filter_2 },
#if MIK_F32_WINOGRAD > 2
    { f32z_winograd_image_4, f32z_winograd_outputs_4, f32z_winograd_filter_4 },
#endif
};
/* clang-format on */
