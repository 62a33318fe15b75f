/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: prefix sums of eight floats. */
#pragma once
#include "types.h"

/* Each lane has the sum of all up to itself. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_scan(f32y8 x)
{
    __m256 y = _mm256_add_ps(x, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(x), 4)));
    y = _mm256_add_ps(y, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(y), 8)));
    const __m256 lower = _mm256_permute2f128_ps(y, y, 0x08);
    return _mm256_add_ps(y, _mm256_shuffle_ps(lower, lower, 0xff));
}
/* The last lane in all lanes. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_last(f32y8 x) { return _mm256_permutevar8x32_ps(x, _mm256_set1_epi32(7)); }
