/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: groups of two to four, of six or of eight bytes, of which each lane has one, by halves. Written for uint8_t. */
#pragma once
#include "half_groups.h"

/* Of groups of four those of 64 bytes at p: in each quarter the bytes number 0 of four groups, then numbers 1, 2, and 3. */
MIK_INLINE MIK_AVX512L __m512i u8z64_load_fours(const uint8_t *p)
{
    const __m128i turn = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_shuffle_epi8(_mm512_loadu_si512(p), _mm512_broadcast_i32x4(turn));
}
/* What comes before the last shuffle is shared by members. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_load_fourth(const uint8_t *p, int which)
{
    const __m512i x = u8z64_load_fours(p), y = u8z64_load_fours(p + 64), z = u8z64_load_fours(p + 128), w = u8z64_load_fours(p + 192);
    const __m512i xy = which > 1 ? _mm512_unpackhi_epi32(x, y) : _mm512_unpacklo_epi32(x, y);
    const __m512i zw = which > 1 ? _mm512_unpackhi_epi32(z, w) : _mm512_unpacklo_epi32(z, w);
    const __m512i quarters = which & 1 ? _mm512_unpackhi_epi64(xy, zw) : _mm512_unpacklo_epi64(xy, zw);
    return (u8z64)_mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), quarters);
}
MIK_INLINE MIK_AVX512L u8z64 u8z64_load_member(const uint8_t *p, int size, int which)
{
    if (size == 4)
        return u8z64_load_fourth(p, which);
    const __m512i low = _mm512_castsi256_si512((__m256i)u8z32_load_member(p, size, which));
    return (u8z64)_mm512_inserti64x4(low, (__m256i)u8z32_load_member(p + 32 * size, size, which), 1);
}
MIK_INLINE MIK_AVX512L u8z64 u8z64_load_member_part(const uint8_t *p, int size, int which, int64_t n)
{
    uint8_t group[8 * 64] = {0};
    memcpy(group, p, (size_t)((n < 64 ? n : 64) * size));
    return u8z64_load_member(group, size, which);
}
MIK_INLINE MIK_AVX512L u8z32 u8z64_half(u8z64 x, int upper)
{
    return (u8z32)(upper ? _mm512_extracti64x4_epi64((__m512i)x, 1) : _mm512_castsi512_si256((__m512i)x));
}
MIK_INLINE MIK_AVX512L void u8z64_store_groups2(uint8_t *p, u8z64 x, u8z64 y)
{
    for (int i = 0; i < 2; i++)
        u8z32_store_groups2(p + 64 * i, u8z64_half(x, i), u8z64_half(y, i));
}
MIK_INLINE MIK_AVX512L void u8z64_store_groups3(uint8_t *p, u8z64 x, u8z64 y, u8z64 z)
{
    for (int i = 0; i < 2; i++)
        u8z32_store_groups3(p + 96 * i, u8z64_half(x, i), u8z64_half(y, i), u8z64_half(z, i));
}
MIK_INLINE MIK_AVX512L void u8z64_store_groups4(uint8_t *p, u8z64 x, u8z64 y, u8z64 z, u8z64 w)
{
    for (int i = 0; i < 2; i++)
        u8z32_store_groups4(p + 128 * i, u8z64_half(x, i), u8z64_half(y, i), u8z64_half(z, i), u8z64_half(w, i));
}
MIK_INLINE MIK_AVX512L void u8z64_store_groups6(uint8_t *p, u8z64 x0, u8z64 x1, u8z64 x2, u8z64 x3, u8z64 x4, u8z64 x5)
{
    for (int i = 0; i < 2; i++)
        u8z32_store_groups6(p + 192 * i, u8z64_half(x0, i), u8z64_half(x1, i), u8z64_half(x2, i), u8z64_half(x3, i), u8z64_half(x4, i),
                            u8z64_half(x5, i));
}
MIK_INLINE MIK_AVX512L void u8z64_store_groups8(uint8_t *p, u8z64 x0, u8z64 x1, u8z64 x2, u8z64 x3, u8z64 x4, u8z64 x5, u8z64 x6, u8z64 x7)
{
    for (int i = 0; i < 2; i++)
        u8z32_store_groups8(p + 256 * i, u8z64_half(x0, i), u8z64_half(x1, i), u8z64_half(x2, i), u8z64_half(x3, i), u8z64_half(x4, i),
                            u8z64_half(x5, i), u8z64_half(x6, i), u8z64_half(x7, i));
}
