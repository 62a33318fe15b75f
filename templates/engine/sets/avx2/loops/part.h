/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: parts of vectors in memory, written for doubles. */
#pragma once
#include "double.h"

MIK_INLINE MIK_AVX2L f64y4 f64y4_load(const double *p)
{
    f64y4 x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load_where(const double *p, masky4 where)
{
    return (f64y4)_mm256_maskload_epi64((const long long *)(const void *)p, (__m256i)where);
}
/* AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void f64y4_store_where(double *p, f64y4 x, masky4 where)
{
    if (_mm256_movemask_pd((__m256d)where) == 0xf)
        memcpy(p, &x, sizeof x);
    else
        _mm256_maskstore_epi64((long long *)(void *)p, (__m256i)where, (__m256i)x);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_load_part(const double *p, int64_t n)
{
    const __m256i first = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
    return (f64y4)_mm256_maskload_epi64((const long long *)(const void *)p, first);
}
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void f64y4_store_part(double *p, f64y4 x, int64_t n)
{
    if (n >= 4) {
        memcpy(p, &x, sizeof x);
        return;
    }
    __m128i rest = _mm256_castsi256_si128((__m256i)x);
    if (n & 2) {
        _mm_storeu_si128((__m128i *)(void *)p, rest);
        rest = _mm256_extracti128_si256((__m256i)x, 1);
        p += 2;
    }
    if (n & 1)
        _mm_storel_epi64((__m128i *)(void *)p, rest);
}
