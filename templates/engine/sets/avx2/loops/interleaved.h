/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: pairs of neighbours of 32 bits. Instructions shuffle within halves: of two vectors of memory the lower halves go together, and the
 * upper ones. */
#pragma once
#include "float.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_even(f32y8 x, f32y8 y)
{
    const __m256 low = _mm256_permute2f128_ps((__m256)x, (__m256)y, 0x20), high = _mm256_permute2f128_ps((__m256)x, (__m256)y, 0x31);
    return (f32y8)_mm256_shuffle_ps(low, high, 0x88);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_odd(f32y8 x, f32y8 y)
{
    const __m256 low = _mm256_permute2f128_ps((__m256)x, (__m256)y, 0x20), high = _mm256_permute2f128_ps((__m256)x, (__m256)y, 0x31);
    return (f32y8)_mm256_shuffle_ps(low, high, 0xdd);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_zip_low(f32y8 x, f32y8 y)
{
    const __m256 low = _mm256_unpacklo_ps((__m256)x, (__m256)y), high = _mm256_unpackhi_ps((__m256)x, (__m256)y);
    return (f32y8)_mm256_permute2f128_ps(low, high, 0x20);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_zip_high(f32y8 x, f32y8 y)
{
    const __m256 low = _mm256_unpacklo_ps((__m256)x, (__m256)y), high = _mm256_unpackhi_ps((__m256)x, (__m256)y);
    return (f32y8)_mm256_permute2f128_ps(low, high, 0x31);
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_swap(f32y8 x) { return (f32y8)_mm256_permute_ps((__m256)x, 0xb1); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_evens(f32y8 x) { return (f32y8)_mm256_moveldup_ps((__m256)x); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_odds(f32y8 x) { return (f32y8)_mm256_movehdup_ps((__m256)x); }
