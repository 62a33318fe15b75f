/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the lanes of whole registers of integers, reduced. Sums and products, which may wrap, are not here: how is the compiler's. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_AVX512L int32_t i32z16_greatest(i32z16 x) { return _mm512_reduce_max_epi32((__m512i)x); }
MIK_INLINE MIK_AVX512L int32_t i32z16_least(i32z16 x) { return _mm512_reduce_min_epi32((__m512i)x); }
