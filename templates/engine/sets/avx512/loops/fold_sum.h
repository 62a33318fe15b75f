/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the sums of all lanes, by halves, which may wrap. */
#pragma once
#include "types.h"

typedef int64_t i64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L int32_t i32z16_sum(i32z16 x)
{
    const __m256i y = _mm256_add_epi32(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    __m128i z = _mm_add_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    z = _mm_add_epi32(z, _mm_unpackhi_epi64(z, z));
    return (int32_t)_mm_cvtsi128_si32(_mm_add_epi32(z, _mm_srli_epi64(z, 32)));
}
MIK_INLINE MIK_AVX512L int64_t i64z8_sum(i64z8 x)
{
    const __m256i y = _mm256_add_epi64(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    const __m128i z = _mm_add_epi64(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    return (int64_t)((uint64_t)z[0] + (uint64_t)z[1]);
}
