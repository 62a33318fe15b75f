/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: integers, written for sixteen of 32 bits. */
#pragma once
#include "float.h"

MIK_INLINE MIK_AVX512L i32z16 i32z16_all(int32_t x) { return (i32z16)_mm512_set1_epi32(x); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load(const int32_t *p) { return (i32z16)_mm512_loadu_epi32(p); }
MIK_INLINE MIK_AVX512L void i32z16_store(int32_t *p, i32z16 x) { _mm512_storeu_epi32(p, (__m512i)x); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_where(const int32_t *p, maskz16 where) { return (i32z16)_mm512_maskz_loadu_epi32(where, p); }
MIK_INLINE MIK_AVX512L void i32z16_store_where(int32_t *p, i32z16 x, maskz16 where) { _mm512_mask_storeu_epi32(p, where, (__m512i)x); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_part(const int32_t *p, int64_t n) { return i32z16_load_where(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_part(int32_t *p, i32z16 x, int64_t n) { i32z16_store_where(p, x, maskz16_first(n)); }

MIK_INLINE MIK_AVX512L maskz16 i32z16_lt(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_LT); }
MIK_INLINE MIK_AVX512L maskz16 i32z16_le(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_LE); }
MIK_INLINE MIK_AVX512L maskz16 i32z16_gt(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NLE); }
MIK_INLINE MIK_AVX512L maskz16 i32z16_ge(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NLT); }
MIK_INLINE MIK_AVX512L maskz16 i32z16_eq(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_EQ); }
MIK_INLINE MIK_AVX512L maskz16 i32z16_ne(i32z16 x, i32z16 y) { return _mm512_cmp_epi32_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NE); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_select(maskz16 where, i32z16 x, i32z16 y)
{
    return (i32z16)_mm512_mask_blend_epi32(where, (__m512i)y, (__m512i)x);
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_max(i32z16 x, i32z16 y) { return (i32z16)_mm512_max_epi32((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_min(i32z16 x, i32z16 y) { return (i32z16)_mm512_min_epi32((__m512i)x, (__m512i)y); }
