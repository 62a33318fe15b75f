/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: integers as far from one another as a stride says, one by one. Compilers put such vectors together in memory where the stride is constant. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int32_t i32y8 __attribute__((vector_size(32)));
typedef int32_t i32y4 __attribute__((vector_size(16)));

MIK_INLINE MIK_AVX2L i32y4 i32y4_load_each(const int32_t *p, int64_t stride)
{
    const int32_t *q = p + 2 * stride;
    const __m128i low = _mm_insert_epi32(_mm_cvtsi32_si128((int)p[0]), (int)p[stride], 1);
    const __m128i high = _mm_insert_epi32(_mm_cvtsi32_si128((int)q[0]), (int)q[stride], 1);
    return (i32y4)_mm_unpacklo_epi64(low, high);
}
/* The first four. */
MIK_INLINE MIK_AVX2L __m128i i32y8_load_half_each(const int32_t *p, int64_t stride)
{
    const int32_t *q = p + 2 * stride;
    const __m128i low = _mm_insert_epi32(_mm_cvtsi32_si128((int)p[0]), (int)p[stride], 1);
    const __m128i high = _mm_insert_epi32(_mm_cvtsi32_si128((int)q[0]), (int)q[stride], 1);
    return _mm_unpacklo_epi64(low, high);
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_each(const int32_t *p, int64_t stride)
{
    const __m256i low = _mm256_castsi128_si256(i32y8_load_half_each(p, stride));
    return (i32y8)_mm256_inserti128_si256(low, i32y8_load_half_each(p + 4 * stride, stride), 1);
}
