/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: the sums of all lanes, by halves, which may wrap. */
#pragma once
#include "types.h"

typedef int64_t i64y4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L int32_t i32y8_sum(i32y8 x)
{
    __m128i z = _mm_add_epi32(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    z = _mm_add_epi32(z, _mm_unpackhi_epi64(z, z));
    return (int32_t)_mm_cvtsi128_si32(_mm_add_epi32(z, _mm_srli_epi64(z, 32)));
}
MIK_INLINE MIK_AVX2L int64_t i64y4_sum(i64y4 x)
{
    const __m128i z = _mm_add_epi64(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    return (int64_t)((uint64_t)z[0] + (uint64_t)z[1]);
}
