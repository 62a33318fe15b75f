/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: every second, third or fourth element of 32 bits, by shuffles of vectors that have all of them; no element behind the last is
 * touched. Other strides one by one, which compilers do in registers only if all are named. */
#pragma once
#include "apart_each.h"

/* Eight elements of any type, for shuffles that floats have. */
MIK_INLINE MIK_AVX2L __m256 f32y8_words(const float *p) { return (__m256)_mm256_loadu_si256((const __m256i *)(const void *)p); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_by2(const float *p)
{
    const __m256 even = _mm256_shuffle_ps(f32y8_words(p), f32y8_words(p + 7), _MM_SHUFFLE(3, 1, 2, 0));
    return (f32y8)_mm256_permute4x64_pd(_mm256_castps_pd(even), _MM_SHUFFLE(3, 1, 2, 0));
}
/* Of 0, 3, .. 21 each vector has some, all in other lanes. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_by3(const float *p)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8));
    const __m256i z = _mm256_maskload_epi32((const int *)(const void *)(p + 16), _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, 0, 0));
    const __m256i all = _mm256_blend_epi32(_mm256_blend_epi32(x, y, 0x92), z, 0x24);
    return (f32y8)_mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_by4(const float *p)
{
    const __m256 x = _mm256_shuffle_ps(f32y8_words(p), f32y8_words(p + 8), _MM_SHUFFLE(0, 0, 0, 0));
    const __m256 y = _mm256_shuffle_ps(f32y8_words(p + 16), f32y8_words(p + 21), _MM_SHUFFLE(3, 3, 0, 0));
    const __m256 all = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
    return (f32y8)_mm256_permutevar8x32_epi32(_mm256_castps_si256(all), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_apart(const float *p, int64_t stride)
{
    switch (stride) {
    case 1: return (f32y8)_mm256_loadu_si256((const __m256i *)(const void *)p);
    case 2: return f32y8_load_by2(p);
    case 3: return f32y8_load_by3(p);
    case 4: return f32y8_load_by4(p);
    default: break;
    }
    return f32y8_load_each(p, stride);
}
