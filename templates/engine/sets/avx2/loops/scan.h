/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: prefix sums of eight lanes, which may wrap. */
#pragma once
#include "types.h"

/* Each lane has the sum of all up to itself. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_scan(i32y8 x)
{
    __m256i y = (__m256i)x;
    y = _mm256_add_epi32(y, _mm256_slli_si256(y, 4));
    y = _mm256_add_epi32(y, _mm256_slli_si256(y, 8));
    return (i32y8)_mm256_add_epi32(y, _mm256_shuffle_epi32(_mm256_permute2x128_si256(y, y, 0x08), 0xff));
}
/* The last lane in all lanes. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_last(i32y8 x) { return (i32y8)_mm256_permutevar8x32_epi32((__m256i)x, _mm256_set1_epi32(7)); }
