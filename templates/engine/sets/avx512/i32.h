/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i32 on AVX-512: sixteen lanes in a zmm register. */
#pragma once
#include "../../c/base.h"

typedef __m512i i32z_vec, i32z_operand, i32z_element;
typedef __mmask16 i32z_mask;
MIK_INLINE MIK_AVX512 __m512i i32z_zero(void) { return _mm512_setzero_si512(); }
MIK_INLINE MIK_AVX512 __m512i i32z_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX512 __m512i i32z_each(const uint32_t *p) { return _mm512_set1_epi32((int)*p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX512 __m512i i32z_fetch(const uint32_t *p)
{
    __m512i x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512i i32z_splat(const uint32_t *p)
{
    __m512i x = _mm512_set1_epi32((int)*p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512i i32z_load_part(const uint32_t *p, __mmask16 last) { return _mm512_maskz_loadu_epi32(last, p); }
MIK_INLINE MIK_AVX512 __m512i i32z_fma(__m512i x, __m512i y, __m512i c) { return _mm512_add_epi32(c, _mm512_mullo_epi32(x, y)); }
MIK_INLINE MIK_AVX512 __m512i i32z_add(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }
MIK_INLINE MIK_AVX512 __m512i i32z_get(const uint32_t *p) { return _mm512_loadu_si512(p); }
MIK_INLINE MIK_AVX512 __m512i i32z_get_part(const uint32_t *p, __mmask16 last) { return _mm512_maskz_loadu_epi32(last, p); }
MIK_INLINE MIK_AVX512 void i32z_put(uint32_t *p, __m512i x) { _mm512_storeu_si512(p, x); }
MIK_INLINE MIK_AVX512 void i32z_put_part(uint32_t *p, __m512i x, __mmask16 last) { _mm512_mask_storeu_epi32(p, last, x); }
MIK_INLINE MIK_AVX512 __mmask16 i32z_first(int n) { return (__mmask16)(0xffffu >> (16 - n)); }
MIK_INLINE MIK_AVX512 uint32_t i32z_sum(__m512i x) { return (uint32_t)_mm512_reduce_add_epi32(x); }

/* The sums of four vectors: unpacking and shuffling adds the lanes of all four at once. */
MIK_INLINE MIK_AVX512 void i32z_sum4(__m512i x, __m512i y, __m512i z, __m512i w, uint32_t *sum)
{
    const __m512i xy = _mm512_add_epi32(_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
    const __m512i zw = _mm512_add_epi32(_mm512_unpacklo_epi32(z, w), _mm512_unpackhi_epi32(z, w));
    const __m512i all = _mm512_add_epi32(_mm512_unpacklo_epi64(xy, zw), _mm512_unpackhi_epi64(xy, zw));
    const __m128i low = _mm_add_epi32(_mm512_castsi512_si128(all), _mm512_extracti32x4_epi32(all, 1));
    const __m128i high = _mm_add_epi32(_mm512_extracti32x4_epi32(all, 2), _mm512_extracti32x4_epi32(all, 3));
    _mm_storeu_si128((__m128i *)(void *)sum, _mm_add_epi32(low, high));
}
