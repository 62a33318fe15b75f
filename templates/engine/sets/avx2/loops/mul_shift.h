/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: fixed-point products of integers of 32 bits, of even lanes and of odd ones. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int32_t i32y8 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i32y8 i32y8_mul_shift(i32y8 x, i32y8 y, int64_t added, int n)
{
    const __m256i more = _mm256_set1_epi64x(added), even = _mm256_mul_epi32((__m256i)x, (__m256i)y);
    const __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64((__m256i)x, 32), _mm256_srli_epi64((__m256i)y, 32));
    const __m256i low = _mm256_srli_epi64(_mm256_add_epi64(even, more), n);
    const __m256i high = _mm256_slli_epi64(_mm256_add_epi64(odd, more), 32 - n);
    return (i32y8)_mm256_blend_epi32(low, high, 0xaa);
}

typedef uint32_t u32y8 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L u32y8 u32y8_mul_shift(u32y8 x, u32y8 y, int64_t added, int n)
{
    const __m256i more = _mm256_set1_epi64x(added), even = _mm256_mul_epu32((__m256i)x, (__m256i)y);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)x, 32), _mm256_srli_epi64((__m256i)y, 32));
    const __m256i low = _mm256_srli_epi64(_mm256_add_epi64(even, more), n);
    const __m256i high = _mm256_slli_epi64(_mm256_add_epi64(odd, more), 32 - n);
    return (u32y8)_mm256_blend_epi32(low, high, 0xaa);
}
