/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of two to four, of six or of eight bytes, of which each lane of 32 bits has one. Written for int8_t. */
#pragma once
#include "words.h"

/* Of groups of six: the first two of each half's four are looked up in its first 16 bytes, the others in its last 16. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_sixth_i8(const int8_t *p, int which)
{
    const uint8_t *bytes = (const uint8_t *)(const void *)p;
    const i32y8 lane = {0, 1, 2, 3, 0, 1, 2, 3}, at = lane * 6 + which, none = (i32y8)(lane > 1) & 128;
    const __m256i x = _mm256_shuffle_epi8(i32y8_load_halves(bytes, 24), (__m256i)((at | none) << 24 | 0x808080)),
                  y = _mm256_shuffle_epi8(i32y8_load_halves(bytes + 8, 24), (__m256i)(((at - 8) | (none ^ 128)) << 24 | 0x808080));
    const __m256i up = _mm256_or_si256(x, y);
    return (i32y8)((int8_t)-1 < 0 ? _mm256_srai_epi32(up, 24) : _mm256_srli_epi32(up, 24));
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_member_i8(const int8_t *p, int size, int which)
{
    if (size == 6)
        return i32y8_load_sixth_i8(p, which);
    const uint8_t *bytes = (const uint8_t *)(const void *)p;
    const __m256i x = size == 8 ? i32y8_load_fours(bytes, which > 3) : i32y8_load_groups(bytes, size);
    const i32y8 at = size == 8 ? i32y8_member_at(4, which & 3) : i32y8_member_at(size, which);
    if ((int8_t)-1 < 0)
        return (i32y8)_mm256_srai_epi32(_mm256_shuffle_epi8(x, (__m256i)(at << 24 | 0x808080)), 24);
    return (i32y8)_mm256_shuffle_epi8(x, (__m256i)(at | INT32_MIN | 0x808000));
}
/* In each lane the lowest bytes of these. */
MIK_INLINE MIK_AVX2L __m256i i32y8_lowest2(i32y8 x, i32y8 y)
{
    return _mm256_blendv_epi8((__m256i)x, _mm256_slli_epi32((__m256i)y, 8), _mm256_set1_epi16((short)0xff00));
}
MIK_INLINE MIK_AVX2L __m256i i32y8_lowest4(i32y8 x, i32y8 y, i32y8 z, i32y8 w)
{
    return _mm256_blend_epi16(i32y8_lowest2(x, y), _mm256_slli_epi32(i32y8_lowest2(z, w), 16), 0xaa);
}
MIK_INLINE MIK_AVX2L void i32y8_store_groups2_i8(int8_t *p, i32y8 x, i32y8 y)
{
    _mm_storeu_si128((__m128i *)(void *)p, i32y8_shorts((i32y8)i32y8_lowest2(x, y)));
}
MIK_INLINE MIK_AVX2L void i32y8_store_groups3_i8(int8_t *p, i32y8 x, i32y8 y, i32y8 z)
{
    const __m256i bytes = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14,
                                           -1, -1, -1, -1);
    const __m256i halves = _mm256_shuffle_epi8(i32y8_lowest4(x, y, z, z), bytes);
    const __m256i all = _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(all));
    _mm_storel_epi64((__m128i *)(void *)(p + 16), _mm256_extracti128_si256(all, 1));
}
MIK_INLINE MIK_AVX2L void i32y8_store_groups4_i8(int8_t *p, i32y8 x, i32y8 y, i32y8 z, i32y8 w)
{
    _mm256_storeu_si256((__m256i *)(void *)p, i32y8_lowest4(x, y, z, w));
}
/* Twelve bytes at a time, and 4 that the next ones overwrite. */
MIK_INLINE MIK_AVX2L void i32y8_store_groups6_i8(int8_t *p, i32y8 x0, i32y8 x1, i32y8 x2, i32y8 x3, i32y8 x4, i32y8 x5)
{
    const __m256i twelve = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13,
                                            -1, -1, -1, -1);
    const __m256i four = i32y8_lowest4(x0, x1, x2, x3), two = i32y8_lowest2(x4, x5);
    const __m256i first = _mm256_shuffle_epi8(_mm256_unpacklo_epi32(four, two), twelve),
                  second = _mm256_shuffle_epi8(_mm256_unpackhi_epi32(four, two), twelve);
    const __m128i last = _mm256_extracti128_si256(second, 1);
    const int end = _mm_extract_epi32(last, 2);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(first));
    _mm_storeu_si128((__m128i *)(void *)(p + 12), _mm256_castsi256_si128(second));
    _mm_storeu_si128((__m128i *)(void *)(p + 24), _mm256_extracti128_si256(first, 1));
    _mm_storel_epi64((__m128i *)(void *)(p + 36), last);
    memcpy(p + 44, &end, sizeof end);
}
MIK_INLINE MIK_AVX2L void i32y8_store_groups8_i8(int8_t *p, i32y8 x0, i32y8 x1, i32y8 x2, i32y8 x3, i32y8 x4, i32y8 x5, i32y8 x6, i32y8 x7)
{
    const __m256i low = i32y8_lowest4(x0, x1, x2, x3), high = i32y8_lowest4(x4, x5, x6, x7);
    const __m256i first = _mm256_unpacklo_epi32(low, high), second = _mm256_unpackhi_epi32(low, high);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(p + 32), _mm256_permute2x128_si256(first, second, 0x31));
}
