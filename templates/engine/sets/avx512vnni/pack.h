/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Bytes in memory, plus `plus`, to the fours of a panel whose heads hold what depends on a line alone: see mik_u8s8_head. */
#pragma once
#include "../avx2/turn.h"
#include "head.h"

/* `have` elements of a line, k apart; zeros fill them up to four. */
MIK_INLINE void mik_u8s8_pack_u8_unit(const mik_u8s8_u8 *src, int64_t k, int64_t have, int plus, mik_u8s8_panel *dst)
{
    dst[0] = (mik_u8s8_panel)(src[0] + plus);
    dst[1] = have > 1 ? (mik_u8s8_panel)(src[k] + plus) : 0;
    dst[2] = have > 2 ? (mik_u8s8_panel)(src[2 * k] + plus) : 0;
    dst[3] = have > 3 ? (mik_u8s8_panel)(src[3 * k] + plus) : 0;
}
#if MIK_X86

typedef __m256i mik_u8s8_u8_units;

MIK_INLINE MIK_AVX2_CVT __m256i mik_u8s8_pack_u8_load(const mik_u8s8_u8 *src)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)src);
}

/* Eight fours as a panel holds them. */
MIK_INLINE MIK_AVX2_CVT __m256i mik_u8s8_pack_u8_widen(__m256i x, int plus) { return _mm256_add_epi8(x, _mm256_set1_epi8((char)plus)); }

/* Sixteen neighbouring lines, or the first of them that are `there`: `have` elements of each, k apart. The words of each
   four bytes are brought together, then the bytes of each line. */
MIK_INLINE MIK_AVX512VNNI __m512i mik_u8s8_pack_u8_sixteen(const mik_u8s8_u8 *src, int64_t k, int64_t have, __mmask16 there, int plus)
{
    const __m512i words = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __mmask64 full = have >= 4 ? ~(__mmask64)0 : 0x1111111111111111u * ((1u << have) - 1);
    __m512i x;
    if (there == 0xffff && have > 3) {
        x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)src));
        x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(src + k)), 1);
        x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(src + 2 * k)), 2);
        x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(src + 3 * k)), 3);
    } else {
        x = _mm512_maskz_loadu_epi8(there, src);
        if (have > 1)
            x = _mm512_inserti32x4(x, _mm512_castsi512_si128(_mm512_maskz_loadu_epi8(there, src + k)), 1);
        if (have > 2)
            x = _mm512_inserti32x4(x, _mm512_castsi512_si128(_mm512_maskz_loadu_epi8(there, src + 2 * k)), 2);
        if (have > 3)
            x = _mm512_inserti32x4(x, _mm512_castsi512_si128(_mm512_maskz_loadu_epi8(there, src + 3 * k)), 3);
    }
    x = _mm512_shuffle_epi8(_mm512_permutexvar_epi32(words, x), bytes);
    return _mm512_maskz_add_epi8(full, x, _mm512_set1_epi8((char)plus));
}

/* Rows of a panel of lines that are neighbours in memory; `more` rows than those that its heads know already. Whole cache lines are read,
   and those of later rows prefetched: rows may lie pages apart. (Zen 4, one row times 4096 x 4096: 4.9 ms by halves of lines, 3.9 so.) */
