/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: rows of three or four elements of 64 bits, as rows.h does it; two elements of two rows make a vector. */
#pragma once
#include "double.h"

MIK_INLINE MIK_AVX2L __m256d f64y4_pieces(const double *p, const double *q)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p), high = _mm_loadu_si128((const __m128i *)(const void *)q);
    return _mm256_castsi256_pd(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
}
MIK_INLINE MIK_AVX2L void f64y4_store_pieces(double *p, double *q, __m256d x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(_mm256_castpd_si256(x)));
    _mm_storeu_si128((__m128i *)(void *)q, _mm256_extracti128_si256(_mm256_castpd_si256(x), 1));
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load3_0(const double *p)
{
    const __m256d x = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)p));
    const __m256d y = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 4)));
    const __m256d z = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 8)));
    return (f64y4)_mm256_permute4x64_pd(_mm256_blend_pd(_mm256_blend_pd(x, y, 0x4), z, 0x2), 0x6c);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load3_1(const double *p)
{
    const __m256d x = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)p));
    const __m256d y = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 4)));
    const __m256d z = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 8)));
    return (f64y4)_mm256_permute4x64_pd(_mm256_blend_pd(_mm256_blend_pd(x, y, 0x9), z, 0x4), 0xb1);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load3_2(const double *p)
{
    const __m256d x = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)p));
    const __m256d y = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 4)));
    const __m256d z = _mm256_castsi256_pd(_mm256_loadu_si256((const __m256i *)(const void *)(p + 8)));
    return (f64y4)_mm256_permute4x64_pd(_mm256_blend_pd(_mm256_blend_pd(x, y, 0x2), z, 0x9), 0xc6);
}
MIK_INLINE MIK_AVX2L void f64y4_store3(double *p, f64y4 x, f64y4 y, f64y4 z)
{
    const __m256d a = _mm256_permute4x64_pd((__m256d)x, 0x6c), b = _mm256_permute4x64_pd((__m256d)y, 0xb1);
    const __m256d c = _mm256_permute4x64_pd((__m256d)z, 0xc6);
    const __m256d first = _mm256_blend_pd(_mm256_blend_pd(a, b, 0x2), c, 0x4);
    const __m256d second = _mm256_blend_pd(_mm256_blend_pd(a, b, 0x9), c, 0x2);
    const __m256d third = _mm256_blend_pd(_mm256_blend_pd(a, b, 0x4), c, 0x9);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_castpd_si256(first));
    _mm256_storeu_si256((__m256i *)(void *)(p + 4), _mm256_castpd_si256(second));
    _mm256_storeu_si256((__m256i *)(void *)(p + 8), _mm256_castpd_si256(third));
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load4_0(const double *p, int64_t apart)
{
    const double *q = p + 2 * apart;
    return (f64y4)_mm256_unpacklo_pd(f64y4_pieces(p, q), f64y4_pieces(p + apart, q + apart));
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load4_1(const double *p, int64_t apart)
{
    const double *q = p + 2 * apart;
    return (f64y4)_mm256_unpackhi_pd(f64y4_pieces(p, q), f64y4_pieces(p + apart, q + apart));
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load4_2(const double *p, int64_t apart)
{
    const double *q = p + 2 * apart;
    return (f64y4)_mm256_unpacklo_pd(f64y4_pieces(p + 2, q + 2), f64y4_pieces(p + apart + 2, q + apart + 2));
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load4_3(const double *p, int64_t apart)
{
    const double *q = p + 2 * apart;
    return (f64y4)_mm256_unpackhi_pd(f64y4_pieces(p + 2, q + 2), f64y4_pieces(p + apart + 2, q + apart + 2));
}
MIK_INLINE MIK_AVX2L void f64y4_store4(double *p, int64_t apart, f64y4 x, f64y4 y, f64y4 z, f64y4 w)
{
    double *q = p + 2 * apart;
    f64y4_store_pieces(p, q, _mm256_unpacklo_pd((__m256d)x, (__m256d)y));
    f64y4_store_pieces(p + 2, q + 2, _mm256_unpacklo_pd((__m256d)z, (__m256d)w));
    f64y4_store_pieces(p + apart, q + apart, _mm256_unpackhi_pd((__m256d)x, (__m256d)y));
    f64y4_store_pieces(p + apart + 2, q + apart + 2, _mm256_unpackhi_pd((__m256d)z, (__m256d)w));
}
