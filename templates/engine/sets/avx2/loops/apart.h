/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: parts of vectors of every second float; gathers. */
#pragma once
#include "float.h"
#include "strided.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_gather(const float *p, i32y8 at) { return _mm256_i32gather_ps(p, (__m256i)at, 4); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_gather_where(const float *p, i32y8 at, masky8 where)
{
    return _mm256_mask_i32gather_ps(_mm256_setzero_ps(), p, (__m256i)at, (__m256)where, 4);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_gather_part(const float *p, i32y8 at, int64_t n) { return f32y8_gather_where(p, at, masky8_first(n)); }
/* A gather takes offsets of 32 bits. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_apart_where(const float *p, int64_t stride, masky8 where)
{
    if (stride > INT32_MAX / 8 || stride < -(INT32_MAX / 8)) {
        f32y8 x = {0};
        for (int i = 0; i < 8; i++)
            if (where[i])
                x[i] = p[i * stride];
        return x;
    }
    const __m256i at = _mm256_mullo_epi32(_mm256_set1_epi32((int)stride), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_mask_i32gather_ps(_mm256_setzero_ps(), p, at, (__m256)where, 4);
}
/* Of the first n, as f32y8_load_apart does it. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_apart_part(const float *p, int64_t stride, int64_t n)
{
    if (n >= 8)
        return f32y8_load_apart(p, stride);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    if (stride != 2)
        return f32y8_load_apart_where(p, stride, (masky8)_mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane));
    const __m256 low = _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(2 * n - 1)), lane));
    const __m256 high = _mm256_maskload_ps(p + 7, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(2 * n - 8)), lane));
    const __m256 even = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 2, 0));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(even), _MM_SHUFFLE(3, 1, 2, 0)));
}
