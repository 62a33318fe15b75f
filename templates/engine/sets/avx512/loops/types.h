/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: sixteen lanes, or eight of 64 bits; masks in registers of their own. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef float f32z16 __attribute__((vector_size(64)));
typedef int32_t i32z16 __attribute__((vector_size(64)));
typedef __mmask16 maskz16;

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_AVX512L maskz16 maskz16_first(int64_t n) { return (maskz16)(n < Z16_LANES ? (1u << n) - 1 : ~0u); }
/* Is lane i among those that the mask names? */
MIK_INLINE MIK_AVX512L int maskz16_has(maskz16 where, int i) { return where >> i & 1; }
/* Does it name some lane? */
MIK_INLINE MIK_AVX512L int maskz16_any(maskz16 where) { return where != 0; }
/* Each lane twice, of the lower half, of the upper one. */
MIK_INLINE MIK_AVX512L maskz16 maskz16_low_twice(maskz16 where)
{
    unsigned bits = where & ((1u << Z16_LANES / 2) - 1);
    bits = (bits | bits << 4) & 0x0f0f;
    bits = (bits | bits << 2) & 0x3333;
    bits = (bits | bits << 1) & 0x5555;
    return (maskz16)(bits | bits << 1);
}
MIK_INLINE MIK_AVX512L maskz16 maskz16_high_twice(maskz16 where) { return maskz16_low_twice((maskz16)(where >> Z16_LANES / 2)); }
