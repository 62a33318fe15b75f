/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of two to four, of six or of eight bytes, of which each lane has one, shuffled out of memory and back. Written for uint8_t. */
#pragma once
#include "narrow_bytes.h"

typedef int8_t i8y32 __attribute__((vector_size(32)));

/* To `room` bytes so many, and behind them 0. */
MIK_INLINE MIK_AVX2L void u8y32_fetch(uint8_t *to, int64_t room, const uint8_t *from, int64_t bytes)
{
    for (int64_t at = 0; at < room; at += 32)
        _mm256_storeu_si256((__m256i *)(void *)(to + at), (__m256i)(at < bytes ? u8y32_load_part(from + at, bytes - at) : (u8y32){0}));
}
/* So many bytes of whole vectors. */
MIK_INLINE MIK_AVX2L void u8y32_put(uint8_t *to, const uint8_t *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 32)
        u8y32_store_part(to + at, u8y32_load(from + at), bytes - at);
}
/* 16 bytes, and others so many bytes further on. */
MIK_INLINE MIK_AVX2L __m256i u8y32_load_apart(const uint8_t *p, int bytes)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p),
                  high = _mm_loadu_si128((const __m128i *)(const void *)(p + bytes));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
/* Bytes of 32 at p whose halves follow one another there: 48 bytes apart, by way of three vectors. `i`: which 16 of 48. */
MIK_INLINE MIK_AVX2L __m256i u8y32_load_third(const uint8_t *p, int i)
{
    const __m256i *at = (const __m256i *)(const void *)p;
    const __m256i x = _mm256_loadu_si256(at), y = _mm256_loadu_si256(at + 1), z = _mm256_loadu_si256(at + 2);
    return i == 0 ? _mm256_blend_epi32(x, y, 0xf0) : i == 1 ? _mm256_permute2x128_si256(x, z, 0x21) : _mm256_blend_epi32(y, z, 0xf0);
}
/* Of x, y and z the bytes number i whose (i + first) modulo 3 is 0, 1 and 2, in each half. */
MIK_INLINE MIK_AVX2L __m256i u8y32_thirds(__m256i x, __m256i y, __m256i z, int first)
{
    const i8y32 at = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    const __m256i xy = _mm256_blendv_epi8(x, y, (__m256i)(at == (int8_t)((4 - first) % 3)));
    return _mm256_blendv_epi8(xy, z, (__m256i)(at == (int8_t)((5 - first) % 3)));
}
/* Of groups of six, 48 bytes of them in each half, those 16 with bytes number `which` of the groups, and of their neighbours. */
MIK_INLINE MIK_AVX2L __m256i u8y32_sixths(const uint8_t *p, int which)
{
    const i8y32 at = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1};
    const __m256i x = u8y32_load_third(p, 0), y = u8y32_load_third(p, 1), z = u8y32_load_third(p, 2);
    const __m256i xy = _mm256_blendv_epi8(x, y, (__m256i)(at == (int8_t)((which / 2 + 1) % 3)));
    return _mm256_blendv_epi8(xy, z, (__m256i)(at == (int8_t)((which / 2 + 2) % 3)));
}
/* Of four groups of four in each half byte number `which`, in the 4 bytes number i. */
MIK_INLINE MIK_AVX2L __m256i u8y32_fourth(const uint8_t *p, int which, int i)
{
    const i8y32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const i8y32 outside = (i8y32)(lane >> 2 != (int8_t)i) & (int8_t)-128;
    return _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i)),
                               (__m256i)(((lane & 3) * 4 + (int8_t)which) | outside));
}
/* Of four groups of eight in each half, number 4 * i and following ones: their lower or their upper four bytes. In the upper half are groups
 * that begin so many bytes further on. */
