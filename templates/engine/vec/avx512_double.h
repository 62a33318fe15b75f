/* AVX-512: doubles, what multiplications lose (math_exact_f64.h), and those that are no neighbours (avx512_apart.h). */
#pragma once
#include "avx512_float.h"

typedef double f64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L f64z8 f64z8_times_lost(f64z8 x, f64z8 y, f64z8 p) { return _mm512_fmsub_pd(x, y, p); }
MIK_INLINE MIK_AVX512L f64z8 f64z8_load_apart(const double *p, int64_t stride)
{
    const double *q = p + 4 * stride;
    const int64_t two = 2 * stride, three = 3 * stride;
    return _mm512_setr_pd(p[0], p[stride], p[two], p[three], q[0], q[stride], q[two], q[three]);
}
