/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats on AVX-512: a permutation looks each of four bits up in a table. */
#pragma once
#include "vec_avx512_f32.h"

typedef __m512i f32z_words;
typedef __m512 f32z_book;
MIK_INLINE MIK_AVX512 __m512 f32z_spread(const float *p) { return _mm512_set1_ps(*p); }
MIK_INLINE MIK_AVX512 __m512 f32z_book_of(int least)
{
    const __m512i above = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_cvtepi32_ps(_mm512_add_epi32(above, _mm512_set1_epi32(least)));
}
MIK_INLINE MIK_AVX512 __m512i f32z_words_at(const void *p) { return _mm512_loadu_si512(p); }
/* Bits 4 j to 4 j + 3 of each word. */
MIK_INLINE MIK_AVX512 __m512 f32z_nibble(__m512i words, const int j, __m512 book)
{
    return _mm512_permutexvar_ps(j ? _mm512_srli_epi32(words, 4 * (unsigned)j) : words, book);
}
MIK_INLINE MIK_AVX512 __m512 f32z_byte(const void *p, int least)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return _mm512_cvtepi32_ps(least ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes));
}
MIK_INLINE MIK_AVX512 __m512 f32z_halves(const void *p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
MIK_INLINE MIK_AVX512 __m512 f32z_bf16(const void *p)
{
    const __m256i bits = _mm256_loadu_si256((const __m256i *)p);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
/* Plus `more` where the columns' bits are set. */
MIK_INLINE MIK_AVX512 __m512 f32z_with_bit(__m512 x, const unsigned char *bits, int v, float more)
{
    (void)v;
    return _mm512_mask_add_ps(x, (__mmask16)(bits[0] | bits[1] << 8), x, _mm512_set1_ps(more));
}
/* Eight sums, of eight numbers each time. */
typedef __m256 f32z_eight;
MIK_INLINE MIK_AVX512 __m256 f32z_eight_zero(void) { return _mm256_setzero_ps(); }
MIK_INLINE MIK_AVX512 __m256 f32z_eight_add(__m256 x, const float *p) { return _mm256_add_ps(x, _mm256_loadu_ps(p)); }
MIK_INLINE MIK_AVX512 float f32z_eight_sum(__m256 x)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}
