/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: floats as doubles, by halves. */
#pragma once
#include "float.h"

typedef double f64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L f64z8 f32z16_low(f32z16 x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
MIK_INLINE MIK_AVX512L f64z8 f32z16_high(f32z16 x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_of_halves(f64z8 low, f64z8 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}
