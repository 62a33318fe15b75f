/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: parts of vectors of every second float; others one by one. */
#pragma once
#include "float.h"
#include "strided.h"

/* Up to 16 of the elements from p + at on, of which there are n from p on; others are 0. */
MIK_INLINE MIK_AVX512L __m512 f32z16_load_from(const float *p, int64_t at, int64_t n)
{
    return n > at ? _mm512_maskz_loadu_ps(maskz16_first(n - at), p + at) : _mm512_setzero_ps();
}
/* Every third or fourth of n elements, 0 < n, as f32z16_load_by3 and f32z16_load_by4 have them. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_by3_part(const float *p, int64_t n)
{
    const __m512i low = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 22, 25, 28, 31);
    const __m512 first = f32z16_load_from(p, 0, n), x = _mm512_permutex2var_ps(first, low, f32z16_load_from(p, 16, n));
    return _mm512_maskz_permutex2var_ps(maskz16_first((n + 2) / 3), x, all, f32z16_load_from(p, 30, n));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_by4_part(const float *p, int64_t n)
{
    const __m512i low = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i high = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 12, 19, 23, 27, 31);
    const __m512 x = _mm512_permutex2var_ps(f32z16_load_from(p, 0, n), low, f32z16_load_from(p, 16, n));
    const __m512 y = _mm512_permutex2var_ps(f32z16_load_from(p, 32, n), high, f32z16_load_from(p, 45, n));
    return _mm512_maskz_mov_ps(maskz16_first((n + 3) / 4), _mm512_mask_blend_ps(0xff00, x, y));
}
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
    if (stride == 3 && n > 0)
        return f32z16_load_by3_part(p, 3 * n - 2);
    if (stride == 4 && n > 0)
        return f32z16_load_by4_part(p, 4 * n - 3);
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
