/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: 64-bit integers become ones of 32 bits by an instruction of their own. What gcc makes of __builtin_convertvector ends as a part
   of a register, whose masked store it turns into vextracti32x8: that touches memory in all lanes. */
#pragma once
#include "types.h"

typedef int32_t i32z8 __attribute__((vector_size(32)));
typedef int64_t i64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i32z8 i32z8_of_i64(i64z8 x) { return (i32z8)_mm512_cvtepi64_epi32((__m512i)x); }
