/* AVX-512: doubles, what multiplications lose (math_exact_f64.h). */
#pragma once
#include "avx512_float.h"

typedef double f64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L f64z8 f64z8_times_lost(f64z8 x, f64z8 y, f64z8 p) { return _mm512_fmsub_pd(x, y, p); }
