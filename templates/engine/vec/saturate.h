/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Averages of lanes of 8 or 16 bits without a sign, rounded up, and saturating sums and differences. Written for bytes. */
#pragma once
#include "integer.h"

typedef int8_t i8p16 __attribute__((vector_size(16)));
typedef uint8_t u8p16 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES u8p16 u8p16_average(u8p16 x, u8p16 y) { return (x | y) - ((x ^ y) >> 1); }
MIK_INLINE MIK_LANES u8p16 u8p16_add_sat(u8p16 x, u8p16 y)
{
    const u8p16 sum = x + y;
    return sum | (u8p16)(sum < x);
}
MIK_INLINE MIK_LANES u8p16 u8p16_sub_sat(u8p16 x, u8p16 y) { return (x - y) & (u8p16)(x > y); }
/* What does not fit is the greatest number, or the least: by the sign of x. */
MIK_INLINE MIK_LANES i8p16 i8p16_saturate(i8p16 x, i8p16 fits, i8p16 result)
{
    const uint8_t greatest = (uint8_t)((uint8_t)-1 / 2);
    const u8p16 nearest = ((u8p16)x >> (8 * sizeof greatest - 1)) + greatest, right = (u8p16)(fits >= 0);
    return (i8p16)(((u8p16)result & right) | (nearest & ~right));
}
MIK_INLINE MIK_LANES i8p16 i8p16_add_sat(i8p16 x, i8p16 y)
{
    const i8p16 sum = (i8p16)((u8p16)x + (u8p16)y);
    return i8p16_saturate(x, (sum ^ x) & (sum ^ y), sum);
}
MIK_INLINE MIK_LANES i8p16 i8p16_sub_sat(i8p16 x, i8p16 y)
{
    const i8p16 difference = (i8p16)((u8p16)x - (u8p16)y);
    return i8p16_saturate(x, (difference ^ x) & (x ^ y), difference);
}
