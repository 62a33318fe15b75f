/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: prefix sums of sixteen floats. */
#pragma once
#include "types.h"

/* Each lane has the sum of all up to itself. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_scan(f32z16 x)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512 y = x;
    y = _mm512_add_ps(y, _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(y), zero, 15)));
    y = _mm512_add_ps(y, _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(y), zero, 14)));
    y = _mm512_add_ps(y, _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(y), zero, 12)));
    return _mm512_add_ps(y, _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(y), zero, 8)));
}
/* The last lane in all lanes. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_last(f32z16 x) { return _mm512_permutexvar_ps(_mm512_set1_epi32(15), x); }
