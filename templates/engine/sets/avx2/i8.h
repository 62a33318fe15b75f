/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i8 on AVX2: eight sums in a ymm register; an operand has a pair of int16_t for each. */
#pragma once
#include "../../c/base.h"

typedef __m256i i8y_vec, i8y_operand, i8y_element;
typedef __m256i i8y_mask;
MIK_INLINE MIK_AVX2 __m256i i8y_zero(void) { return _mm256_setzero_si256(); }
MIK_INLINE MIK_AVX2 __m256i i8y_load(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX2 __m256i i8y_each(const int16_t *p) { return _mm256_set1_epi32(mik_word(p)); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX2 __m256i i8y_fetch(const int16_t *p)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256i i8y_splat(const int16_t *p)
{
    __m256i x = _mm256_set1_epi32(mik_word(p));
    __asm__("" : "+x"(x));
    return x;
}
MIK_INLINE MIK_AVX2 __m256i i8y_load_part(const int16_t *p, __m256i last)
{
    return _mm256_maskload_epi32((const int *)(const void *)p, last);
}
MIK_INLINE MIK_AVX2 __m256i i8y_fma(__m256i x, __m256i y, __m256i c) { return _mm256_add_epi32(c, _mm256_madd_epi16(x, y)); }
MIK_INLINE MIK_AVX2 __m256i i8y_add(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
MIK_INLINE MIK_AVX2 __m256i i8y_get(const int32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
MIK_INLINE MIK_AVX2 __m256i i8y_get_part(const int32_t *p, __m256i last) { return _mm256_maskload_epi32(p, last); }
MIK_INLINE MIK_AVX2 void i8y_put(int32_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2 void i8y_put_part(int32_t *p, __m256i x, __m256i last)
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
        *p = _mm_cvtsi128_si32(_mm_castps_si128(rest));
}
MIK_INLINE MIK_AVX2 __m256i i8y_first(int n) { return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)); }
MIK_INLINE MIK_AVX2 int32_t i8y_sum(__m256i x)
{
    int32_t lane[8];
    i8y_put(lane, x);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