MIK_AVX512VNNI
static void mik_u8s8_pack_u8_rows(const mik_u8s8_u8 *src, int64_t k, int64_t lines, int64_t kc, int64_t to, int plus, int is_b,
                                  uint32_t scale, uint32_t constant, int more, mik_u8s8_panel *head, mik_u8s8_panel *dst)
{
    enum { vectors = 4, some = 16 * vectors, far = 16 };
    const __m512i ones = _mm512_set1_epi8(1);
    for (int64_t j = 0; j < lines; j += some) {
        const int64_t used = mik_min(some, lines - j);
        const mik_u8s8_u8 *from = src + j;
        mik_u8s8_panel *row = dst + j * MIK_U8S8_UNIT;
        __mmask16 there[vectors];
        __m512i sum[vectors];
        MIK_UNROLL
        for (int v = 0; v < vectors; v++) {
            there[v] = (__mmask16)((1u << mik_max(0, mik_min(16, used - 16 * v))) - 1);
            sum[v] = _mm512_setzero_si512();
        }
        for (int64_t u = 0; u < kc; u += MIK_U8S8_UNIT, from += MIK_U8S8_UNIT * k, row += MIK_U8S8_UNIT * to) {
            const int whole = used == some && u + MIK_U8S8_UNIT <= kc;
            MIK_UNROLL
            for (int i = 0; i < MIK_U8S8_UNIT; i++)
                MIK_PREFETCH(from + (far + i) * k);
            MIK_UNROLL
            for (int v = 0; v < vectors; v++) {
                __m512i x;
                if (whole) {
                    x = mik_u8s8_pack_u8_sixteen(from + 16 * v, k, MIK_U8S8_UNIT, 0xffff, plus);
                    _mm512_storeu_si512(row + 16 * v * MIK_U8S8_UNIT, x);
                } else if (there[v]) {
                    x = mik_u8s8_pack_u8_sixteen(from + 16 * v, k, kc - u, there[v], plus);
                    _mm512_mask_storeu_epi32(row + 16 * v * MIK_U8S8_UNIT, there[v], x);
                } else {
                    break;
                }
                sum[v] = is_b ? _mm512_dpbusd_epi32(sum[v], ones, x) : _mm512_dpbusd_epi32(sum[v], x, ones);
            }
        }
        MIK_UNROLL
        for (int v = 0; v < vectors; v++)
            mik_u8s8_put_sum(sum[v], there[v], scale, constant, more, head + (j + 16 * v) * MIK_U8S8_HEAD);
    }
}

/* Lines that are where they belong, and as they should be, but for their heads and what fills up their last fours. */
static void mik_u8s8_pack_u8_finish(int64_t lines, int64_t kc, int64_t pitch, uint32_t constant, mik_u8s8_panel *dst)
{
    for (int64_t i = 0; i < lines; i++, dst += pitch) {
        memcpy(dst, &constant, sizeof constant);
        for (int64_t k = kc; k % MIK_U8S8_UNIT; k++)
            dst[MIK_U8S8_HEAD + k] = 0;
    }
}

/* Lines of A whose elements are neighbours, one after the other, `pitch` apart, with their heads. */
MIK_AVX512VNNI
static void mik_u8s8_pack_u8_straight(const mik_u8s8_u8 *src, int64_t line, int64_t lines, int64_t kc, int64_t pitch, int plus,
                                      uint32_t scale, uint32_t constant, mik_u8s8_panel *dst)
{
    enum { STEP = 64 };
    if ((const void *)src == dst + MIK_U8S8_HEAD && line == pitch && !plus && !scale) {
        mik_u8s8_pack_u8_finish(lines, kc, pitch, constant, dst);
        return;
    }
    const int64_t filled = mik_round_up(kc, MIK_U8S8_UNIT), rest = kc % STEP;
    const __mmask64 there = ((__mmask64)1 << rest) - 1, all = ~(__mmask64)0 >> ((STEP - (filled - kc + rest)) % STEP);
    const __m512i more = _mm512_set1_epi8((char)plus), ones = _mm512_set1_epi8(1);
    for (int64_t i = 0; i < lines; i++, src += line, dst += pitch) {
        __m512i sum = _mm512_setzero_si512();
        int64_t k = 0;
        for (; k + STEP <= kc; k += STEP) {
            const __m512i x = _mm512_add_epi8(_mm512_loadu_si512(src + k), more);
            sum = _mm512_dpbusd_epi32(sum, x, ones);
            _mm512_storeu_si512(dst + MIK_U8S8_HEAD + k, x);
        }
        if (rest) {
            const __m512i x = _mm512_maskz_add_epi8(there, _mm512_maskz_loadu_epi8(there, src + k), more);
            sum = _mm512_dpbusd_epi32(sum, x, ones);
            _mm512_mask_storeu_epi8(dst + MIK_U8S8_HEAD + k, all, x);
        }
        const uint32_t head = scale ? (uint32_t)_mm512_reduce_add_epi32(sum) * scale + constant : constant;
        memcpy(dst, &head, sizeof head);
    }
}
#endif
