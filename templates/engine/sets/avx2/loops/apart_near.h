/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: elements that several neighbouring lanes share, from one vector of memory. */
#pragma once
#include "apart.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_gather_near(const float *p, i32y8 at)
{
    const int first = at[0];
    const __m256i read = (__m256i)masky8_first(at[7] - first + 1);
    const __m256i x = _mm256_maskload_epi32((const int *)(const void *)(p + first), read);
    return (f32y8)_mm256_permutevar8x32_epi32(x, _mm256_sub_epi32((__m256i)at, _mm256_set1_epi32(first)));
}
