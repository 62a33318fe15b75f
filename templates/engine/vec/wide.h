/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Products and shifts in lanes of 64 bits, written as if these had 32. */
#pragma once
#include "lanes_types.h"

/* Of numbers that the lower 32 bits hold. */
MIK_INLINE MIK_LANES i32p4 i32p4_mul_low(i32p4 x, i32p4 y) { return x * y; }
MIK_INLINE MIK_LANES i32p4 i32p4_shr(i32p4 x, int n) { return x >> (int32_t)n; }
MIK_INLINE MIK_LANES i32p4 i32p4_shr_each(i32p4 x, i32p4 y) { return x >> y; }
