/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: pairs of neighbours of 64 bits. */
#pragma once
#include "types.h"

typedef double f64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L f64z8 f64z8_even(f64z8 x, f64z8 y)
{
    return (f64z8)_mm512_permutex2var_epi64((__m512i)x, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), (__m512i)y);
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_odd(f64z8 x, f64z8 y)
{
    return (f64z8)_mm512_permutex2var_epi64((__m512i)x, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), (__m512i)y);
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_zip_low(f64z8 x, f64z8 y)
{
    return (f64z8)_mm512_permutex2var_epi64((__m512i)x, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), (__m512i)y);
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_zip_high(f64z8 x, f64z8 y)
{
    return (f64z8)_mm512_permutex2var_epi64((__m512i)x, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), (__m512i)y);
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_AVX512L f64z8 f64z8_swap(f64z8 x) { return (f64z8)_mm512_permute_pd((__m512d)x, 0x55); }
MIK_INLINE MIK_AVX512L f64z8 f64z8_evens(f64z8 x) { return (f64z8)_mm512_movedup_pd((__m512d)x); }
MIK_INLINE MIK_AVX512L f64z8 f64z8_odds(f64z8 x) { return (f64z8)_mm512_permute_pd((__m512d)x, 0xff); }
