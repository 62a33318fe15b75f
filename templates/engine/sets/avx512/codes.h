/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats on AVX-512: a permutation looks each of four bits up in a table. */
#pragma once
#include "f32.h"

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
MIK_INLINE MIK_AVX512 __m512i f32z_bytes_at(const void *p, int least)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return least ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);
}
MIK_INLINE MIK_AVX512 __m512 f32z_byte(const void *p, int least) { return _mm512_cvtepi32_ps(f32z_bytes_at(p, least)); }
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
MIK_INLINE MIK_AVX512 __m512 f32z_sub(__m512 x, __m512 y) { return _mm512_sub_ps(x, y); }
MIK_INLINE MIK_AVX512 __m512 f32z_mul(__m512 x, __m512 y) { return _mm512_mul_ps(x, y); }

/* Codes less zero points that are integers. Four bits where they are in a word become the last ones of a number's fraction, under the
   exponent that makes them units; of that number the same without them, plus the zero point, is subtracted. That is exact, and as many
   operations as looking four bits up. */
typedef struct {
    __m512i bytes;
    __m512 at[4]; /* of four bits, by j % 4 */
} f32z_less;
MIK_INLINE MIK_AVX512 f32z_less f32z_less_of(__m512 zero, int least, const int bits)
{
    f32z_less less;
    less.bytes = _mm512_cvtps_epi32(zero);
    const __m512 above = _mm512_sub_ps(zero, _mm512_set1_ps((float)(bits < 8 ? least : 0)));
    less.at[0] = _mm512_add_ps(above, _mm512_set1_ps(0x1p23f));
    less.at[1] = _mm512_add_ps(above, _mm512_set1_ps(0x1p19f));
    less.at[2] = _mm512_add_ps(above, _mm512_set1_ps(0x1p15f));
    less.at[3] = _mm512_add_ps(above, _mm512_set1_ps(0x1p11f));
    return less;
}
MIK_INLINE MIK_AVX512 __m512 f32z_nibble_less(__m512i words, const int j, f32z_less less)
{
    const __m512i where = _mm512_set1_epi32(15 << j % 4 * 4), exponent = _mm512_set1_epi32((127 + 23 - j % 4 * 4) << 23);
    const __m512i number = _mm512_ternarylogic_epi32(j < 4 ? words : _mm512_srli_epi32(words, 16), where, exponent, 0xea);
    return _mm512_sub_ps(_mm512_castsi512_ps(number), less.at[j % 4]);
}
MIK_INLINE MIK_AVX512 __m512 f32z_byte_less(const void *p, int least, f32z_less less)
{
    return _mm512_cvtepi32_ps(_mm512_sub_epi32(f32z_bytes_at(p, least), less.bytes));
}
