/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: floats as doubles, by halves. */
#pragma once
#include "float.h"
#include "double.h"

MIK_INLINE MIK_AVX2L f64y4 f32y8_low(f32y8 x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
MIK_INLINE MIK_AVX2L f64y4 f32y8_high(f32y8 x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_of_halves(f64y4 low, f64y4 high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
}
