/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Codes to floats on AVX2. */
#pragma once
#include "f32.h"

typedef __m256i f32y_words;
typedef __m256i f32y_book;
MIK_INLINE MIK_AVX2 __m256 f32y_spread(const float *p) { return _mm256_broadcast_ss(p); }
MIK_INLINE MIK_AVX2 __m256i f32y_book_of(int least) { return _mm256_set1_epi32(least); }
MIK_INLINE MIK_AVX2 __m256i f32y_words_at(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
/* Bits 4 j to 4 j + 3 of each word. */
MIK_INLINE MIK_AVX2 __m256 f32y_nibble(__m256i words, const int j, __m256i book)
{
    const __m256i bits = _mm256_and_si256(j ? _mm256_srli_epi32(words, 4 * j) : words, _mm256_set1_epi32(15));
    return _mm256_cvtepi32_ps(_mm256_add_epi32(bits, book));
}
MIK_INLINE MIK_AVX2 __m256i f32y_bytes_at(const void *p, int least)
{
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)p);
    return least ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
}
MIK_INLINE MIK_AVX2 __m256 f32y_byte(const void *p, int least) { return _mm256_cvtepi32_ps(f32y_bytes_at(p, least)); }
/* Without F16C: moving the exponent by a multiplication also normalizes subnormals. */
MIK_INLINE MIK_AVX2 __m256 f32y_halves(const void *p)
{
    const __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), most = _mm256_set1_epi32(0x7c00);
    const __m256i rest = _mm256_slli_epi32(_mm256_and_si256(bits, _mm256_set1_epi32(0x7fff)), 13);
    const __m256 scaled = _mm256_mul_ps(_mm256_castsi256_ps(rest), _mm256_set1_ps(0x1p112f));
    const __m256i special = _mm256_cmpeq_epi32(_mm256_and_si256(bits, most), most);
    const __m256 whole = _mm256_castsi256_ps(_mm256_or_si256(rest, _mm256_set1_epi32(0x7f800000)));
    const __m256 size = _mm256_blendv_ps(scaled, whole, _mm256_castsi256_ps(special));
    return _mm256_or_ps(size, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_and_si256(bits, _mm256_set1_epi32(0x8000)), 16)));
}
MIK_INLINE MIK_AVX2 __m256 f32y_bf16(const void *p)
{
    const __m128i bits = _mm_loadu_si128((const __m128i *)p);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}
/* Plus `more` where the columns' bits are set. */
MIK_INLINE MIK_AVX2 __m256 f32y_with_bit(__m256 x, const unsigned char *bits, int v, float more)
{
    const __m256i one = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits[v]), one), one);
    return _mm256_add_ps(x, _mm256_and_ps(_mm256_castsi256_ps(set), _mm256_set1_ps(more)));
}
MIK_INLINE MIK_AVX2 __m256 f32y_sub(__m256 x, __m256 y) { return _mm256_sub_ps(x, y); }
MIK_INLINE MIK_AVX2 __m256 f32y_mul(__m256 x, __m256 y) { return _mm256_mul_ps(x, y); }

/* Codes less zero points that are integers: what a book has is another one in each column, which takes as long. */
typedef __m256i f32y_less;
MIK_INLINE MIK_AVX2 __m256i f32y_less_of(__m256 zero, int least, const int bits)
{
    return _mm256_sub_epi32(_mm256_set1_epi32(bits < 8 ? least : 0), _mm256_cvtps_epi32(zero));
}
MIK_INLINE MIK_AVX2 __m256 f32y_nibble_less(__m256i words, const int j, __m256i less) { return f32y_nibble(words, j, less); }
MIK_INLINE MIK_AVX2 __m256 f32y_byte_less(const void *p, int least, __m256i less)
{
    return _mm256_cvtepi32_ps(_mm256_add_epi32(f32y_bytes_at(p, least), less));
}
