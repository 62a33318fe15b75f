/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: pairs of neighbours of 64 bits, as avx2_interleaved.h does it. */
#pragma once
#include "double.h"

MIK_INLINE MIK_AVX2L f64y4 f64y4_even(f64y4 x, f64y4 y)
{
    const __m256d low = _mm256_permute2f128_pd((__m256d)x, (__m256d)y, 0x20), high = _mm256_permute2f128_pd((__m256d)x, (__m256d)y, 0x31);
    return (f64y4)_mm256_unpacklo_pd(low, high);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_odd(f64y4 x, f64y4 y)
{
    const __m256d low = _mm256_permute2f128_pd((__m256d)x, (__m256d)y, 0x20), high = _mm256_permute2f128_pd((__m256d)x, (__m256d)y, 0x31);
    return (f64y4)_mm256_unpackhi_pd(low, high);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_zip_low(f64y4 x, f64y4 y)
{
    const __m256d low = _mm256_unpacklo_pd((__m256d)x, (__m256d)y), high = _mm256_unpackhi_pd((__m256d)x, (__m256d)y);
    return (f64y4)_mm256_permute2f128_pd(low, high, 0x20);
}
MIK_INLINE MIK_AVX2L f64y4 f64y4_zip_high(f64y4 x, f64y4 y)
{
    const __m256d low = _mm256_unpacklo_pd((__m256d)x, (__m256d)y), high = _mm256_unpackhi_pd((__m256d)x, (__m256d)y);
    return (f64y4)_mm256_permute2f128_pd(low, high, 0x31);
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_AVX2L f64y4 f64y4_swap(f64y4 x) { return (f64y4)_mm256_permute_pd((__m256d)x, 0x5); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_evens(f64y4 x) { return (f64y4)_mm256_movedup_pd((__m256d)x); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_odds(f64y4 x) { return (f64y4)_mm256_permute_pd((__m256d)x, 0xf); }
