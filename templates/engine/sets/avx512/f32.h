/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f32 on AVX-512: sixteen lanes in a zmm register. */
#pragma once
#include "../../c/base.h"
#include "store_bf16.h"
#include "store_half.h"

typedef __m512 f32z_vec, f32z_operand, f32z_element;
typedef __mmask16 f32z_mask;
MIK_INLINE MIK_AVX512 __m512 f32z_zero(void) { return _mm512_setzero_ps(); }
MIK_INLINE MIK_AVX512 __m512 f32z_load(const float *p) { return _mm512_loadu_ps(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX512 __m512 f32z_each(const float *p) { return _mm512_set1_ps(*p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX512 __m512 f32z_fetch(const float *p)
{
    __m512 x = _mm512_loadu_ps(p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512 f32z_splat(const float *p)
{
    __m512 x = _mm512_set1_ps(*p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512 __m512 f32z_load_part(const float *p, __mmask16 last) { return _mm512_maskz_loadu_ps(last, p); }
MIK_INLINE MIK_AVX512 __m512 f32z_fma(__m512 x, __m512 y, __m512 c) { return _mm512_fmadd_ps(x, y, c); }
MIK_INLINE MIK_AVX512 __m512 f32z_add(__m512 x, __m512 y) { return _mm512_add_ps(x, y); }
MIK_INLINE MIK_AVX512 __m512 f32z_get(const float *p) { return _mm512_loadu_ps(p); }
MIK_INLINE MIK_AVX512 __m512 f32z_get_part(const float *p, __mmask16 last) { return _mm512_maskz_loadu_ps(last, p); }
MIK_INLINE MIK_AVX512 void f32z_put(float *p, __m512 x) { _mm512_storeu_ps(p, x); }
MIK_INLINE MIK_AVX512 void f32z_put_part(float *p, __m512 x, __mmask16 last) { _mm512_mask_storeu_ps(p, last, x); }
MIK_INLINE MIK_AVX512 __mmask16 f32z_first(int n) { return (__mmask16)(0xffffu >> (16 - n)); }
MIK_INLINE MIK_AVX512 float f32z_sum(__m512 x) { return _mm512_reduce_add_ps(x); }

#if F32Z_NARROWS
/* Sums rounded to 16 bits, to half or bf16; of the last vector those that are there. */
MIK_FOLDED MIK_AVX512 __m256i f32z_rounded(__m512 x, const int half)
{
#if F32Z_NARROWS == 3
    return half ? mik_store_half_sixteen(x) : mik_store_bf16_sixteen(x);
#elif F32Z_NARROWS == 2
    (void)half;
    return mik_store_half_sixteen(x);
#else
    (void)half;
    return mik_store_bf16_sixteen(x);
#endif
}
MIK_FOLDED MIK_AVX512 void f32z_put_narrow(uint16_t *p, __m512 x, const int half)
{
    _mm256_storeu_si256((__m256i *)(void *)p, f32z_rounded(x, half));
}
MIK_FOLDED MIK_AVX512 void f32z_put_narrow_part(uint16_t *p, __m512 x, __mmask16 last, const int half)
{
    _mm512_mask_cvtepi32_storeu_epi16(p, last, _mm512_cvtepu16_epi32(f32z_rounded(x, half)));
}
#endif

/* The sums of four vectors: unpacking and shuffling adds the lanes of all four at once. */
MIK_INLINE MIK_AVX512 void f32z_sum4(__m512 x, __m512 y, __m512 z, __m512 w, float *sum)
{
    const __m512 xy = _mm512_add_ps(_mm512_unpacklo_ps(x, y), _mm512_unpackhi_ps(x, y));
    const __m512 zw = _mm512_add_ps(_mm512_unpacklo_ps(z, w), _mm512_unpackhi_ps(z, w));
    const __m512 all = _mm512_add_ps(_mm512_shuffle_ps(xy, zw, 0x44), _mm512_shuffle_ps(xy, zw, 0xee));
    const __m128 low = _mm_add_ps(_mm512_castps512_ps128(all), _mm512_extractf32x4_ps(all, 1));
    _mm_storeu_ps(sum, _mm_add_ps(low, _mm_add_ps(_mm512_extractf32x4_ps(all, 2), _mm512_extractf32x4_ps(all, 3))));
}
