/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Integers. What does not fit wraps around. */
#pragma once
#include "lanes_compare.h"

MIK_INLINE MIK_LANES i32p4 i32p4_all(int32_t x) { return x - (i32p4){0}; }
/* 0, 1, 2 ... */
MIK_INLINE MIK_LANES i32p4 i32p4_iota(void)
{
    i32p4 x = {0};
    for (int i = 0; i < P4_LANES; i++)
        x[i] = i;
    return x;
}
MIK_INLINE MIK_LANES i32p4 i32p4_select(maskp4 where, i32p4 x, i32p4 y) { return (i32p4)(((maskp4)x & where) | ((maskp4)y & ~where)); }
MIK_INLINE MIK_LANES maskp4 i32p4_lt(i32p4 x, i32p4 y) { return (maskp4)(x < y); }
MIK_INLINE MIK_LANES maskp4 i32p4_gt(i32p4 x, i32p4 y) { return (maskp4)(x > y); }
MIK_INLINE MIK_LANES i32p4 i32p4_max(i32p4 x, i32p4 y) { return i32p4_select(i32p4_gt(x, y), x, y); }
MIK_INLINE MIK_LANES i32p4 i32p4_min(i32p4 x, i32p4 y) { return i32p4_select(i32p4_lt(x, y), x, y); }
MIK_INLINE MIK_LANES i32p4 i32p4_abs(i32p4 x) { return i32p4_select(i32p4_lt(x, i32p4_all(0)), -x, x); }
/* A mask as C's 1 and 0. */
MIK_INLINE MIK_LANES i32p4 i32p4_of_mask(maskp4 where) { return i32p4_select(where, i32p4_all(1), i32p4_all(0)); }

/* Reduces all lanes, by halves. */
MIK_INLINE MIK_LANES int32_t i32p4_sum(i32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] += x[i + n];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_product(i32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] *= x[i + n];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_greatest(i32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] = x[i + n] > x[i] ? x[i + n] : x[i];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_least(i32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] = x[i + n] < x[i] ? x[i + n] : x[i];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_and(i32p4 x)
{
    for (int i = 1; i < P4_LANES; i++)
        x[0] &= x[i];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_or(i32p4 x)
{
    for (int i = 1; i < P4_LANES; i++)
        x[0] |= x[i];
    return x[0];
}
MIK_INLINE MIK_LANES int32_t i32p4_xor(i32p4 x)
{
    for (int i = 1; i < P4_LANES; i++)
        x[0] ^= x[i];
    return x[0];
}
