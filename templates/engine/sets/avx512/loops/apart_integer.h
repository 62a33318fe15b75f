/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: integers as far from one another as a stride says, one by one: as sets/avx2/loops/apart_integer.h has it. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int32_t i32z16 __attribute__((vector_size(64)));
typedef int32_t i32z8 __attribute__((vector_size(32)));

/* The first four. */
MIK_INLINE MIK_AVX512L __m128i i32z16_load_quarter_each(const int32_t *p, int64_t stride)
{
    const int32_t *q = p + 2 * stride;
    const __m128i low = _mm_insert_epi32(_mm_cvtsi32_si128((int)p[0]), (int)p[stride], 1);
    const __m128i high = _mm_insert_epi32(_mm_cvtsi32_si128((int)q[0]), (int)q[stride], 1);
    return _mm_unpacklo_epi64(low, high);
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_each(const int32_t *p, int64_t stride)
{
    __m512i x = _mm512_castsi128_si512(i32z16_load_quarter_each(p, stride));
    x = _mm512_inserti32x4(x, i32z16_load_quarter_each(p + 4 * stride, stride), 1);
    x = _mm512_inserti32x4(x, i32z16_load_quarter_each(p + 8 * stride, stride), 2);
    return (i32z16)_mm512_inserti32x4(x, i32z16_load_quarter_each(p + 12 * stride, stride), 3);
}
MIK_INLINE MIK_AVX512L __m128i i32z8_load_quarter_each(const int32_t *p, int64_t stride)
{
    const int32_t *q = p + 2 * stride;
    const __m128i low = _mm_insert_epi32(_mm_cvtsi32_si128((int)p[0]), (int)p[stride], 1);
    const __m128i high = _mm_insert_epi32(_mm_cvtsi32_si128((int)q[0]), (int)q[stride], 1);
    return _mm_unpacklo_epi64(low, high);
}
MIK_INLINE MIK_AVX512L i32z8 i32z8_load_each(const int32_t *p, int64_t stride)
{
    const __m256i low = _mm256_castsi128_si256(i32z8_load_quarter_each(p, stride));
    return (i32z8)_mm256_inserti128_si256(low, i32z8_load_quarter_each(p + 4 * stride, stride), 1);
}
