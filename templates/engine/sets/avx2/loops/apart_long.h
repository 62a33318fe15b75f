/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: elements of 64 bits as far from one another as a stride says. Compilers put such vectors together in memory where the stride is constant. */
#pragma once
#include "types.h"

typedef double f64y4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L f64y4 f64y4_load_apart(const double *p, int64_t stride)
{
    const double *q = p + 2 * stride;
    const __m128i p_0 = _mm_loadl_epi64((const __m128i *)(const void *)p),
                  p_1 = _mm_loadl_epi64((const __m128i *)(const void *)(p + stride));
    const __m128i q_0 = _mm_loadl_epi64((const __m128i *)(const void *)q),
                  q_1 = _mm_loadl_epi64((const __m128i *)(const void *)(q + stride));
    const __m256i low = _mm256_castsi128_si256(_mm_unpacklo_epi64(p_0, p_1));
    return (f64y4)_mm256_inserti128_si256(low, _mm_unpacklo_epi64(q_0, q_1), 1);
}
