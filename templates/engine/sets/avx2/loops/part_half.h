/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: parts of half a register of 32-bit elements in memory, beside elements of 64 bits, written for floats. */
#pragma once
#include "types.h"

typedef float f32y4 __attribute__((vector_size(16)));
typedef int64_t masky4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L f32y4 f32y4_load(const float *p)
{
    f32y4 x;
    memcpy(&x, p, sizeof x);
    return x;
}
/* The lower halves of a mask's elements. */
MIK_INLINE MIK_AVX2L __m128i f32y4_halves(masky4 where)
{
    const __m256i pairs = _mm256_permutevar8x32_epi32((__m256i)where, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    return _mm256_castsi256_si128(pairs);
}
MIK_INLINE MIK_AVX2L f32y4 f32y4_select(masky4 where, f32y4 x, f32y4 y)
{
    return (f32y4)_mm_blendv_epi8((__m128i)y, (__m128i)x, f32y4_halves(where));
}
MIK_INLINE MIK_AVX2L f32y4 f32y4_load_where(const float *p, masky4 where)
{
    return (f32y4)_mm_maskload_epi32((const int *)(const void *)p, f32y4_halves(where));
}
MIK_INLINE MIK_AVX2L f32y4 f32y4_load_part(const float *p, int64_t n)
{
    const __m128i first = _mm_cmpgt_epi32(_mm_set1_epi32(n < 4 ? (int)n : 4), _mm_setr_epi32(0, 1, 2, 3));
    return (f32y4)_mm_maskload_epi32((const int *)(const void *)p, first);
}
MIK_INLINE MIK_AVX2L void f32y4_store_part(float *p, f32y4 x, int64_t n)
{
    __m128i rest = (__m128i)x;
    if (n >= 4) {
        memcpy(p, &x, sizeof x);
        return;
    }
    if (n & 2) {
        _mm_storel_epi64((__m128i *)(void *)p, rest);
        rest = _mm_unpackhi_epi64(rest, rest);
        p += 2;
    }
    if (n & 1)
        memcpy(p, &rest, sizeof *p);
}
