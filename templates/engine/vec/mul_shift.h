/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Fixed-point products of integers of 32 bits. */
#pragma once
#include "lanes_types.h"

/* (x * y + added) >> n, computed with 64 bits; 0 <= n <= 32. */
MIK_INLINE MIK_LANES i32p4 i32p4_mul_shift(i32p4 x, i32p4 y, int64_t added, int n)
{
    i32p4 z = {0};
    for (int i = 0; i < P4_LANES; i++)
        z[i] = (int32_t)(((uint64_t)x[i] * (uint64_t)y[i] + (uint64_t)added) >> n);
    return z;
}
