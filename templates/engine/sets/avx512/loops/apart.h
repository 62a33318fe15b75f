/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: parts of vectors of every second float; others one by one. */
#pragma once
#include "float.h"
#include "strided.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart_part(const float *p, int64_t stride, int64_t n)
{
    f32z16 x = {0};
    if (n >= 16)
        return f32z16_load_apart(p, stride);
    if (stride == 1)
        return _mm512_maskz_loadu_ps(maskz16_first(n), p);
    if (stride == 2 && n > 0) { /* 2 n - 1 elements */
        const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
        const __m512 low = _mm512_maskz_loadu_ps(maskz16_first(2 * n - 1), p);
        return _mm512_permutex2var_ps(low, even, n > 8 ? _mm512_maskz_loadu_ps(maskz16_first(2 * n - 16), p + 15) : _mm512_setzero_ps());
    }
    for (int i = 0; i < n; i++)
        x[i] = p[i * stride];
    return x;
}
/* Bits 0 to 7 as bits 0, 2, .. 14. */
MIK_INLINE MIK_AVX512L maskz16 f32z16_spread(unsigned bits)
{
    bits = (bits | bits << 4) & 0x0f0f;
    bits = (bits | bits << 2) & 0x3333;
    return (maskz16)((bits | bits << 1) & 0x5555);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart_where(const float *p, int64_t stride, maskz16 where)
{
    f32z16 x = {0};
    if (stride == 2) {
        const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
        const maskz16 low = f32z16_spread(where & 0xff), high = (maskz16)(f32z16_spread(where >> 8) << 1);
        return _mm512_permutex2var_ps(_mm512_maskz_loadu_ps(low, p), even, _mm512_maskz_loadu_ps(high, p + 15));
    }
    if (stride == 1)
        return _mm512_maskz_loadu_ps(where, p);
    for (unsigned left = where; left; left &= left - 1) /* few, as a rule: at a border, or of a short row */
        x = _mm512_mask_mov_ps(x, (maskz16)(left & (0 - left)), _mm512_set1_ps(p[__builtin_ctz(left) * stride]));
    return x;
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather(const float *p, i32z16 at) { return _mm512_i32gather_ps((__m512i)at, p, 4); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_where(const float *p, i32z16 at, maskz16 where)
{
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), where, (__m512i)at, p, 4);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_gather_part(const float *p, i32z16 at, int64_t n)
{
    return f32z16_gather_where(p, at, maskz16_first(n));
}
