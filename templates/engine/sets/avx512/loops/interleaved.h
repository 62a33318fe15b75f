/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: pairs of neighbours of 32 bits. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_even(f32z16 x, f32z16 y)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return (f32z16)_mm512_permutex2var_epi32((__m512i)x, even, (__m512i)y);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_odd(f32z16 x, f32z16 y)
{
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return (f32z16)_mm512_permutex2var_epi32((__m512i)x, odd, (__m512i)y);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_zip_low(f32z16 x, f32z16 y)
{
    const __m512i turns = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    return (f32z16)_mm512_permutex2var_epi32((__m512i)x, turns, (__m512i)y);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_zip_high(f32z16 x, f32z16 y)
{
    const __m512i turns = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    return (f32z16)_mm512_permutex2var_epi32((__m512i)x, turns, (__m512i)y);
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_swap(f32z16 x) { return (f32z16)_mm512_permute_ps((__m512)x, 0xb1); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_evens(f32z16 x) { return (f32z16)_mm512_moveldup_ps((__m512)x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_odds(f32z16 x) { return (f32z16)_mm512_movehdup_ps((__m512)x); }
