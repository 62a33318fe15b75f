/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The lower 32 bits of integers that floats hold. */
#pragma once
#include "lanes_functions_f32.h"
#include "floats.h"
#include "../sets/portable/loops/mask.h"

/* Of numbers with more than 32 bits: by parts of 16, which are exact. 0 of what has no 64 bits, as the lower half of x86's own result. */
MIK_INLINE MIK_LANES i32p4 f32p4_low_of_long(f32p4 x)
{
    const f32p4 part = f32p4_all(65536.0f), inverse = f32p4_all(1 / 65536.0f);
    const f32p4 high = f32p4_trunc(x * inverse), low = x - high * part, middle = high - f32p4_trunc(high * inverse) * part;
    const u32p4 bits = ((u32p4)i32p4_of_f32(middle) << 16) + (u32p4)i32p4_of_f32(low);
    return i32p4_select(f32p4_lt(f32p4_abs(x), f32p4_all(0x1p63f)), (i32p4)bits, i32p4_all(0));
}
/* Of what is an integer. A conversion of too large a number is the least or the greatest integer, which few others are. */
MIK_INLINE MIK_LANES i32p4 f32p4_low_int(f32p4 x)
{
    const i32p4 near = i32p4_of_f32(x);
    return maskp4_any(i32p4_eq(near ^ (near >> 31), i32p4_all(INT32_MAX))) ? f32p4_low_of_long(x) : near;
}
