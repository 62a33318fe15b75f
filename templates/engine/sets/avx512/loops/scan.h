/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: prefix sums of sixteen lanes, which may wrap. */
#pragma once
#include "types.h"

/* Each lane has the sum of all up to itself. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_scan(i32z16 x)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i y = (__m512i)x;
    y = _mm512_add_epi32(y, _mm512_alignr_epi32(y, zero, 15));
    y = _mm512_add_epi32(y, _mm512_alignr_epi32(y, zero, 14));
    y = _mm512_add_epi32(y, _mm512_alignr_epi32(y, zero, 12));
    return (i32z16)_mm512_add_epi32(y, _mm512_alignr_epi32(y, zero, 8));
}
/* The last lane in all lanes. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_last(i32z16 x) { return (i32z16)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)x); }
