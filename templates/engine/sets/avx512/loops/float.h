/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: floats, written for sixteen of 32 bits. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_all(float x) { return _mm512_set1_ps(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_load(const float *p) { return _mm512_loadu_ps(p); }
MIK_INLINE MIK_AVX512L void f32z16_store(float *p, f32z16 x) { _mm512_storeu_ps(p, x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_where(const float *p, maskz16 where) { return _mm512_maskz_loadu_ps(where, p); }
MIK_INLINE MIK_AVX512L void f32z16_store_where(float *p, f32z16 x, maskz16 where) { _mm512_mask_storeu_ps(p, where, x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_part(const float *p, int64_t n) { return f32z16_load_where(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void f32z16_store_part(float *p, f32z16 x, int64_t n) { f32z16_store_where(p, x, maskz16_first(n)); }

/* A non-temporal store, if `non_temporal`, to where a vector is aligned. */
MIK_INLINE MIK_AVX512L void f32z16_store_non_temporal(float *p, f32z16 x, int non_temporal)
{
    if (non_temporal)
        _mm512_stream_ps(p, x);
    else
        _mm512_storeu_ps(p, x);
}

MIK_INLINE MIK_AVX512L maskz16 f32z16_lt(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OS); }
MIK_INLINE MIK_AVX512L maskz16 f32z16_le(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_LE_OS); }
MIK_INLINE MIK_AVX512L maskz16 f32z16_gt(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_GT_OS); }
MIK_INLINE MIK_AVX512L maskz16 f32z16_ge(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_GE_OS); }
MIK_INLINE MIK_AVX512L maskz16 f32z16_eq(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ); }
MIK_INLINE MIK_AVX512L maskz16 f32z16_ne(f32z16 x, f32z16 y) { return _mm512_cmp_ps_mask(x, y, _CMP_NEQ_UQ); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_select(maskz16 where, f32z16 x, f32z16 y) { return _mm512_mask_blend_ps(where, y, x); }

/* x > y ? x : y and x < y ? x : y, as the instructions have it. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_max(f32z16 x, f32z16 y) { return _mm512_max_ps(x, y); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_min(f32z16 x, f32z16 y) { return _mm512_min_ps(x, y); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_sqrt(f32z16 x) { return _mm512_sqrt_ps(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_mul_add(f32z16 x, f32z16 y, f32z16 z) { return _mm512_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_fma(f32z16 x, f32z16 y, f32z16 z) { return _mm512_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_rint(f32z16 x) { return _mm512_roundscale_ps(x, _MM_FROUND_CUR_DIRECTION); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_floor(f32z16 x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_ceil(f32z16 x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_POS_INF); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_trunc(f32z16 x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_ZERO); }
