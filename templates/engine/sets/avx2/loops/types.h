/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: eight lanes, or four of 64 bits; masks are vectors of integers. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef float f32y8 __attribute__((vector_size(32)));
typedef int32_t i32y8 __attribute__((vector_size(32)));
typedef int32_t masky8 __attribute__((vector_size(32)));

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_AVX2L masky8 masky8_first(int64_t n)
{
    return (masky8)_mm256_cmpgt_epi32(_mm256_set1_epi32((int32_t)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
/* Each lane twice, of the lower half, of the upper one. */
MIK_INLINE MIK_AVX2L masky8 masky8_low_twice(masky8 where)
{
    return (masky8)_mm256_permutevar8x32_epi32((__m256i)where, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
}
MIK_INLINE MIK_AVX2L masky8 masky8_high_twice(masky8 where)
{
    return (masky8)_mm256_permutevar8x32_epi32((__m256i)where, _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7));
}
