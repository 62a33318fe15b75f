/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Bits and bytes in reverse, of integers without a sign. */
#pragma once
#include "integer.h"

/* The two halves of each integer, then of each half, until they have `unit` bits. */
MIK_INLINE MIK_LANES i32p4 i32p4_reverse_units(i32p4 x, int unit)
{
    const int32_t ones = (int32_t)~(int32_t)0;
    for (int n = 4 * (int)sizeof ones; n >= unit; n /= 2) {
        const i32p4 low = i32p4_all((int32_t)(ones / (int32_t)(((int32_t)1 << n) + 1)));
        x = ((x >> i32p4_all((int32_t)n)) & low) | ((x & low) << i32p4_all((int32_t)n));
    }
    return x;
}
MIK_INLINE MIK_LANES i32p4 i32p4_bit_reverse(i32p4 x) { return i32p4_reverse_units(x, 1); }
MIK_INLINE MIK_LANES i32p4 i32p4_byte_reverse(i32p4 x) { return i32p4_reverse_units(x, 8); }
