/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: products and shifts in lanes of 64 bits. A shift with a sign is one without, which is put in place. */
#pragma once
#include "widened.h"

typedef uint64_t u64y4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i64y4 i64y4_mul_low(i64y4 x, i64y4 y) { return (i64y4)_mm256_mul_epi32((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L u64y4 u64y4_mul_low(u64y4 x, u64y4 y) { return (u64y4)_mm256_mul_epu32((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L i64y4 i64y4_shr(i64y4 x, int n)
{
    const __m256i sign = _mm256_srli_epi64(_mm256_set1_epi64x(INT64_MIN), n);
    return (i64y4)_mm256_sub_epi64(_mm256_xor_si256(_mm256_srli_epi64((__m256i)x, n), sign), sign);
}
MIK_INLINE MIK_AVX2L i64y4 i64y4_shr_each(i64y4 x, i64y4 y)
{
    const __m256i sign = _mm256_srlv_epi64(_mm256_set1_epi64x(INT64_MIN), (__m256i)y);
    return (i64y4)_mm256_sub_epi64(_mm256_xor_si256(_mm256_srlv_epi64((__m256i)x, (__m256i)y), sign), sign);
}
