/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the lanes of whole registers, reduced. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX512L float f32z16_sum(f32z16 x) { return _mm512_reduce_add_ps(x); }
MIK_INLINE MIK_AVX512L float f32z16_product(f32z16 x) { return _mm512_reduce_mul_ps(x); }
MIK_INLINE MIK_AVX512L float f32z16_greatest(f32z16 x) { return _mm512_reduce_max_ps(x); }
MIK_INLINE MIK_AVX512L float f32z16_least(f32z16 x) { return _mm512_reduce_min_ps(x); }
