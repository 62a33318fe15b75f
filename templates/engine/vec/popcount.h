/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How many bits are 1, of integers without a sign. */
#pragma once
#include "integer.h"

/* Pairs of bits have their counts, then fours, then bytes, which are added up. */
MIK_INLINE MIK_LANES i32p4 i32p4_popcount(i32p4 x)
{
    const int32_t ones = (int32_t)~(int32_t)0, most = (int32_t)(16 * sizeof ones - 1);
    x = x - (x >> 1 & i32p4_all(ones / 3));
    x = (x & i32p4_all(ones / 5)) + (x >> 2 & i32p4_all(ones / 5));
    x = (x + (x >> 4)) & i32p4_all(ones / 17);
    for (int n = 8; n < 8 * (int)sizeof ones; n *= 2)
        x += x >> i32p4_all((int32_t)n);
    return x & i32p4_all(most);
}
