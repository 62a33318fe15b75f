/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of bf16 on AVX-512 with its dot products: sixteen float sums; an operand has a pair of bf16 for each. */
#pragma once
#include "../../c/base.h"

typedef __m512 bf16_avx512bf16_vec;
typedef __m512i bf16_avx512bf16_operand, bf16_avx512bf16_element;
typedef __mmask16 bf16_avx512bf16_mask;
MIK_INLINE MIK_AVX512BF16 __m512 bf16_avx512bf16_zero(void) { return _mm512_setzero_ps(); }
MIK_INLINE MIK_AVX512BF16 __m512i bf16_avx512bf16_load(const uint16_t *p) { return _mm512_loadu_si512(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX512BF16 __m512i bf16_avx512bf16_each(const uint16_t *p) { return _mm512_set1_epi32(mik_word(p)); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX512BF16 __m512i bf16_avx512bf16_fetch(const uint16_t *p)
{
    __m512i x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512BF16 __m512i bf16_avx512bf16_splat(const uint16_t *p)
{
    __m512i x = _mm512_set1_epi32(mik_word(p));
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512BF16 __m512i bf16_avx512bf16_load_part(const uint16_t *p, __mmask16 last) { return _mm512_maskz_loadu_epi32(last, p); }
MIK_INLINE MIK_AVX512BF16 __m512 bf16_avx512bf16_fma(__m512i x, __m512i y, __m512 c)
{
    return _mm512_dpbf16_ps(c, (__m512bh)x, (__m512bh)y);
}
MIK_INLINE MIK_AVX512BF16 __m512 bf16_avx512bf16_add(__m512 x, __m512 y) { return _mm512_add_ps(x, y); }
MIK_INLINE MIK_AVX512BF16 __m512 bf16_avx512bf16_get(const float *p) { return _mm512_loadu_ps(p); }
MIK_INLINE MIK_AVX512BF16 __m512 bf16_avx512bf16_get_part(const float *p, __mmask16 last) { return _mm512_maskz_loadu_ps(last, p); }
MIK_INLINE MIK_AVX512BF16 void bf16_avx512bf16_put(float *p, __m512 x) { _mm512_storeu_ps(p, x); }
MIK_INLINE MIK_AVX512BF16 void bf16_avx512bf16_put_part(float *p, __m512 x, __mmask16 last) { _mm512_mask_storeu_ps(p, last, x); }
MIK_INLINE MIK_AVX512BF16 __mmask16 bf16_avx512bf16_first(int n) { return (__mmask16)(0xffffu >> (16 - n)); }
MIK_INLINE MIK_AVX512BF16 float bf16_avx512bf16_sum(__m512 x) { return _mm512_reduce_add_ps(x); }
#if F32Z_NARROWS
/* Sums rounded to bf16; the instruction takes subnormal numbers for zero, which no sums are where mik_bf16_is_safe. */
MIK_INLINE MIK_AVX512BF16 void bf16_avx512bf16_put_narrow(uint16_t *p, __m512 x, int half)
{
    (void)half;
    _mm256_storeu_si256((__m256i *)(void *)p, (__m256i)_mm512_cvtneps_pbh(x));
}
MIK_INLINE MIK_AVX512BF16 void bf16_avx512bf16_put_narrow_part(uint16_t *p, __m512 x, __mmask16 last, int half)
{
    (void)half;
    _mm512_mask_cvtepi32_storeu_epi16(p, last, _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(x)));
}
#endif
