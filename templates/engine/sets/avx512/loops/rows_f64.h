/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: rows of three or four elements of 64 bits, as rows.h does it; two elements of each of four rows make a vector. */
#pragma once
#include "double.h"

MIK_INLINE MIK_AVX512L __m512i f64z8_pieces(const double *p, int64_t apart)
{
    const __m128i *x = (const __m128i *)(const void *)p, *y = (const __m128i *)(const void *)(p + apart);
    const __m128i *z = (const __m128i *)(const void *)(p + 2 * apart), *w = (const __m128i *)(const void *)(p + 3 * apart);
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(_mm_loadu_si128(x)), _mm_loadu_si128(y), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, _mm_loadu_si128(z), 2), _mm_loadu_si128(w), 3);
}
MIK_INLINE MIK_AVX512L void f64z8_store_pieces(double *p, int64_t apart, __m512i x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_castsi512_si128(x));
    _mm_storeu_si128((__m128i *)(void *)(p + apart), _mm512_extracti32x4_epi32(x, 1));
    _mm_storeu_si128((__m128i *)(void *)(p + 2 * apart), _mm512_extracti32x4_epi32(x, 2));
    _mm_storeu_si128((__m128i *)(void *)(p + 3 * apart), _mm512_extracti32x4_epi32(x, 3));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load3_0(const double *p)
{
    const __m512i low = _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0);
    const __m512i all = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13);
    const __m512i two = _mm512_permutex2var_epi64(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 8));
    return (f64z8)_mm512_permutex2var_epi64(two, all, _mm512_loadu_si512(p + 16));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load3_1(const double *p)
{
    const __m512i low = _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0);
    const __m512i all = _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14);
    const __m512i two = _mm512_permutex2var_epi64(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 8));
    return (f64z8)_mm512_permutex2var_epi64(two, all, _mm512_loadu_si512(p + 16));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load3_2(const double *p)
{
    const __m512i low = _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0);
    const __m512i all = _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15);
    const __m512i two = _mm512_permutex2var_epi64(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 8));
    return (f64z8)_mm512_permutex2var_epi64(two, all, _mm512_loadu_si512(p + 16));
}
MIK_INLINE MIK_AVX512L void f64z8_store3(double *p, f64z8 x, f64z8 y, f64z8 z)
{
    const __m512i two_first = _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10);
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7);
    const __m512i two_second = _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5);
    const __m512i second = _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7);
    const __m512i two_third = _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0);
    const __m512i third = _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi64(_mm512_permutex2var_epi64((__m512i)x, two_first, (__m512i)y), first, (__m512i)z));
    _mm512_storeu_si512(p + 8,
                        _mm512_permutex2var_epi64(_mm512_permutex2var_epi64((__m512i)x, two_second, (__m512i)y), second, (__m512i)z));
    _mm512_storeu_si512(p + 16, _mm512_permutex2var_epi64(_mm512_permutex2var_epi64((__m512i)x, two_third, (__m512i)y), third, (__m512i)z));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load4_0(const double *p, int64_t apart)
{
    return (f64z8)_mm512_unpacklo_epi64(f64z8_pieces(p, 2 * apart), f64z8_pieces(p + apart, 2 * apart));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load4_1(const double *p, int64_t apart)
{
    return (f64z8)_mm512_unpackhi_epi64(f64z8_pieces(p, 2 * apart), f64z8_pieces(p + apart, 2 * apart));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load4_2(const double *p, int64_t apart)
{
    return (f64z8)_mm512_unpacklo_epi64(f64z8_pieces(p + 2, 2 * apart), f64z8_pieces(p + apart + 2, 2 * apart));
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load4_3(const double *p, int64_t apart)
{
    return (f64z8)_mm512_unpackhi_epi64(f64z8_pieces(p + 2, 2 * apart), f64z8_pieces(p + apart + 2, 2 * apart));
}
MIK_INLINE MIK_AVX512L void f64z8_store4(double *p, int64_t apart, f64z8 x, f64z8 y, f64z8 z, f64z8 w)
{
    f64z8_store_pieces(p, 2 * apart, _mm512_unpacklo_epi64((__m512i)x, (__m512i)y));
    f64z8_store_pieces(p + 2, 2 * apart, _mm512_unpacklo_epi64((__m512i)z, (__m512i)w));
    f64z8_store_pieces(p + apart, 2 * apart, _mm512_unpackhi_epi64((__m512i)x, (__m512i)y));
    f64z8_store_pieces(p + apart + 2, 2 * apart, _mm512_unpackhi_epi64((__m512i)z, (__m512i)w));
}
