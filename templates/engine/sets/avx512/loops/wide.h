/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: products in lanes of 64 bits. */
#pragma once
#include "types.h"

typedef int64_t i64z8 __attribute__((vector_size(64)));
typedef uint64_t u64z8 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i64z8 i64z8_mul_low(i64z8 x, i64z8 y) { return (i64z8)_mm512_mul_epi32((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L u64z8 u64z8_mul_low(u64z8 x, u64z8 y) { return (u64z8)_mm512_mul_epu32((__m512i)x, (__m512i)y); }
