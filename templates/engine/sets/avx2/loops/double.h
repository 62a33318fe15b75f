/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: doubles. */
#pragma once
#include "types.h"

typedef double f64y4 __attribute__((vector_size(32)));
typedef int64_t masky4 __attribute__((vector_size(32)));
typedef int32_t i32y4 __attribute__((vector_size(16)));

MIK_INLINE MIK_AVX2L f64y4 f64y4_select(masky4 where, f64y4 x, f64y4 y) { return _mm256_blendv_pd(y, x, (__m256d)where); }
/* x > y ? x : y and x < y ? x : y, as the instructions have it. */
MIK_INLINE MIK_AVX2L f64y4 f64y4_max(f64y4 x, f64y4 y) { return _mm256_max_pd(x, y); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_min(f64y4 x, f64y4 y) { return _mm256_min_pd(x, y); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_sqrt(f64y4 x) { return _mm256_sqrt_pd(x); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_mul_add(f64y4 x, f64y4 y, f64y4 z) { return _mm256_fmadd_pd(x, y, z); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_fma(f64y4 x, f64y4 y, f64y4 z) { return _mm256_fmadd_pd(x, y, z); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_rint(f64y4 x) { return _mm256_round_pd(x, _MM_FROUND_CUR_DIRECTION); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_floor(f64y4 x) { return _mm256_floor_pd(x); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_ceil(f64y4 x) { return _mm256_ceil_pd(x); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_trunc(f64y4 x) { return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_times_lost(f64y4 x, f64y4 y, f64y4 p) { return _mm256_fmsub_pd(x, y, p); }
MIK_INLINE MIK_AVX2L f64y4 f64y4_gather_where(const double *p, i32y4 at, masky4 where)
{
    return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), p, (__m128i)at, (__m256d)where, 8);
}
