/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Comparisons and choices of 32-bit elements in the shape of 64-bit ones, written for f32 as if it were of 32. */
#pragma once
#include "memory.h"

MIK_INLINE MIK_LANES maskp4 f32p4_lt(f32p4 x, f32p4 y) { return __builtin_convertvector(x < y, maskp4); }
MIK_INLINE MIK_LANES maskp4 f32p4_le(f32p4 x, f32p4 y) { return __builtin_convertvector(x <= y, maskp4); }
MIK_INLINE MIK_LANES maskp4 f32p4_gt(f32p4 x, f32p4 y) { return __builtin_convertvector(x > y, maskp4); }
MIK_INLINE MIK_LANES maskp4 f32p4_ge(f32p4 x, f32p4 y) { return __builtin_convertvector(x >= y, maskp4); }
MIK_INLINE MIK_LANES maskp4 f32p4_eq(f32p4 x, f32p4 y) { return __builtin_convertvector(x == y, maskp4); }
MIK_INLINE MIK_LANES maskp4 f32p4_ne(f32p4 x, f32p4 y) { return __builtin_convertvector(x != y, maskp4); }
MIK_INLINE MIK_LANES f32p4 f32p4_select(maskp4 where, f32p4 x, f32p4 y)
{
    const i32p4 m = __builtin_convertvector(where, i32p4);
    return (f32p4)(((i32p4)x & m) | ((i32p4)y & ~m));
}
