/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: gathers. */
#pragma once
#include "float.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_gather(const float *p, i32z16 at) { return _mm512_i32gather_ps((__m512i)at, p, 4); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_where(const float *p, i32z16 at, maskz16 where)
{
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), where, (__m512i)at, p, 4);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_part(const float *p, i32z16 at, int64_t n)
{
    return f32z16_gather_where(p, at, maskz16_first(n));
}
