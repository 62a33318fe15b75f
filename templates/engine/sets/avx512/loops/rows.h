/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: rows of three or four elements of 32 bits, one for each lane. */
#pragma once
#include "types.h"

/* Four elements of each of four rows. */
MIK_INLINE MIK_AVX512L __m512i f32z16_pieces(const float *p, int64_t apart)
{
    const __m128i *x = (const __m128i *)(const void *)p, *y = (const __m128i *)(const void *)(p + apart);
    const __m128i *z = (const __m128i *)(const void *)(p + 2 * apart), *w = (const __m128i *)(const void *)(p + 3 * apart);
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(_mm_loadu_si128(x)), _mm_loadu_si128(y), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, _mm_loadu_si128(z), 2), _mm_loadu_si128(w), 3);
}
MIK_INLINE MIK_AVX512L void f32z16_store_pieces(float *p, int64_t apart, __m512i x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_castsi512_si128(x));
    _mm_storeu_si128((__m128i *)(void *)(p + apart), _mm512_extracti32x4_epi32(x, 1));
    _mm_storeu_si128((__m128i *)(void *)(p + 2 * apart), _mm512_extracti32x4_epi32(x, 2));
    _mm_storeu_si128((__m128i *)(void *)(p + 3 * apart), _mm512_extracti32x4_epi32(x, 3));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load3_0(const float *p)
{
    const __m512i low = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    const __m512i two = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 16));
    return (f32z16)_mm512_permutex2var_epi32(two, all, _mm512_loadu_si512(p + 32));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load3_1(const float *p)
{
    const __m512i low = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    const __m512i two = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 16));
    return (f32z16)_mm512_permutex2var_epi32(two, all, _mm512_loadu_si512(p + 32));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load3_2(const float *p)
{
    const __m512i low = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    const __m512i two = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 16));
    return (f32z16)_mm512_permutex2var_epi32(two, all, _mm512_loadu_si512(p + 32));
}
MIK_INLINE MIK_AVX512L void f32z16_store3(float *p, f32z16 x, f32z16 y, f32z16 z)
{
    const __m512i two_first = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const __m512i first = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const __m512i two_second = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const __m512i second = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const __m512i two_third = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const __m512i third = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi32(_mm512_permutex2var_epi32((__m512i)x, two_first, (__m512i)y), first, (__m512i)z));
    _mm512_storeu_si512(p + 16,
                        _mm512_permutex2var_epi32(_mm512_permutex2var_epi32((__m512i)x, two_second, (__m512i)y), second, (__m512i)z));
    _mm512_storeu_si512(p + 32, _mm512_permutex2var_epi32(_mm512_permutex2var_epi32((__m512i)x, two_third, (__m512i)y), third, (__m512i)z));
}
/* Of rows that follow one another: elements 0 and 1, or 2 and 3, of eight rows are in two vectors of memory. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_load4_near(const float *p, int which)
{
    const __m512i two = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i at = which > 1 ? _mm512_add_epi32(two, _mm512_set1_epi32(2)) : two;
    const __m512i low = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), at, _mm512_loadu_si512(p + 16));
    const __m512i high = _mm512_permutex2var_epi32(_mm512_loadu_si512(p + 32), at, _mm512_loadu_si512(p + 48));
    return (f32z16)(which & 1 ? _mm512_shuffle_i64x2(low, high, 0xee) : _mm512_shuffle_i64x2(low, high, 0x44));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load4_0(const float *p, int64_t apart)
{
    if (apart == 4)
        return f32z16_load4_near(p, 0);
    const __m512i low = _mm512_unpacklo_epi32(f32z16_pieces(p, 4 * apart), f32z16_pieces(p + apart, 4 * apart));
    const __m512i high = _mm512_unpacklo_epi32(f32z16_pieces(p + 2 * apart, 4 * apart), f32z16_pieces(p + 3 * apart, 4 * apart));
    return (f32z16)_mm512_unpacklo_epi64(low, high);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load4_1(const float *p, int64_t apart)
{
    if (apart == 4)
        return f32z16_load4_near(p, 1);
    const __m512i low = _mm512_unpacklo_epi32(f32z16_pieces(p, 4 * apart), f32z16_pieces(p + apart, 4 * apart));
    const __m512i high = _mm512_unpacklo_epi32(f32z16_pieces(p + 2 * apart, 4 * apart), f32z16_pieces(p + 3 * apart, 4 * apart));
    return (f32z16)_mm512_unpackhi_epi64(low, high);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load4_2(const float *p, int64_t apart)
{
    if (apart == 4)
        return f32z16_load4_near(p, 2);
    const __m512i low = _mm512_unpackhi_epi32(f32z16_pieces(p, 4 * apart), f32z16_pieces(p + apart, 4 * apart));
    const __m512i high = _mm512_unpackhi_epi32(f32z16_pieces(p + 2 * apart, 4 * apart), f32z16_pieces(p + 3 * apart, 4 * apart));
    return (f32z16)_mm512_unpacklo_epi64(low, high);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load4_3(const float *p, int64_t apart)
{
    if (apart == 4)
        return f32z16_load4_near(p, 3);
    const __m512i low = _mm512_unpackhi_epi32(f32z16_pieces(p, 4 * apart), f32z16_pieces(p + apart, 4 * apart));
    const __m512i high = _mm512_unpackhi_epi32(f32z16_pieces(p + 2 * apart, 4 * apart), f32z16_pieces(p + 3 * apart, 4 * apart));
    return (f32z16)_mm512_unpackhi_epi64(low, high);
}
/* To rows that follow one another. */
MIK_INLINE MIK_AVX512L void f32z16_store4_near(float *p, f32z16 x, f32z16 y, f32z16 z, f32z16 w)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8)), four = _mm512_set1_epi64(4);
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), second = _mm512_add_epi64(first, four);
    const __m512i xy = _mm512_permutex2var_epi32((__m512i)x, low, (__m512i)y), zw = _mm512_permutex2var_epi32((__m512i)z, low, (__m512i)w);
    const __m512i yx = _mm512_permutex2var_epi32((__m512i)x, high, (__m512i)y),
                  wz = _mm512_permutex2var_epi32((__m512i)z, high, (__m512i)w);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi64(xy, first, zw));
    _mm512_storeu_si512(p + 16, _mm512_permutex2var_epi64(xy, second, zw));
    _mm512_storeu_si512(p + 32, _mm512_permutex2var_epi64(yx, first, wz));
    _mm512_storeu_si512(p + 48, _mm512_permutex2var_epi64(yx, second, wz));
}
MIK_INLINE MIK_AVX512L void f32z16_store4(float *p, int64_t apart, f32z16 x, f32z16 y, f32z16 z, f32z16 w)
{
    if (apart == 4) {
        f32z16_store4_near(p, x, y, z, w);
        return;
    }
    const __m512i xy = _mm512_unpacklo_epi32((__m512i)x, (__m512i)y), zw = _mm512_unpacklo_epi32((__m512i)z, (__m512i)w);
    const __m512i yx = _mm512_unpackhi_epi32((__m512i)x, (__m512i)y), wz = _mm512_unpackhi_epi32((__m512i)z, (__m512i)w);
    f32z16_store_pieces(p, 4 * apart, _mm512_unpacklo_epi64(xy, zw));
    f32z16_store_pieces(p + apart, 4 * apart, _mm512_unpackhi_epi64(xy, zw));
    f32z16_store_pieces(p + 2 * apart, 4 * apart, _mm512_unpacklo_epi64(yx, wz));
    f32z16_store_pieces(p + 3 * apart, 4 * apart, _mm512_unpackhi_epi64(yx, wz));
}
