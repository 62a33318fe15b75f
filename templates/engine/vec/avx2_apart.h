/* AVX2: every second float from two loads; others one by one. */
#pragma once
#include "avx2_float.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_load_apart(const float *p, int64_t stride)
{
    if (stride == 1)
        return _mm256_loadu_ps(p);
    if (stride == 2) { /* of p[7] to p[14] the odd ones: no element behind the last is touched */
        const __m256 even = _mm256_shuffle_ps(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 7), _MM_SHUFFLE(3, 1, 2, 0));
        return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(even), _MM_SHUFFLE(3, 1, 2, 0)));
    }
    f32y8 x = {0};
    for (int i = 0; i < 8; i++)
        x[i] = p[i * stride];
    return x;
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_gather(const float *p, i32y8 at) { return _mm256_i32gather_ps(p, (__m256i)at, 4); }
