/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: floats, written for eight of 32 bits. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_all(float x) { return _mm256_set1_ps(x); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_load(const float *p) { return _mm256_loadu_ps(p); }
MIK_INLINE MIK_AVX2L void f32y8_store(float *p, f32y8 x) { _mm256_storeu_ps(p, x); }
/* A non-temporal store, if `non_temporal`, to where a vector is aligned. */
MIK_INLINE MIK_AVX2L void f32y8_store_non_temporal(float *p, f32y8 x, int non_temporal)
{
    if (non_temporal)
        _mm256_stream_ps(p, x);
    else
        _mm256_storeu_ps(p, x);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_where(const float *p, masky8 where) { return _mm256_maskload_ps(p, (__m256i)where); }
/* AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void f32y8_store_where(float *p, f32y8 x, masky8 where)
{
    if (_mm256_movemask_ps((__m256)where) == 0xff)
        _mm256_storeu_ps(p, x);
    else
        _mm256_maskstore_ps(p, (__m256i)where, x);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_part(const float *p, int64_t n) { return f32y8_load_where(p, masky8_first(n)); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void f32y8_store_part(float *p, f32y8 x, int64_t n)
{
    if (n >= 8) {
        _mm256_storeu_ps(p, x);
        return;
    }
    __m128 rest = _mm256_castps256_ps128(x);
    if (n & 4) {
        _mm_storeu_ps(p, rest);
        rest = _mm256_extractf128_ps(x, 1);
        p += 4;
    }
    if (n & 2) {
        _mm_storel_pi((__m64 *)(void *)p, rest);
        rest = _mm_movehl_ps(rest, rest);
        p += 2;
    }
    if (n & 1)
        *p = _mm_cvtss_f32(rest);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_select(masky8 where, f32y8 x, f32y8 y) { return _mm256_blendv_ps(y, x, (__m256)where); }

/* x > y ? x : y and x < y ? x : y, as the instructions have it. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_max(f32y8 x, f32y8 y) { return _mm256_max_ps(x, y); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_min(f32y8 x, f32y8 y) { return _mm256_min_ps(x, y); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_sqrt(f32y8 x) { return _mm256_sqrt_ps(x); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_mul_add(f32y8 x, f32y8 y, f32y8 z) { return _mm256_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_fma(f32y8 x, f32y8 y, f32y8 z) { return _mm256_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_times_lost(f32y8 x, f32y8 y, f32y8 p) { return _mm256_fmsub_ps(x, y, p); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_rint(f32y8 x) { return _mm256_round_ps(x, _MM_FROUND_CUR_DIRECTION); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_floor(f32y8 x) { return _mm256_floor_ps(x); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_ceil(f32y8 x) { return _mm256_ceil_ps(x); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_trunc(f32y8 x) { return _mm256_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }

/* Reduces all lanes, by halves. */
MIK_INLINE MIK_AVX2L float f32y8_sum(f32y8 x)
{
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}
MIK_INLINE MIK_AVX2L float f32y8_product(f32y8 x)
{
    __m128 y = _mm_mul_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_mul_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_mul_ss(y, _mm_movehdup_ps(y)));
}
MIK_INLINE MIK_AVX2L float f32y8_greatest(f32y8 x)
{
    __m128 y = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_max_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_max_ss(y, _mm_movehdup_ps(y)));
}
MIK_INLINE MIK_AVX2L float f32y8_least(f32y8 x)
{
    __m128 y = _mm_min_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_min_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_min_ss(y, _mm_movehdup_ps(y)));
}
