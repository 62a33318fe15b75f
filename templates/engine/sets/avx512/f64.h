/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f64 on AVX-512: eight lanes in a zmm register. */
#pragma once
#include "../../c/base.h"

typedef __m512d f64z_vec, f64z_operand, f64z_element;
typedef __mmask8 f64z_mask;
MIK_INLINE MIK_AVX512 __m512d f64z_zero(void) { return _mm512_setzero_pd(); }
MIK_INLINE MIK_AVX512 __m512d f64z_load(const double *p) { return _mm512_loadu_pd(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX512 __m512d f64z_each(const double *p) { return _mm512_set1_pd(*p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX512 __m512d f64z_fetch(const double *p)
{
    __m512d x = _mm512_loadu_pd(p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512d f64z_splat(const double *p)
{
    __m512d x = _mm512_set1_pd(*p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512d f64z_load_part(const double *p, __mmask8 last) { return _mm512_maskz_loadu_pd(last, p); }
MIK_INLINE MIK_AVX512 __m512d f64z_fma(__m512d x, __m512d y, __m512d c) { return _mm512_fmadd_pd(x, y, c); }
MIK_INLINE MIK_AVX512 __m512d f64z_add(__m512d x, __m512d y) { return _mm512_add_pd(x, y); }
MIK_INLINE MIK_AVX512 __m512d f64z_get(const double *p) { return _mm512_loadu_pd(p); }
MIK_INLINE MIK_AVX512 __m512d f64z_get_part(const double *p, __mmask8 last) { return _mm512_maskz_loadu_pd(last, p); }
MIK_INLINE MIK_AVX512 void f64z_put(double *p, __m512d x) { _mm512_storeu_pd(p, x); }
MIK_INLINE MIK_AVX512 void f64z_put_part(double *p, __m512d x, __mmask8 last) { _mm512_mask_storeu_pd(p, last, x); }
MIK_INLINE MIK_AVX512 __mmask8 f64z_first(int n) { return (__mmask8)(0xffu >> (8 - n)); }
MIK_INLINE MIK_AVX512 double f64z_sum(__m512d x) { return _mm512_reduce_add_pd(x); }
