/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: elements that several neighbouring lanes share, from one vector of memory. */
#pragma once
#include "apart.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_near_part(const float *p, i32z16 at, int64_t n)
{
    const int first = at[0];
    const maskz16 lanes = maskz16_first(n), read = maskz16_first(n > 0 ? at[(n < 16 ? n : 16) - 1] - first + 1 : 0);
    const __m512i x = _mm512_maskz_loadu_epi32(read, p + first);
    return (f32z16)_mm512_maskz_permutexvar_epi32(lanes, _mm512_sub_epi32((__m512i)at, _mm512_set1_epi32(first)), x);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_near(const float *p, i32z16 at)
{
    const int first = at[0];
    const __m512i x = _mm512_maskz_loadu_epi32(maskz16_first(at[15] - first + 1), p + first);
    return (f32z16)_mm512_permutexvar_epi32(_mm512_sub_epi32((__m512i)at, _mm512_set1_epi32(first)), x);
}
