/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: doubles that are looked up. */
#pragma once
#include "float.h"

typedef double f64z8 __attribute__((vector_size(64)));
typedef int32_t i32z8 __attribute__((vector_size(32)));
typedef __mmask8 maskz8;

MIK_INLINE MIK_AVX512L f64z8 f64z8_gather(const double *p, i32z8 at) { return _mm512_i32gather_pd((__m256i)at, p, 8); }
MIK_INLINE MIK_AVX512L f64z8 f64z8_gather_where(const double *p, i32z8 at, maskz8 where)
{
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), where, (__m256i)at, p, 8);
}
