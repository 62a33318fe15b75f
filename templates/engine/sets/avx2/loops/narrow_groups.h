/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: the same in lanes of 16 bits. Written for int8_t. */
#pragma once
#include "groups.h"

/* The bytes, shuffled into the upper halves of lanes, are shifted down. */
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_member_i8(const int8_t *p, int size, int which)
{
    const i16y16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}, at = lane * (int16_t)size + (int16_t)which;
    const i16y16 second = (i16y16)(at > 15) & 128, from = at | second, behind = (at - (int16_t)(8 * size - 16)) | (128 - second);
    const uint8_t *bytes = (const uint8_t *)(const void *)p;
    if (size == 2) {
        const __m256i pairs = _mm256_loadu_si256((const __m256i *)(const void *)p), up = which ? pairs : _mm256_slli_epi16(pairs, 8);
        return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(up, 8)
               : which        ? (i16y16)_mm256_srli_epi16(pairs, 8)
                              : (i16y16)_mm256_and_si256(pairs, _mm256_set1_epi16(255));
    }
    if (size == 6) {
        const i16y16 in = (lane * 6 + (int16_t)which) & 15;
        const __m256i y = u8y32_sixths(bytes, which);
        return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(_mm256_shuffle_epi8(y, (__m256i)(in << 8 | 128)), 8)
                              : (i16y16)_mm256_shuffle_epi8(y, (__m256i)(in | (int16_t)0x8000));
    }
    if (size == 8) { /* four of each half's groups in the lower lanes, and four in the upper ones */
        const i16y16 in = (lane & 3) * 4 + (int16_t)(which & 3), low = in | ((i16y16)(lane > 3) & 128),
                     high = in | ((i16y16)(lane < 4) & 128);
        const __m256i y = _mm256_or_si256(_mm256_shuffle_epi8(u8y32_fours(bytes, 64, which > 3, 0), (__m256i)(low << 8 | 128)),
                                          _mm256_shuffle_epi8(u8y32_fours(bytes, 64, which > 3, 1), (__m256i)(high << 8 | 128)));
        return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(y, 8) : (i16y16)_mm256_srli_epi16(y, 8);
    }
    __m256i x = _mm256_shuffle_epi8(u8y32_load_apart(bytes, 8 * size), (__m256i)(from << 8 | 128));
    x = _mm256_or_si256(x, _mm256_shuffle_epi8(u8y32_load_apart(bytes + 8 * size - 16, 8 * size), (__m256i)(behind << 8 | 128)));
    return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(x, 8) : (i16y16)_mm256_srli_epi16(x, 8);
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_member_part_i8(const int8_t *p, int size, int which, int64_t n)
{
    uint8_t group[8 * 16];
    u8y32_fetch(group, 16 * size, (const uint8_t *)(const void *)p, (n < 16 ? n : 16) * size);
    return i16y16_load_member_i8((const int8_t *)(const void *)group, size, which);
}
/* In each lane the lower bytes of both. */
MIK_INLINE MIK_AVX2L __m256i i16y16_lower2(i16y16 x, i16y16 y)
{
    return _mm256_blendv_epi8((__m256i)x, _mm256_slli_epi16((__m256i)y, 8), _mm256_set1_epi16((short)0xff00));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups2_i8(int8_t *p, i16y16 x, i16y16 y)
{
    _mm256_storeu_si256((__m256i *)(void *)p, i16y16_lower2(x, y));
}
/* Twelve bytes at a time, and 4 that the next ones overwrite. */
MIK_INLINE MIK_AVX2L void i16y16_store_groups3_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z)
{
    const __m256i bytes = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14,
                                           -1, -1, -1, -1);
    const __m256i xy = i16y16_lower2(x, y), low = _mm256_shuffle_epi8(_mm256_unpacklo_epi16(xy, (__m256i)z), bytes),
                  high = _mm256_shuffle_epi8(_mm256_unpackhi_epi16(xy, (__m256i)z), bytes);
    const __m128i last = _mm256_extracti128_si256(high, 1);
    const int end = _mm_extract_epi32(last, 2);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(low));
    _mm_storeu_si128((__m128i *)(void *)(p + 12), _mm256_castsi256_si128(high));
    _mm_storeu_si128((__m128i *)(void *)(p + 24), _mm256_extracti128_si256(low, 1));
    _mm_storel_epi64((__m128i *)(void *)(p + 36), last);
    memcpy(p + 44, &end, sizeof end);
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups4_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z, i16y16 w)
{
    const __m256i xy = i16y16_lower2(x, y), zw = i16y16_lower2(z, w);
    const __m256i low = _mm256_unpacklo_epi16(xy, zw), high = _mm256_unpackhi_epi16(xy, zw);
    u8y32_store_lower((uint8_t *)(void *)p, low, high);
    u8y32_store_upper((uint8_t *)(void *)(p + 32), low, high);
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups6_i8(int8_t *p, i16y16 x0, i16y16 x1, i16y16 x2, i16y16 x3, i16y16 x4, i16y16 x5)
{
    uint8_t *bytes = (uint8_t *)(void *)p;
    u8y32_store_half6(bytes, bytes + 48, i16y16_lower2(x0, x1), i16y16_lower2(x2, x3), i16y16_lower2(x4, x5));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups8_i8(int8_t *p, i16y16 x0, i16y16 x1, i16y16 x2, i16y16 x3, i16y16 x4, i16y16 x5, i16y16 x6,
                                                  i16y16 x7)
{
    const __m256i a = i16y16_lower2(x0, x1), b = i16y16_lower2(x2, x3), c = i16y16_lower2(x4, x5), d = i16y16_lower2(x6, x7);
    const __m256i ab = _mm256_unpacklo_epi16(a, b), ab_high = _mm256_unpackhi_epi16(a, b), cd = _mm256_unpacklo_epi16(c, d),
                  cd_high = _mm256_unpackhi_epi16(c, d);
    const __m256i first = _mm256_unpacklo_epi32(ab, cd), second = _mm256_unpackhi_epi32(ab, cd),
                  third = _mm256_unpacklo_epi32(ab_high, cd_high), fourth = _mm256_unpackhi_epi32(ab_high, cd_high);
    u8y32_store_lower((uint8_t *)(void *)p, first, second);
    u8y32_store_lower((uint8_t *)(void *)(p + 32), third, fourth);
    u8y32_store_upper((uint8_t *)(void *)(p + 64), first, second);
    u8y32_store_upper((uint8_t *)(void *)(p + 96), third, fourth);
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups2_part_i8(int8_t *p, i16y16 x, i16y16 y, int64_t n)
{
    uint8_t group[2 * 16];
    i16y16_store_groups2_i8((int8_t *)(void *)group, x, y);
    u8y32_put((uint8_t *)(void *)p, group, 2 * (n < 16 ? n : 16));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups3_part_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z, int64_t n)
{
    uint8_t group[4 * 16];
    i16y16_store_groups3_i8((int8_t *)(void *)group, x, y, z);
    u8y32_put((uint8_t *)(void *)p, group, 3 * (n < 16 ? n : 16));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups4_part_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z, i16y16 w, int64_t n)
{
    uint8_t group[4 * 16];
    i16y16_store_groups4_i8((int8_t *)(void *)group, x, y, z, w);
    u8y32_put((uint8_t *)(void *)p, group, 4 * (n < 16 ? n : 16));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups6_part_i8(int8_t *p, i16y16 x0, i16y16 x1, i16y16 x2, i16y16 x3, i16y16 x4, i16y16 x5,
                                                       int64_t n)
{
    uint8_t group[6 * 16];
    i16y16_store_groups6_i8((int8_t *)(void *)group, x0, x1, x2, x3, x4, x5);
    u8y32_put((uint8_t *)(void *)p, group, 6 * (n < 16 ? n : 16));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups8_part_i8(int8_t *p, i16y16 x0, i16y16 x1, i16y16 x2, i16y16 x3, i16y16 x4, i16y16 x5,
                                                       i16y16 x6, i16y16 x7, int64_t n)
{
    uint8_t group[8 * 16];
    i16y16_store_groups8_i8((int8_t *)(void *)group, x0, x1, x2, x3, x4, x5, x6, x7);
    u8y32_put((uint8_t *)(void *)p, group, 8 * (n < 16 ? n : 16));
}
