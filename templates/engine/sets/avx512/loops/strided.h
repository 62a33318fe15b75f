/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: every second, third or fourth element of 32 bits, by shuffles of vectors that have all of them; no element behind the last is
 * touched, so the last of these vectors ends with it. Other strides one by one, which compilers do in registers only if all are named. */
#pragma once
#include "apart_each.h"

MIK_INLINE MIK_AVX512L __m512i f32z16_load_by2(const float *p)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), even, _mm512_loadu_si512(p + 15));
}
MIK_INLINE MIK_AVX512L __m512i f32z16_load_by3(const float *p)
{
    const __m512i low = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 22, 25, 28, 31);
    const __m512i x = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 16));
    return _mm512_permutex2var_epi32(x, all, _mm512_loadu_si512(p + 30));
}
MIK_INLINE MIK_AVX512L __m512i f32z16_load_by4(const float *p)
{
    const __m512i low = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i high = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 12, 19, 23, 27, 31);
    const __m512i x = _mm512_permutex2var_epi32(_mm512_loadu_si512(p), low, _mm512_loadu_si512(p + 16));
    const __m512i y = _mm512_permutex2var_epi32(_mm512_loadu_si512(p + 32), high, _mm512_loadu_si512(p + 45));
    return _mm512_mask_blend_epi32(0xff00, x, y);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart(const float *p, int64_t stride)
{
    switch (stride) {
    case 1: return (f32z16)_mm512_loadu_si512(p);
    case 2: return (f32z16)f32z16_load_by2(p);
    case 3: return (f32z16)f32z16_load_by3(p);
    case 4: return (f32z16)f32z16_load_by4(p);
    default: break;
    }
    return f32z16_load_each(p, stride);
}
MIK_INLINE MIK_AVX512L void f32z16_store_apart(float *p, f32z16 x, int64_t stride)
{
    const __m512i v = (__m512i)x;
    if (stride == 2) {
        const __m512i low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
        _mm512_mask_storeu_epi32(p, 0x5555, _mm512_permutexvar_epi32(low, v));
        _mm512_mask_storeu_epi32(p + 16, 0x5555, _mm512_permutexvar_epi32(high, v));
    } else if (stride == 3) {
        const __m512i low = _mm512_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5);
        const __m512i middle = _mm512_setr_epi32(5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10);
        const __m512i high = _mm512_setr_epi32(10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15);
        _mm512_mask_storeu_epi32(p, 0x9249, _mm512_permutexvar_epi32(low, v));
        _mm512_mask_storeu_epi32(p + 16, 0x4924, _mm512_permutexvar_epi32(middle, v));
        _mm512_mask_storeu_epi32(p + 32, 0x2492, _mm512_permutexvar_epi32(high, v));
    } else {
        for (int i = 0; i < 16; i++)
            p[i * stride] = x[i];
    }
}
