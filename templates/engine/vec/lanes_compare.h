/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Comparisons and choices of elements that are as wide as the shape's widest. */
#pragma once
#include "memory.h"

MIK_INLINE MIK_LANES maskp4 f32p4_lt(f32p4 x, f32p4 y) { return (maskp4)(x < y); }
MIK_INLINE MIK_LANES maskp4 f32p4_le(f32p4 x, f32p4 y) { return (maskp4)(x <= y); }
MIK_INLINE MIK_LANES maskp4 f32p4_gt(f32p4 x, f32p4 y) { return (maskp4)(x > y); }
MIK_INLINE MIK_LANES maskp4 f32p4_ge(f32p4 x, f32p4 y) { return (maskp4)(x >= y); }
MIK_INLINE MIK_LANES maskp4 f32p4_eq(f32p4 x, f32p4 y) { return (maskp4)(x == y); }
MIK_INLINE MIK_LANES maskp4 f32p4_ne(f32p4 x, f32p4 y) { return (maskp4)(x != y); }
MIK_INLINE MIK_LANES f32p4 f32p4_select(maskp4 where, f32p4 x, f32p4 y) { return (f32p4)(((maskp4)x & where) | ((maskp4)y & ~where)); }
