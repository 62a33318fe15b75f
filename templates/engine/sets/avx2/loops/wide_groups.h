/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of two to four or of eight bytes, of which each lane of 32 bits has one. Written for int8_t. */
#pragma once
#include "words.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_load_member_i8(const int8_t *p, int size, int which)
{
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
MIK_INLINE MIK_AVX2L void i32y8_store_groups8_i8(int8_t *p, i32y8 x0, i32y8 x1, i32y8 x2, i32y8 x3, i32y8 x4, i32y8 x5, i32y8 x6, i32y8 x7)
{
    const __m256i low = i32y8_lowest4(x0, x1, x2, x3), high = i32y8_lowest4(x4, x5, x6, x7);
    const __m256i first = _mm256_unpacklo_epi32(low, high), second = _mm256_unpackhi_epi32(low, high);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(p + 32), _mm256_permute2x128_si256(first, second, 0x31));
}