MIK_INLINE MIK_AVX2L __m256i u8y32_fours(const uint8_t *p, int bytes, int upper, int i)
{
    const __m256 x = _mm256_castsi256_ps(u8y32_load_apart(p + 32 * i, bytes)),
                 y = _mm256_castsi256_ps(u8y32_load_apart(p + 32 * i + 16, bytes));
    return _mm256_castps_si256(upper ? _mm256_shuffle_ps(x, y, 0xdd) : _mm256_shuffle_ps(x, y, 0x88));
}
/* Bytes of such groups, 16 in each half, of which the first one is that of the lowest group: shared by those that load others. */
MIK_INLINE MIK_AVX2L __m256i u8y32_eighth(const uint8_t *p, int which)
{
    const __m256i turn = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3,
                                          7, 11, 15);
    const __m256i x = _mm256_shuffle_epi8(u8y32_fours(p, 128, which > 3, 0), turn),
                  y = _mm256_shuffle_epi8(u8y32_fours(p, 128, which > 3, 1), turn),
                  z = _mm256_shuffle_epi8(u8y32_fours(p, 128, which > 3, 2), turn),
                  w = _mm256_shuffle_epi8(u8y32_fours(p, 128, which > 3, 3), turn);
    const __m256i xy = which & 2 ? _mm256_unpackhi_epi32(x, y) : _mm256_unpacklo_epi32(x, y),
                  zw = which & 2 ? _mm256_unpackhi_epi32(z, w) : _mm256_unpacklo_epi32(z, w);
    return which & 1 ? _mm256_unpackhi_epi64(xy, zw) : _mm256_unpacklo_epi64(xy, zw);
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_load_member(const uint8_t *p, int size, int which)
{
    if (size == 8)
        return (u8y32)u8y32_eighth(p, which);
    const i8y32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (size == 2) {
        const __m256i p0 = _mm256_loadu_si256((const __m256i *)(const void *)p),
                      p1 = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        const __m256i byte = _mm256_set1_epi16(255);
        const __m256i x0 = which ? _mm256_srli_epi16(p0, 8) : _mm256_and_si256(p0, byte);
        const __m256i x1 = which ? _mm256_srli_epi16(p1, 8) : _mm256_and_si256(p1, byte);
        return (u8y32)_mm256_permute4x64_epi64(_mm256_packus_epi16(x0, x1), 0xd8);
    }
    if (size == 3) { /* 16 of 48 bytes are the group's, no two of them in the same place of their 16 */
        const __m256i x = u8y32_thirds(u8y32_load_third(p, 0), u8y32_load_third(p, 2), u8y32_load_third(p, 1), 3 - which);
        return (u8y32)_mm256_shuffle_epi8(x, (__m256i)((lane * 3 + (int8_t)which) & 15));
    }
    if (size == 6) {
        const i8y32 at = (lane * 6 + (int8_t)which) & 15, upper = (i8y32)((lane & 8) != 0) & (int8_t)-128;
        const __m256i x0 = _mm256_shuffle_epi8(u8y32_sixths(p, which), (__m256i)(at | upper)),
                      x1 = _mm256_shuffle_epi8(u8y32_sixths(p + 96, which), (__m256i)(at | (upper ^ (int8_t)-128)));
        return (u8y32)_mm256_permute4x64_epi64(_mm256_or_si256(x0, x1), 0xd8);
    }
    const __m256i low = _mm256_or_si256(u8y32_fourth(p, which, 0), u8y32_fourth(p, which, 1));
    const __m256i x = _mm256_or_si256(low, _mm256_or_si256(u8y32_fourth(p, which, 2), u8y32_fourth(p, which, 3)));
    return (u8y32)_mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_load_member_part(const uint8_t *p, int size, int which, int64_t n)
{
    uint8_t group[8 * 32];
    u8y32_fetch(group, 32 * size, p, (n < 32 ? n : 32) * size);
    return u8y32_load_member(group, size, which);
}

/* The lower halves of both, then the upper ones. */
MIK_INLINE MIK_AVX2L void u8y32_store_lower(uint8_t *p, __m256i x, __m256i y)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permute2x128_si256(x, y, 0x20));
}
MIK_INLINE MIK_AVX2L void u8y32_store_upper(uint8_t *p, __m256i x, __m256i y)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permute2x128_si256(x, y, 0x31));
}
/* Of groups of three in each half bytes 16 * i to 16 * i + 15. */
MIK_INLINE MIK_AVX2L __m256i u8y32_zip3(u8y32 x, u8y32 y, u8y32 z, int i)
{
    const i8y32 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return u8y32_thirds(_mm256_shuffle_epi8((__m256i)x, (__m256i)(lane * -5 & 15)),
                        _mm256_shuffle_epi8((__m256i)y, (__m256i)((lane - 1) * -5 & 15)),
                        _mm256_shuffle_epi8((__m256i)z, (__m256i)((lane - 2) * -5 & 15)), i);
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups2(uint8_t *p, u8y32 x, u8y32 y)
{
    const __m256i low = _mm256_unpacklo_epi8((__m256i)x, (__m256i)y), high = _mm256_unpackhi_epi8((__m256i)x, (__m256i)y);
    u8y32_store_lower(p, low, high);
    u8y32_store_upper(p + 32, low, high);
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups3(uint8_t *p, u8y32 x, u8y32 y, u8y32 z)
{
    const __m256i first = u8y32_zip3(x, y, z, 0), second = u8y32_zip3(x, y, z, 1), third = u8y32_zip3(x, y, z, 2);
    u8y32_store_lower(p, first, second);
    _mm256_storeu_si256((__m256i *)(void *)(p + 32), _mm256_blend_epi32(third, first, 0xf0));
    u8y32_store_upper(p + 64, second, third);
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups4(uint8_t *p, u8y32 x, u8y32 y, u8y32 z, u8y32 w)
{
    const __m256i xy = _mm256_unpacklo_epi8((__m256i)x, (__m256i)y), zw = _mm256_unpacklo_epi8((__m256i)z, (__m256i)w),
                  xy_high = _mm256_unpackhi_epi8((__m256i)x, (__m256i)y), zw_high = _mm256_unpackhi_epi8((__m256i)z, (__m256i)w);
    const __m256i first = _mm256_unpacklo_epi16(xy, zw), second = _mm256_unpackhi_epi16(xy, zw),
                  third = _mm256_unpacklo_epi16(xy_high, zw_high), fourth = _mm256_unpackhi_epi16(xy_high, zw_high);
    u8y32_store_lower(p, first, second);
    u8y32_store_lower(p + 32, third, fourth);
    u8y32_store_upper(p + 64, first, second);
    u8y32_store_upper(p + 96, third, fourth);
}
/* Of groups of six the pairs of bytes: twelve bytes at a time, and 4 that the next ones overwrite; those of upper halves go to `upper`. */
MIK_INLINE MIK_AVX2L void u8y32_store_half6(uint8_t *lower, uint8_t *upper, __m256i x, __m256i y, __m256i z)
{
    const __m256i twelve = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13,
                                            -1, -1, -1, -1);
    const __m256i xy = _mm256_unpacklo_epi16(x, y), xy_high = _mm256_unpackhi_epi16(x, y), zz = _mm256_unpacklo_epi16(z, z),
                  zz_high = _mm256_unpackhi_epi16(z, z);
    const __m256i groups[4] = {_mm256_shuffle_epi8(_mm256_unpacklo_epi32(xy, zz), twelve),
                               _mm256_shuffle_epi8(_mm256_unpackhi_epi32(xy, zz), twelve),
                               _mm256_shuffle_epi8(_mm256_unpacklo_epi32(xy_high, zz_high), twelve),
                               _mm256_shuffle_epi8(_mm256_unpackhi_epi32(xy_high, zz_high), twelve)};
    for (int i = 0; i < 3; i++) {
        _mm_storeu_si128((__m128i *)(void *)(lower + 12 * i), _mm256_castsi256_si128(groups[i]));
        _mm_storeu_si128((__m128i *)(void *)(upper + 12 * i), _mm256_extracti128_si256(groups[i], 1));
    }
    const __m128i low = _mm256_castsi256_si128(groups[3]), high = _mm256_extracti128_si256(groups[3], 1);
    const int low_end = _mm_extract_epi32(low, 2), high_end = _mm_extract_epi32(high, 2);
    _mm_storel_epi64((__m128i *)(void *)(lower + 36), low);
    _mm_storel_epi64((__m128i *)(void *)(upper + 36), high);
    memcpy(lower + 44, &low_end, sizeof low_end);
    memcpy(upper + 44, &high_end, sizeof high_end);
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups6(uint8_t *p, u8y32 x0, u8y32 x1, u8y32 x2, u8y32 x3, u8y32 x4, u8y32 x5)
{
    u8y32_store_half6(p, p + 96, _mm256_unpacklo_epi8((__m256i)x0, (__m256i)x1), _mm256_unpacklo_epi8((__m256i)x2, (__m256i)x3),
                      _mm256_unpacklo_epi8((__m256i)x4, (__m256i)x5));
    u8y32_store_half6(p + 48, p + 144, _mm256_unpackhi_epi8((__m256i)x0, (__m256i)x1), _mm256_unpackhi_epi8((__m256i)x2, (__m256i)x3),
                      _mm256_unpackhi_epi8((__m256i)x4, (__m256i)x5));
}
/* Of groups of eight the pairs of bytes: the lower halves of halves, or the upper ones. */
MIK_INLINE MIK_AVX2L void u8y32_store_half8(uint8_t *p, __m256i x, __m256i y, __m256i z, __m256i w)
{
    const __m256i xy = _mm256_unpacklo_epi16(x, y), xy_high = _mm256_unpackhi_epi16(x, y), zw = _mm256_unpacklo_epi16(z, w),
                  zw_high = _mm256_unpackhi_epi16(z, w);
    const __m256i first = _mm256_unpacklo_epi32(xy, zw), second = _mm256_unpackhi_epi32(xy, zw),
                  third = _mm256_unpacklo_epi32(xy_high, zw_high), fourth = _mm256_unpackhi_epi32(xy_high, zw_high);
    u8y32_store_lower(p, first, second);
    u8y32_store_lower(p + 32, third, fourth);
    u8y32_store_upper(p + 128, first, second);
    u8y32_store_upper(p + 160, third, fourth);
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups8(uint8_t *p, u8y32 x0, u8y32 x1, u8y32 x2, u8y32 x3, u8y32 x4, u8y32 x5, u8y32 x6, u8y32 x7)
{
    u8y32_store_half8(p, _mm256_unpacklo_epi8((__m256i)x0, (__m256i)x1), _mm256_unpacklo_epi8((__m256i)x2, (__m256i)x3),
                      _mm256_unpacklo_epi8((__m256i)x4, (__m256i)x5), _mm256_unpacklo_epi8((__m256i)x6, (__m256i)x7));
    u8y32_store_half8(p + 64, _mm256_unpackhi_epi8((__m256i)x0, (__m256i)x1), _mm256_unpackhi_epi8((__m256i)x2, (__m256i)x3),
                      _mm256_unpackhi_epi8((__m256i)x4, (__m256i)x5), _mm256_unpackhi_epi8((__m256i)x6, (__m256i)x7));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups2_part(uint8_t *p, u8y32 x, u8y32 y, int64_t n)
{
    uint8_t group[2 * 32];
    u8y32_store_groups2(group, x, y);
    u8y32_put(p, group, 2 * (n < 32 ? n : 32));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups3_part(uint8_t *p, u8y32 x, u8y32 y, u8y32 z, int64_t n)
{
    uint8_t group[3 * 32];
    u8y32_store_groups3(group, x, y, z);
    u8y32_put(p, group, 3 * (n < 32 ? n : 32));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups4_part(uint8_t *p, u8y32 x, u8y32 y, u8y32 z, u8y32 w, int64_t n)
{
    uint8_t group[4 * 32];
    u8y32_store_groups4(group, x, y, z, w);
    u8y32_put(p, group, 4 * (n < 32 ? n : 32));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups6_part(uint8_t *p, u8y32 x0, u8y32 x1, u8y32 x2, u8y32 x3, u8y32 x4, u8y32 x5, int64_t n)
{
    uint8_t group[6 * 32];
    u8y32_store_groups6(group, x0, x1, x2, x3, x4, x5);
    u8y32_put(p, group, 6 * (n < 32 ? n : 32));
}
MIK_INLINE MIK_AVX2L void u8y32_store_groups8_part(uint8_t *p, u8y32 x0, u8y32 x1, u8y32 x2, u8y32 x3, u8y32 x4, u8y32 x5, u8y32 x6,
                                                   u8y32 x7, int64_t n)
{
    uint8_t group[8 * 32];
    u8y32_store_groups8(group, x0, x1, x2, x3, x4, x5, x6, x7);
    u8y32_put(p, group, 8 * (n < 32 ? n : 32));
}
