/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Tiles of bf16 by multiply-adds of floats, for panels that mik_f32_is_safe does not call so: both do the work of a kernel.
 */
#pragma once
#include "../../c/types.h"
#include "../avx512/store_bf16.h"
#include "head.h"

/* Both products of a pair: c + x1 y1 + x0 y0. */
MIK_INLINE MIK_AVX512BF16 __m512 mik_f32_pair(__m512i x, __m512i y, __m512 c)
{
    const __m512i high = _mm512_set1_epi32((int)0xffff0000u);
    c = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_and_si512(x, high)), _mm512_castsi512_ps(_mm512_and_si512(y, high)), c);
    return _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_slli_epi32(x, 16)), _mm512_castsi512_ps(_mm512_slli_epi32(y, 16)), c);
}

/* Four rows of A, of the last of which there may be fewer, and a vector of columns of B. */
typedef struct {
    const mik_f32_panel *a[4], *b;
    __mmask16 there;
} mik_f32_exact_place;

/* So many steps of them, of rows first to last - 1. */
MIK_AVX512BF16
static void mik_f32_exact_steps(const mik_f32_tile *t, mik_f32_exact_place *p, int64_t steps, int64_t first, int64_t last, __m512 *sum)
{
    for (int64_t k = 0; k < steps; k++, p->b += t->b_k)
        for (int64_t r = 0; r < 4; r++) {
            if (r >= first && r < last)
                sum[r] = mik_f32_pair(_mm512_set1_epi32(mik_word(p->a[r])), _mm512_maskz_loadu_epi32(p->there, p->b), sum[r]);
            p->a[r] += t->a_k;
        }
}

/* Rows i to i + 3 of the work of a kernel of `rows` rows. */
MIK_AVX512BF16
static void mik_f32_exact_rows(const mik_f32_tile *t, mik_f32_exact_place *p, int64_t i, int64_t rows, __m512 *sum)
{
    const int64_t last = rows - i;
    for (int64_t r = 0; r < 4; r++) {
        p->a[r] = t->a + (i + mik_min(r, last - 1)) * t->a_m;
        sum[r] = _mm512_setzero_ps();
    }
#if MIK_F32_JUMPS
    for (int n = 0; n < t->count; n++) {
        const mik_f32_pass *const pass = t->passes + n;
        mik_f32_exact_steps(t, p, pass->steps[0], i == 0, last, sum);
        mik_f32_exact_steps(t, p, pass->steps[1], 0, last, sum);
        mik_f32_exact_steps(t, p, pass->steps[2], 0, last - 1, sum);
        for (int64_t r = 0; t->jumps && r < 4; r++)
            p->a[r] += t->jumps[n].a;
        p->b += t->jumps ? t->jumps[n].b * t->b_k : 0;
    }
    if (t->count > 0)
        return;
#endif
    mik_f32_exact_steps(t, p, t->k, 0, last, sum);
}

/* The work of a kernel of `rows` rows, by four rows and a vector of columns at a time. */
MIK_AVX512BF16
static void mik_f32_exact(const mik_f32_tile *t, int64_t rows)
{
    for (int64_t j = 0; j < t->cols; j += 16) {
        const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, t->cols - j)));
        for (int64_t i = 0; i < rows; i += 4) {
            mik_f32_exact_place p = {.b = t->b + j * 2, .there = there};
            __m512 sum[4];
            mik_f32_exact_rows(t, &p, i, rows, sum);
            for (int64_t r = 0; r < 4 && i + r < rows; r++) {
                float *c = t->c + (i + r) * t->c_m + j;
                const __m512 old = t->add ? _mm512_maskz_loadu_ps(there, c) : _mm512_setzero_ps();
                const __m512 all = _mm512_add_ps(sum[r], old);
#if MIK_F32_NARROWS
                if (t->narrow) {
                    const __m512i narrow = _mm512_cvtepu16_epi32(mik_store_bf16_sixteen(all));
                    _mm512_mask_cvtepi32_storeu_epi16(t->narrow + (i + r) * t->narrow_m + j, there, narrow);
                    continue;
                }
#endif
                _mm512_mask_storeu_ps(c, there, all);
            }
        }
    }
}

/* The work of a dot kernel. */
MIK_AVX512BF16
static void mik_f32_exact_dots(const mik_f32_tile *t, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const mik_f32_panel *a = t->a + i * t->a_m + MIK_F32_HEAD, *b = t->b + j * t->b_n + MIK_F32_HEAD;
            __m512 c = _mm512_setzero_ps();
            for (int64_t k = 0; k < t->k; k += 16) {
                const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, t->k - k)));
                c = mik_f32_pair(_mm512_maskz_loadu_epi32(there, a + 2 * k), _mm512_maskz_loadu_epi32(there, b + 2 * k), c);
            }
            mik_f32_out(t, i, j, _mm512_reduce_add_ps(c));
        }
}
#if MIK_F32_JUMPS

/* The head of what `rows` rows of A have in passes that jump, the first of them at a. */
MIK_AVX512BF16
static void mik_f32_head_of_passes(const mik_f32_panel *a, int64_t a_m, int rows, const mik_f32_pass *pass, const mik_f32_jump *jump,
                                   int count, mik_f32_panel *head)
{
    __m512i least = _mm512_set1_epi16(-1);
    for (int n = 0; n < count; n++) {
        for (int part = 0; part < 3; part++) {
            const int steps = pass[n].steps[part];
            for (int i = part == 0; i < rows - (part == 2); i++)
                for (int k = 0; k < steps; k += 16) {
                    const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, steps - k)));
                    least = mik_bf16_smallest(least, _mm512_maskz_loadu_epi32(there, a + i * a_m + 2 * k));
                }
            a += 2 * steps;
        }
        a += jump[n].a;
    }
    mik_bf16_put_least(least, 0, (mik_bf16_panel *)(void *)head);
}
#endif
