/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Where vdpbf16ps and float multiply-adds agree: the heads of bf16. mik_bf16_head is for a filled panel of
   `used` lines, `to` units apart. */
#pragma once
#include "../../c/float16.h"

/* vdpbf16ps takes subnormal numbers for zero and rounds to nearest, each product being exact in float. As long as no
   operand, product or sum can be a subnormal number it gives what multiply-adds of floats give. With exponents as they
   are stored, a bf16 of exponent e is a multiple of 2^(e - 134), so a product, and whatever a sum of them rounds to, is
   zero or a multiple of 2^(p + q - 268): not subnormal if p + q >= MIK_BF16_SAFE. */
enum { MIK_BF16_SAFE = 142 };

/* The least magnitudes so far, minus one, which makes zeros the greatest of all. */
MIK_AVX512BF16
static inline __m512i mik_bf16_smallest(__m512i least, __m512i x)
{
    return _mm512_min_epu16(least, _mm512_sub_epi16(_mm512_and_si512(x, _mm512_set1_epi16(0x7fff)), _mm512_set1_epi16(1)));
}

/* Their exponent goes to the head of a panel; a subnormal number counts as too small whatever it meets. */
MIK_AVX512BF16
static inline void mik_bf16_put_least(__m512i least, int more, mik_bf16_panel *panel)
{
    const __m256i half = _mm256_min_epu16(_mm512_castsi512_si256(least), _mm512_extracti64x4_epi64(least, 1));
    const __m128i quarter = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    const int smallest = _mm_extract_epi16(_mm_minpos_epu16(quarter), 0);
    int16_t exponent = smallest == 0xffff ? 255 : smallest < 0x7f ? -256 : (int16_t)((smallest + 1) >> 7), old;
    memcpy(&old, panel, sizeof old);
    if (more && old < exponent)
        exponent = old;
    memcpy(panel, &exponent, sizeof exponent);
}

/* Stores the least exponent of a panel's numbers, zeros left out. */
MIK_AVX512BF16
MIK_SHARED void mik_bf16_head(mik_bf16_panel *panel, int64_t used, int64_t to, int64_t units)
{
    __m512i least = _mm512_set1_epi16(-1);
    if (to == 1)                       /* one line: its units are neighbours */
        used = units, units = 1;
    for (int64_t j = 0; j < used; j += 16) {
        const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, used - j)));
        const mik_bf16_panel *unit = panel + (to + j) * 2;
        for (int64_t u = 0; u < units; u++, unit += to * 2)
            least = mik_bf16_smallest(least, _mm512_maskz_loadu_epi32(there, unit));
    }
    mik_bf16_put_least(least, 0, panel);
}

#if MIK_BF16_A_WORDS
/* The heads of `rows` rows of k bf16 each, which have none in place, MIK_BF16_UNIT apart: sixteen rows share one. */
MIK_AVX512BF16
static void mik_bf16_heads_of_rows(const mik_bf16_panel *a, int64_t a_m, int64_t rows, int64_t k, mik_bf16_panel *heads)
{
    const __mmask32 last = k % 32 ? ((__mmask32)1 << k % 32) - 1 : ~(__mmask32)0;
    for (int64_t i = 0; i < rows; i += 16, heads += 16 * MIK_BF16_UNIT) {
        __m512i least = _mm512_set1_epi16(-1);
        for (int64_t r = i; r < i + 16 && r < rows; r++) {
            const mik_bf16_panel *const row = a + r * a_m;
            int64_t j = 0;
            for (; j + 32 < k; j += 32)
                least = mik_bf16_smallest(least, _mm512_loadu_si512(row + j));
            least = mik_bf16_smallest(least, _mm512_maskz_loadu_epi16(last, row + j));
        }
        mik_bf16_put_least(least, 0, heads);
        for (int64_t r = 1; r < 16; r++)
            memcpy(heads + r * MIK_BF16_UNIT, heads, sizeof *heads);
    }
}

#endif
/* May all products of `rows` panels, pitch_a apart, with `cols` panels, pitch_b apart, be computed by vdpbf16ps? */
static int mik_bf16_is_safe(const mik_bf16_panel *a, int64_t pitch_a, int64_t rows, const mik_bf16_panel *b, int64_t pitch_b, int64_t cols)
{
    int16_t exponent, p = 255, q = 255;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(&exponent, a + i * pitch_a, sizeof exponent);
        p = exponent < p ? exponent : p;
    }
    for (int64_t j = 0; j < cols; j++) {
        memcpy(&exponent, b + j * pitch_b, sizeof exponent);
        q = exponent < q ? exponent : q;
    }
    return p + q >= MIK_BF16_SAFE;
}

/* Floats that are bf16 numbers, as the operators' own functions pack them, to pairs; a zero fills the last pair. */
MIK_UNUSED MIK_SHARED void mik_bf16_narrow(const float *from, int64_t lines, int64_t steps, mik_bf16_panel *dst, int64_t to)
{
    for (int64_t k = 0; k < steps; k += 2)
        for (int64_t i = 0; i < lines; i++) {
            mik_bf16_panel *unit = dst + k * to + 2 * i;
            unit[0] = (mik_bf16_panel)(mik_float_bits(from[k * lines + i]) >> 16);
            unit[1] = k + 1 < steps ? (mik_bf16_panel)(mik_float_bits(from[(k + 1) * lines + i]) >> 16) : 0;
        }
}
