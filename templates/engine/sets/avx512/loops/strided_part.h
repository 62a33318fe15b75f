/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: some of the elements of 32 bits as far from one another as a stride says. Up to four apart masks name them in the vectors that
 * have all of them; others one by one. */
#pragma once
#include "strided.h"

/* The bits, so far from one another: 1 to 4. */
MIK_INLINE MIK_AVX512L uint64_t f32z16_spread(maskz16 where, int64_t apart)
{
    uint64_t bits = where;
    if (apart == 2) {
        bits = (bits | bits << 8) & 0x00ff00ff;
        bits = (bits | bits << 4) & 0x0f0f0f0f;
        bits = (bits | bits << 2) & 0x33333333;
        bits = (bits | bits << 1) & 0x55555555;
    } else if (apart == 3) {
        bits = (bits | bits << 16) & 0x0000ff0000ff;
        bits = (bits | bits << 8) & 0x00f00f00f00f;
        bits = (bits | bits << 4) & 0x0c30c30c30c3;
        bits = (bits | bits << 2) & 0x249249249249;
    } else if (apart == 4) {
        bits = (bits | bits << 24) & 0x000000ff000000ff;
        bits = (bits | bits << 12) & 0x000f000f000f000f;
        bits = (bits | bits << 6) & 0x0303030303030303;
        bits = (bits | bits << 3) & 0x1111111111111111;
    }
    return bits;
}
/* Of those that the bits name, numbers 16 * i to 16 * i + 15. */
MIK_INLINE MIK_AVX512L __m512i f32z16_load_named(const float *p, uint64_t named, int i)
{
    return _mm512_maskz_loadu_epi32((__mmask16)(named >> 16 * i), p + 16 * i);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_near_where(const float *p, int64_t stride, maskz16 where)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const __m512i at = (__m512i)(lane * (int32_t)stride); /* of which a shuffle of two vectors takes 5 bits */
    const uint64_t named = f32z16_spread(where, stride);
    const __m512i first = f32z16_load_named(p, named, 0);
    if (stride == 1)
        return (f32z16)first;
    const __m512i low = _mm512_permutex2var_epi32(first, at, f32z16_load_named(p, named, 1));
    if (stride == 2)
        return (f32z16)low;
    const __m512i third = f32z16_load_named(p, named, 2), fourth = stride == 4 ? f32z16_load_named(p, named, 3) : third;
    return (f32z16)_mm512_mask_blend_epi32(stride == 4 ? 0xff00 : 0xf800, low, _mm512_permutex2var_epi32(third, at, fourth));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart_where(const float *p, int64_t stride, maskz16 where)
{
    __m512i x = _mm512_setzero_si512();
    if (stride > 0 && stride < 5)
        return f32z16_load_near_where(p, stride, where);
    if (where == (maskz16)-1)
        return f32z16_load_apart(p, stride);
    for (unsigned left = where; left; left &= left - 1) { /* few, as a rule: at a border, or of a short row */
        int32_t bits;
        memcpy(&bits, p + __builtin_ctz(left) * stride, sizeof bits);
        x = _mm512_mask_set1_epi32(x, (maskz16)(left & (0 - left)), bits);
    }
    return (f32z16)x;
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart_part(const float *p, int64_t stride, int64_t n)
{
    return n < 16 ? f32z16_load_apart_where(p, stride, n > 0 ? maskz16_first(n) : 0) : f32z16_load_apart(p, stride);
}
MIK_INLINE MIK_AVX512L void f32z16_store_apart_where(float *p, f32z16 x, int64_t stride, maskz16 where)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (stride > 0 && stride < 5) {
        const uint64_t named = f32z16_spread(where, stride);
        MIK_UNROLL
        for (int i = 0; i < 4; i++) {
            const __m512i from = (__m512i)((lane + 16 * i) / (int32_t)stride);
            if (i < stride)
                _mm512_mask_storeu_epi32(p + 16 * i, (__mmask16)(named >> 16 * i), _mm512_permutexvar_epi32(from, (__m512i)x));
        }
        return;
    }
    for (unsigned left = where; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        p[i * stride] = x[i];
    }
}
MIK_INLINE MIK_AVX512L void f32z16_store_apart_part(float *p, f32z16 x, int64_t stride, int64_t n)
{
    f32z16_store_apart_where(p, x, stride, n > 0 ? maskz16_first(n) : 0);
}
