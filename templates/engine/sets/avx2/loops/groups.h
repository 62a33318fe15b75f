/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of two to four bytes, of which each lane has one, shuffled out of memory and back. Written for uint8_t. */
#pragma once
#include "narrow_bytes.h"

typedef int8_t i8y32 __attribute__((vector_size(32)));

/* 16 bytes, and others so many bytes further on. */
MIK_INLINE MIK_AVX2L __m256i u8y32_load_apart(const uint8_t *p, int bytes)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p),
                  high = _mm_loadu_si128((const __m128i *)(const void *)(p + bytes));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
/* Of groups of `size` bytes number `which`, as far as it is in 16 bytes number `i` of each half. */
MIK_INLINE MIK_AVX2L __m256i u8y32_some_members(const uint8_t *p, int size, int which, int i)
{
    const i8y32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const i8y32 at = lane * (int8_t)size + (int8_t)(which - 16 * i), outside = (i8y32)((at < 0) | (at > 15)) & (int8_t)-128;
    return _mm256_shuffle_epi8(u8y32_load_apart(p + 16 * i, 16 * size), (__m256i)(at | outside));
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_load_member(const uint8_t *p, int size, int which)
{
    if (size == 2) {
        const __m256i p0 = _mm256_loadu_si256((const __m256i *)(const void *)p),
                      p1 = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        const __m256i byte = _mm256_set1_epi16(255);
        const __m256i x0 = which ? _mm256_srli_epi16(p0, 8) : _mm256_and_si256(p0, byte);
        const __m256i x1 = which ? _mm256_srli_epi16(p1, 8) : _mm256_and_si256(p1, byte);
        return (u8y32)_mm256_permute4x64_epi64(_mm256_packus_epi16(x0, x1), 0xd8);
    }
    __m256i x = _mm256_or_si256(u8y32_some_members(p, size, which, 0), u8y32_some_members(p, size, which, 1));
    x = _mm256_or_si256(x, u8y32_some_members(p, size, which, 2));
    if (size > 3)
        x = _mm256_or_si256(x, u8y32_some_members(p, size, which, 3));
    return (u8y32)x;
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_load_member_part(const uint8_t *p, int size, int which, int64_t n)
{
    uint8_t group[4 * 32] = {0};
    memcpy(group, p, (size_t)((n < 32 ? n : 32) * size));
    return u8y32_load_member(group, size, which);
}

/* 16 groups. */
MIK_INLINE MIK_AVX2L void u8y32_zip2(uint8_t *p, __m128i x, __m128i y)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm_unpacklo_epi8(x, y));
    _mm_storeu_si128((__m128i *)(void *)(p + 16), _mm_unpackhi_epi8(x, y));
}
MIK_INLINE MIK_AVX2L void u8y32_zip3(uint8_t *p, __m128i x, __m128i y, __m128i z)
{
    _mm_storeu_si128(
        (__m128i *)(void *)(p + 0),
        _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(x, _mm_setr_epi8(0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5)),
                                  _mm_shuffle_epi8(y, _mm_setr_epi8(-1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1))),
                     _mm_shuffle_epi8(z, _mm_setr_epi8(-1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1))));
    _mm_storeu_si128(
        (__m128i *)(void *)(p + 16),
        _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(x, _mm_setr_epi8(-1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1)),
                                  _mm_shuffle_epi8(y, _mm_setr_epi8(5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10))),
                     _mm_shuffle_epi8(z, _mm_setr_epi8(-1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1))));
    _mm_storeu_si128(
        (__m128i *)(void *)(p + 32),
        _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(x, _mm_setr_epi8(-1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1, -1)),
                                  _mm_shuffle_epi8(y, _mm_setr_epi8(-1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1))),
                     _mm_shuffle_epi8(z, _mm_setr_epi8(10, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15))));
}
MIK_INLINE MIK_AVX2L void u8y32_zip4(uint8_t *p, __m128i x, __m128i y, __m128i z, __m128i w)
{
    const __m128i xy = _mm_unpacklo_epi8(x, y), zw = _mm_unpacklo_epi8(z, w), xy_high = _mm_unpackhi_epi8(x, y),
                  zw_high = _mm_unpackhi_epi8(z, w);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_unpacklo_epi16(xy, zw));
    _mm_storeu_si128((__m128i *)(void *)(p + 16), _mm_unpackhi_epi16(xy, zw));
    _mm_storeu_si128((__m128i *)(void *)(p + 32), _mm_unpacklo_epi16(xy_high, zw_high));
    _mm_storeu_si128((__m128i *)(void *)(p + 48), _mm_unpackhi_epi16(xy_high, zw_high));
}

MIK_INLINE MIK_AVX2L __m128i u8y32_low(u8y32 x) { return _mm256_castsi256_si128((__m256i)x); }
MIK_INLINE MIK_AVX2L __m128i u8y32_high(u8y32 x) { return _mm256_extracti128_si256((__m256i)x, 1); }
MIK_INLINE MIK_AVX2L void u8y32_store_groups2(uint8_t *p, u8y32 x, u8y32 y)
{
    u8y32_zip2(p, u8y32_low(x), u8y32_low(y));
    u8y32_zip2(p + 32, u8y32_high(x), u8y32_high(y));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups3(uint8_t *p, u8y32 x, u8y32 y, u8y32 z)
{
    u8y32_zip3(p, u8y32_low(x), u8y32_low(y), u8y32_low(z));
    u8y32_zip3(p + 48, u8y32_high(x), u8y32_high(y), u8y32_high(z));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups4(uint8_t *p, u8y32 x, u8y32 y, u8y32 z, u8y32 w)
{
    u8y32_zip4(p, u8y32_low(x), u8y32_low(y), u8y32_low(z), u8y32_low(w));
    u8y32_zip4(p + 64, u8y32_high(x), u8y32_high(y), u8y32_high(z), u8y32_high(w));
}
