/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* bf16 in memory to the pairs of a panel whose heads hold the least exponent: see mik_bf16_head. */
#pragma once
#include "../avx2/turn.h"
#include "head.h"

/* `have` elements of a line, k apart; a zero fills the pair. */
MIK_INLINE void mik_bf16_pack_bf16_unit(const mik_bf16_bf16 *src, int64_t k, int64_t have, int plus, mik_bf16_panel *dst)
{
    (void)plus;
    dst[0] = src[0];
    dst[1] = have > 1 ? src[k] : 0;
}
#if MIK_X86

typedef __m256i mik_bf16_bf16_units;

MIK_INLINE MIK_AVX2_CVT __m256i mik_bf16_pack_bf16_load(const mik_bf16_bf16 *src)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)src);
}

/* Eight pairs as a panel holds them. */
MIK_INLINE MIK_AVX2_CVT __m256i mik_bf16_pack_bf16_widen(__m256i x, int plus)
{
    (void)plus;
    return x;
}

/* Sixteen neighbouring lines, or the first of them that are `there`: `have` elements of each, k apart; two rows of 16 elements
   interleaved. */
MIK_INLINE MIK_AVX512BF16 __m512i mik_bf16_pack_bf16_sixteen(const mik_bf16_bf16 *src, int64_t k, int64_t have, __mmask16 there)
{
    const __m512i order = _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8, 39, 7, 38, 6, 37, 5, 36, 4, 35, 3,
                                           34, 2, 33, 1, 32, 0);
    if (there == 0xffff && have > 1)
        return _mm512_permutex2var_epi16(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)src)), order,
                                         _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(src + k))));
    const __m512i r0 = _mm512_maskz_loadu_epi16(there, src);
    const __m512i r1 = have > 1 ? _mm512_maskz_loadu_epi16(there, src + k) : _mm512_setzero_si512();
    return _mm512_permutex2var_epi16(r0, order, r1);
}

/* Rows of a panel of lines that are neighbours in memory; `more` rows than those that its head knows already. */
MIK_AVX512BF16
static void mik_bf16_pack_bf16_rows(const mik_bf16_bf16 *src, int64_t k, int64_t lines, int64_t kc, int64_t to, int more,
                                    mik_bf16_panel *head, mik_bf16_panel *dst)
{
    __m512i least = _mm512_set1_epi16(-1);
    for (int64_t j = 0; j < lines; j += 32) {
        const int64_t used = mik_min(32, lines - j);
        const __mmask16 first = (__mmask16)((1u << mik_min(16, used)) - 1), second = (__mmask16)((1u << mik_max(0, used - 16)) - 1);
        const mik_bf16_bf16 *from = src + j;
        mik_bf16_panel *row = dst + j * MIK_BF16_UNIT;
        for (int64_t u = 0; u < kc; u += MIK_BF16_UNIT, from += MIK_BF16_UNIT * k, row += MIK_BF16_UNIT * to) {
            __m512i x0, x1;
            if (used == 32 && u + MIK_BF16_UNIT <= kc) {
                x0 = mik_bf16_pack_bf16_sixteen(from, k, MIK_BF16_UNIT, 0xffff);
                x1 = mik_bf16_pack_bf16_sixteen(from + 16, k, MIK_BF16_UNIT, 0xffff);
                _mm512_storeu_si512(row, x0);
                _mm512_storeu_si512(row + 16 * MIK_BF16_UNIT, x1);
            } else {
                x0 = mik_bf16_pack_bf16_sixteen(from, k, kc - u, first);
                x1 = mik_bf16_pack_bf16_sixteen(from + 16, k, kc - u, second);
                _mm512_mask_storeu_epi32(row, first, x0);
                _mm512_mask_storeu_epi32(row + 16 * MIK_BF16_UNIT, second, x1);
            }
            least = mik_bf16_smallest(mik_bf16_smallest(least, x0), x1);
        }
    }
    mik_bf16_put_least(least, more, head);
}

/* Lines whose elements are neighbours, one after the other, `pitch` apart, with their heads. */
MIK_AVX512BF16
static void mik_bf16_pack_bf16_straight(const mik_bf16_bf16 *src, int64_t line, int64_t lines, int64_t kc, int64_t pitch,
                                        mik_bf16_panel *dst)
{
    enum { STEP = 32 };
    const int64_t filled = mik_round_up(kc, MIK_BF16_UNIT), rest = kc % STEP;
    const __mmask32 there = ((__mmask32)1 << rest) - 1, all = ~(__mmask32)0 >> ((STEP - (filled - kc + rest)) % STEP);
    for (int64_t i = 0; i < lines; i++, src += line, dst += pitch) {
        __m512i least = _mm512_set1_epi16(-1);
        int64_t k = 0;
        for (; k + STEP <= kc; k += STEP) {
            const __m512i x = _mm512_loadu_si512(src + k);
            least = mik_bf16_smallest(least, x);
            _mm512_storeu_si512(dst + MIK_BF16_HEAD + k, x);
        }
        if (rest) {
            const __m512i x = _mm512_maskz_loadu_epi16(there, src + k);
            least = mik_bf16_smallest(least, x);
            _mm512_mask_storeu_epi16(dst + MIK_BF16_HEAD + k, all, x);
        }
        mik_bf16_put_least(least, 0, dst);
    }
}
#endif
