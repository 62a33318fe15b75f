/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: masks of 64 lanes, and of 32. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef __mmask64 maskz64;
typedef __mmask32 maskz32;

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_AVX512L maskz64 maskz64_first(int64_t n) { return n < 64 ? ((maskz64)1 << n) - 1 : ~(maskz64)0; }
MIK_INLINE MIK_AVX512L maskz32 maskz32_first(int64_t n) { return (maskz32)(n < 32 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0); }
/* Is lane i among those that the mask names? */
MIK_INLINE MIK_AVX512L int maskz64_has(maskz64 where, int i) { return where >> i & 1; }
MIK_INLINE MIK_AVX512L int maskz32_has(maskz32 where, int i) { return where >> i & 1; }
/* Does it name some lane? */
MIK_INLINE MIK_AVX512L int maskz64_any(maskz64 where) { return where != 0; }
MIK_INLINE MIK_AVX512L int maskz32_any(maskz32 where) { return where != 0; }
