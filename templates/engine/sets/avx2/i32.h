/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i32 on AVX2: eight lanes in a ymm register. */
#pragma once
#include "../../c/base.h"

typedef __m256i i32y_vec, i32y_operand, i32y_element;
typedef __m256i i32y_mask;
MIK_INLINE MIK_AVX2 __m256i i32y_zero(void) { return _mm256_setzero_si256(); }
MIK_INLINE MIK_AVX2 __m256i i32y_load(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX2 __m256i i32y_each(const uint32_t *p) { return _mm256_set1_epi32((int)*p); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX2 __m256i i32y_fetch(const uint32_t *p)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256i i32y_splat(const uint32_t *p)
{
    __m256i x = _mm256_set1_epi32((int)*p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256i i32y_load_part(const uint32_t *p, __m256i last)
{
    return _mm256_maskload_epi32((const int *)(const void *)p, last);
}
MIK_INLINE MIK_AVX2 __m256i i32y_fma(__m256i x, __m256i y, __m256i c) { return _mm256_add_epi32(c, _mm256_mullo_epi32(x, y)); }
MIK_INLINE MIK_AVX2 __m256i i32y_add(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
MIK_INLINE MIK_AVX2 __m256i i32y_get(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
MIK_INLINE MIK_AVX2 __m256i i32y_get_part(const uint32_t *p, __m256i last)
{
    return _mm256_maskload_epi32((const int *)(const void *)p, last);
}
MIK_INLINE MIK_AVX2 void i32y_put(uint32_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2 void i32y_put_part(uint32_t *p, __m256i x, __m256i last)
{
    int lanes = _mm256_movemask_ps(_mm256_castsi256_ps(last));
    __m128 rest = _mm256_castps256_ps128(_mm256_castsi256_ps(x));
    if (lanes & 8) {
        _mm_storeu_ps((float *)(void *)p, rest);
        rest = _mm256_extractf128_ps(_mm256_castsi256_ps(x), 1);
        p += 4, lanes >>= 4;
    }
    if (lanes & 2) {
        _mm_storel_pi((__m64 *)(void *)p, rest);
        rest = _mm_movehl_ps(rest, rest);
        p += 2, lanes >>= 2;
    }
    if (lanes & 1)
        *p = (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(rest));
}
MIK_INLINE MIK_AVX2 __m256i i32y_first(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
MIK_INLINE MIK_AVX2 uint32_t i32y_sum(__m256i x)
{
    uint32_t lane[8];
    i32y_put(lane, x);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The sums of four vectors: unpacking and shuffling adds the lanes of all four at once. */
MIK_INLINE MIK_AVX2 void i32y_sum4(__m256i x, __m256i y, __m256i z, __m256i w, uint32_t *sum)
{
    const __m256i xy = _mm256_add_epi32(_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
    const __m256i zw = _mm256_add_epi32(_mm256_unpacklo_epi32(z, w), _mm256_unpackhi_epi32(z, w));
    const __m256i all = _mm256_add_epi32(_mm256_unpacklo_epi64(xy, zw), _mm256_unpackhi_epi64(xy, zw));
    _mm_storeu_si128((__m128i *)(void *)sum, _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)));
}
