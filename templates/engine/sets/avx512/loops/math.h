/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: what mathematical functions have instructions for, written for sixteen floats. What the names mean: math_exp_f32.h, math_log_f32.h, math_exact_f32.h. */
#pragma once
#include "functions.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_times_lost(f32z16 x, f32z16 y, f32z16 p) { return _mm512_fmsub_ps(x, y, p); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_scale(f32z16 x, f32z16 n) { return _mm512_scalef_ps(x, n); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_scale_at(f32z16 x, f32z16 at) { return _mm512_scalef_ps(x, at - f32z16_whole()); }
/* -0 + 0 is 0, of which the sign is asked. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_mantissa(f32z16 x)
{
    return _mm512_getmant_ps(x + f32z16_all(0), _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_exponent(f32z16 x) { return _mm512_getexp_ps(x) - _mm512_getexp_ps(f32z16_mantissa(x)); }
