/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: elements of 64 bits as far from one another as a stride says: as sets/avx2/loops/apart_long.h has it. */
#pragma once
#include "types.h"

typedef double f64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L __m256i f64z8_load_half_each(const double *p, int64_t stride)
{
    const double *q = p + 2 * stride;
    const __m128i p_0 = _mm_loadl_epi64((const __m128i *)(const void *)p),
                  p_1 = _mm_loadl_epi64((const __m128i *)(const void *)(p + stride));
    const __m128i q_0 = _mm_loadl_epi64((const __m128i *)(const void *)q),
                  q_1 = _mm_loadl_epi64((const __m128i *)(const void *)(q + stride));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi64(p_0, p_1)), _mm_unpacklo_epi64(q_0, q_1), 1);
}
MIK_INLINE MIK_AVX512L f64z8 f64z8_load_apart(const double *p, int64_t stride)
{
    const __m512i low = _mm512_castsi256_si512(f64z8_load_half_each(p, stride));
    return (f64z8)_mm512_inserti64x4(low, f64z8_load_half_each(p + 4 * stride, stride), 1);
}
