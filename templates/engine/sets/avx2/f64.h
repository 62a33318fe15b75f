/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f64 on AVX2 with FMA: four lanes in a ymm register. */
#pragma once
#include "../../c/base.h"

typedef __m256d f64y_vec, f64y_operand, f64y_element;
typedef __m256i f64y_mask;
MIK_INLINE MIK_AVX2 __m256d f64y_zero(void) { return _mm256_setzero_pd(); }
MIK_INLINE MIK_AVX2 __m256d f64y_load(const double *p) { return _mm256_loadu_pd(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX2 __m256d f64y_each(const double *p) { return _mm256_broadcast_sd(p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX2 __m256d f64y_fetch(const double *p)
{
    __m256d x = _mm256_loadu_pd(p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256d f64y_splat(const double *p)
{
    __m256d x = _mm256_broadcast_sd(p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256d f64y_load_part(const double *p, __m256i last) { return _mm256_maskload_pd(p, last); }
MIK_INLINE MIK_AVX2 __m256d f64y_fma(__m256d x, __m256d y, __m256d c) { return _mm256_fmadd_pd(x, y, c); }
MIK_INLINE MIK_AVX2 __m256d f64y_add(__m256d x, __m256d y) { return _mm256_add_pd(x, y); }
MIK_INLINE MIK_AVX2 __m256d f64y_get(const double *p) { return _mm256_loadu_pd(p); }
MIK_INLINE MIK_AVX2 __m256d f64y_get_part(const double *p, __m256i last) { return _mm256_maskload_pd(p, last); }
MIK_INLINE MIK_AVX2 void f64y_put(double *p, __m256d x) { _mm256_storeu_pd(p, x); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2 void f64y_put_part(double *p, __m256d x, __m256i last)
{
    const int lanes = _mm256_movemask_pd(_mm256_castsi256_pd(last));
    __m128d rest = _mm256_castpd256_pd128(x);
    if (lanes & 2) {
        _mm_storeu_pd(p, rest);
        rest = _mm256_extractf128_pd(x, 1);
        p += 2;
    }
    if (lanes == 1 || lanes == 7)
        _mm_store_sd(p, rest);
}
MIK_INLINE MIK_AVX2 __m256i f64y_first(int n) { return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)); }
MIK_INLINE MIK_AVX2 double f64y_sum(__m256d x)
{
    double lane[4];
    f64y_put(lane, x);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}
