/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Tiles of bf16 by multiply-adds of floats, for panels that mik_f32_is_safe does not call so: both do the work of a kernel.
 */
#pragma once
#include "../../c/types.h"
#include "../avx512/store_bf16.h"

/* Both products of a pair: c + x1 y1 + x0 y0. */
MIK_INLINE MIK_AVX512BF16 __m512 mik_f32_pair(__m512i x, __m512i y, __m512 c)
{
    const __m512i high = _mm512_set1_epi32((int)0xffff0000u);
    c = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_and_si512(x, high)), _mm512_castsi512_ps(_mm512_and_si512(y, high)), c);
    return _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_slli_epi32(x, 16)), _mm512_castsi512_ps(_mm512_slli_epi32(y, 16)), c);
}

/* The work of a kernel of `rows` rows, by four rows and a vector of columns at a time. */
MIK_AVX512BF16
static void mik_f32_exact(const mik_f32_tile *t, int64_t rows)
{
    for (int64_t j = 0; j < t->cols; j += 16) {
        const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, t->cols - j)));
        for (int64_t i = 0; i < rows; i += 4) {
            const int64_t last = rows - 1 - i;
            const mik_f32_panel *a = t->a + i * t->a_m, *b = t->b + j * 2;
            const int64_t s1 = mik_min(1, last) * t->a_m, s2 = mik_min(2, last) * t->a_m, s3 = mik_min(3, last) * t->a_m;
            __m512 c0 = _mm512_setzero_ps(), c1 = c0, c2 = c0, c3 = c0;
            for (int64_t k = 0; k < t->k; k++, a += t->a_k, b += t->b_k) {
                const __m512i y = _mm512_maskz_loadu_epi32(there, b);
                c0 = mik_f32_pair(_mm512_set1_epi32(mik_word(a)), y, c0);
                c1 = mik_f32_pair(_mm512_set1_epi32(mik_word(a + s1)), y, c1);
                c2 = mik_f32_pair(_mm512_set1_epi32(mik_word(a + s2)), y, c2);
                c3 = mik_f32_pair(_mm512_set1_epi32(mik_word(a + s3)), y, c3);
            }
            const __m512 sum[4] = {c0, c1, c2, c3};
            for (int64_t r = 0; r < 4 && r <= last; r++) {
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
