/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Comparisons of 32-bit integers in the shape of 64-bit ones. They are made wider before, not after: of two numbers that are the same in all
   lanes gcc 12 makes the latter a choice that it has no instruction for, and stops. */
#pragma once
#include "lanes_types.h"
#include "shape.h"

MIK_INLINE MIK_LANES maskp4 i32p4_eq(i32p4 x, i32p4 y)
{
    return (maskp4)(__builtin_convertvector(x, maskp4) == __builtin_convertvector(y, maskp4));
}
MIK_INLINE MIK_LANES maskp4 i32p4_ne(i32p4 x, i32p4 y)
{
    return (maskp4)(__builtin_convertvector(x, maskp4) != __builtin_convertvector(y, maskp4));
}
