/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of f32 on AVX2 with FMA: eight lanes in a ymm register. */
#pragma once
#include "../../c/base.h"

typedef __m256 f32y_vec, f32y_operand, f32y_element;
typedef __m256i f32y_mask;
MIK_INLINE MIK_AVX2 __m256 f32y_zero(void) { return _mm256_setzero_ps(); }
MIK_INLINE MIK_AVX2 __m256 f32y_load(const float *p) { return _mm256_loadu_ps(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX2 __m256 f32y_each(const float *p) { return _mm256_broadcast_ss(p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX2 __m256 f32y_fetch(const float *p)
{
    __m256 x = _mm256_loadu_ps(p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256 f32y_splat(const float *p)
{
    __m256 x = _mm256_broadcast_ss(p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256 f32y_load_part(const float *p, __m256i last) { return _mm256_maskload_ps(p, last); }
MIK_INLINE MIK_AVX2 __m256 f32y_fma(__m256 x, __m256 y, __m256 c) { return _mm256_fmadd_ps(x, y, c); }
MIK_INLINE MIK_AVX2 __m256 f32y_add(__m256 x, __m256 y) { return _mm256_add_ps(x, y); }
MIK_INLINE MIK_AVX2 __m256 f32y_get(const float *p) { return _mm256_loadu_ps(p); }
MIK_INLINE MIK_AVX2 __m256 f32y_get_part(const float *p, __m256i last) { return _mm256_maskload_ps(p, last); }
MIK_INLINE MIK_AVX2 void f32y_put(float *p, __m256 x) { _mm256_storeu_ps(p, x); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2 void f32y_put_part(float *p, __m256 x, __m256i last)
{
    int lanes = _mm256_movemask_ps(_mm256_castsi256_ps(last));
    __m128 rest = _mm256_castps256_ps128(x);
    if (lanes & 8) {
        _mm_storeu_ps(p, rest);
        rest = _mm256_extractf128_ps(x, 1);
        p += 4, lanes >>= 4;
    }
    if (lanes & 2) {
        _mm_storel_pi((__m64 *)(void *)p, rest);
        rest = _mm_movehl_ps(rest, rest);
        p += 2, lanes >>= 2;
    }
    if (lanes & 1)
        *p = _mm_cvtss_f32(rest);
}
MIK_INLINE MIK_AVX2 __m256i f32y_first(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
MIK_INLINE MIK_AVX2 float f32y_sum(__m256 x)
{
    float lane[8];
    f32y_put(lane, x);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The sums of four vectors: unpacking and shuffling adds the lanes of all four at once. */
MIK_INLINE MIK_AVX2 void f32y_sum4(__m256 x, __m256 y, __m256 z, __m256 w, float *sum)
{
    const __m256 xy = _mm256_add_ps(_mm256_unpacklo_ps(x, y), _mm256_unpackhi_ps(x, y));
    const __m256 zw = _mm256_add_ps(_mm256_unpacklo_ps(z, w), _mm256_unpackhi_ps(z, w));
    const __m256 all = _mm256_add_ps(_mm256_shuffle_ps(xy, zw, 0x44), _mm256_shuffle_ps(xy, zw, 0xee));
    _mm_storeu_ps(sum, _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
}
