/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: groups of two to four, of six or of eight bytes, of which each lane of 32 bits has one. Written for int8_t. */
#pragma once
#include "words.h"

/* Of groups of six, of which each quarter has four: the first two are looked up in its first 16 bytes, the others in its last 16. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_sixth_i8(const int8_t *p, int which)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, from = lane + (lane >> 2) * 2;
    const i32z16 at = (lane & 3) * 6 + which, none = (i32z16)((lane & 3) > 1) & 128;
    const __m512i low = _mm512_loadu_si512(p), high = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(p + 64)));
    const __m512i x = _mm512_permutex2var_epi32(low, (__m512i)from, high), y = _mm512_permutex2var_epi32(low, (__m512i)(from + 2), high);
    const __m512i up = _mm512_or_si512(_mm512_shuffle_epi8(x, (__m512i)((at | none) << 24 | 0x808080)),
                                       _mm512_shuffle_epi8(y, (__m512i)(((at - 8) | (none ^ 128)) << 24 | 0x808080)));
    return (i32z16)((int8_t)-1 < 0 ? _mm512_srai_epi32(up, 24) : _mm512_srli_epi32(up, 24));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_member_i8(const int8_t *p, int size, int which)
{
    if (size == 6)
        return i32z16_load_sixth_i8(p, which);
    const uint8_t *bytes = (const uint8_t *)(const void *)p;
    const __m512i x = size == 8 ? i32z16_load_fours(bytes, which > 3) : i32z16_load_groups(bytes, size);
    const i32z16 at = size == 8 ? i32z16_member_at(4, which & 3) : i32z16_member_at(size, which);
    if ((int8_t)-1 < 0)
        return (i32z16)_mm512_srai_epi32(_mm512_shuffle_epi8(x, (__m512i)(at << 24 | 0x808080)), 24);
    return (i32z16)_mm512_shuffle_epi8(x, (__m512i)(at | INT32_MIN | 0x808000));
}
/* In each lane the lowest bytes of these. */
MIK_INLINE MIK_AVX512L __m512i i32z16_lowest2(i32z16 x, i32z16 y)
{
    return _mm512_mask_blend_epi8(0xaaaaaaaaaaaaaaaa, (__m512i)x, _mm512_slli_epi32((__m512i)y, 8));
}
MIK_INLINE MIK_AVX512L __m512i i32z16_lowest4(i32z16 x, i32z16 y, i32z16 z, i32z16 w)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, i32z16_lowest2(x, y), _mm512_slli_epi32(i32z16_lowest2(z, w), 16));
}
MIK_INLINE MIK_AVX512L void i32z16_store_groups2_i8(int8_t *p, i32z16 x, i32z16 y)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16(i32z16_lowest2(x, y)));
}
MIK_INLINE MIK_AVX512L void i32z16_store_groups3_i8(int8_t *p, i32z16 x, i32z16 y, i32z16 z)
{
    const __m512i bytes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    const __m512i from = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    const __m512i all = _mm512_permutexvar_epi32(from, _mm512_shuffle_epi8(i32z16_lowest4(x, y, z, z), bytes));
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_castsi512_si256(all));
    _mm_storeu_si128((__m128i *)(void *)(p + 32), _mm512_extracti32x4_epi32(all, 2));
}
MIK_INLINE MIK_AVX512L void i32z16_store_groups4_i8(int8_t *p, i32z16 x, i32z16 y, i32z16 z, i32z16 w)
{
    _mm512_storeu_si512(p, i32z16_lowest4(x, y, z, w));
}
MIK_INLINE MIK_AVX512L void i32z16_store_groups6_i8(int8_t *p, i32z16 x0, i32z16 x1, i32z16 x2, i32z16 x3, i32z16 x4, i32z16 x5)
{
    const __m512i twelve = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1));
    const __m512i four = i32z16_lowest4(x0, x1, x2, x3), two = i32z16_lowest2(x4, x5);
    const __m512i first = _mm512_shuffle_epi8(_mm512_unpacklo_epi32(four, two), twelve),
                  second = _mm512_shuffle_epi8(_mm512_unpackhi_epi32(four, two), twelve);
    const __m512i low = _mm512_setr_epi32(0, 1, 2, 16, 17, 18, 4, 5, 6, 20, 21, 22, 8, 9, 10, 24),
                  high = _mm512_setr_epi32(25, 26, 12, 13, 14, 28, 29, 30, 0, 0, 0, 0, 0, 0, 0, 0);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi32(first, low, second));
    _mm256_storeu_si256((__m256i *)(void *)(p + 64), _mm512_castsi512_si256(_mm512_permutex2var_epi32(first, high, second)));
}
MIK_INLINE MIK_AVX512L void i32z16_store_groups8_i8(int8_t *p, i32z16 x0, i32z16 x1, i32z16 x2, i32z16 x3, i32z16 x4, i32z16 x5, i32z16 x6,
                                                    i32z16 x7)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, from = lane / 2 + (lane & 1) * 16;
    const __m512i low = i32z16_lowest4(x0, x1, x2, x3), high = i32z16_lowest4(x4, x5, x6, x7);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi32(low, (__m512i)from, high));
    _mm512_storeu_si512(p + 64, _mm512_permutex2var_epi32(low, (__m512i)(from + 8), high));
}
