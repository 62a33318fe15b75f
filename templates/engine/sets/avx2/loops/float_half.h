/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Floats in the shape of 64-bit elements, half a register: what there are instructions for. Written for four. */
#pragma once
#include "types.h"

typedef float f32y4 __attribute__((vector_size(16)));

MIK_INLINE MIK_AVX2L f32y4 f32y4_max(f32y4 x, f32y4 y) { return _mm_max_ps(x, y); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_min(f32y4 x, f32y4 y) { return _mm_min_ps(x, y); }
/* fmaxf, fminf: what is no number gives the other. */
MIK_INLINE MIK_AVX2L f32y4 f32y4_fmax(f32y4 x, f32y4 y) { return _mm_blendv_ps(_mm_max_ps(y, x), y, _mm_cmp_ps(x, x, _CMP_UNORD_Q)); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_fmin(f32y4 x, f32y4 y) { return _mm_blendv_ps(_mm_min_ps(y, x), y, _mm_cmp_ps(x, x, _CMP_UNORD_Q)); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_sqrt(f32y4 x) { return _mm_sqrt_ps(x); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_mul_add(f32y4 x, f32y4 y, f32y4 z) { return _mm_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_fma(f32y4 x, f32y4 y, f32y4 z) { return _mm_fmadd_ps(x, y, z); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_rint(f32y4 x) { return _mm_round_ps(x, _MM_FROUND_CUR_DIRECTION); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_floor(f32y4 x) { return _mm_floor_ps(x); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_ceil(f32y4 x) { return _mm_ceil_ps(x); }
MIK_INLINE MIK_AVX2L f32y4 f32y4_trunc(f32y4 x) { return _mm_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
