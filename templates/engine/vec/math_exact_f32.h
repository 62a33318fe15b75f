/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What multiplications of floats lose, as math_exact_f64.h has it for doubles. */
#pragma once
#include "math_log_f32.h"

/* x without the last 12 of its bits. */
MIK_INLINE MIK_LANES f32p4 f32p4_head(f32p4 x) { return f32p4_of_bits(f32p4_bits(x) & ~0xfff); }
/* x * y, rounded by itself: compilers that like to make one of a multiplication and an addition do not see it. */
MIK_INLINE MIK_LANES f32p4 f32p4_times(f32p4 x, f32p4 y)
{
    f32p4 p = x * y;
#if MIK_X86
    __asm__("" : P4_HELD(p));
#elif MIK_NEON
    __asm__("" : "+w"(p));
#endif
    return p;
}
/* x * y - p for their product p. Halves of the bits multiply exactly. */
MIK_INLINE MIK_LANES f32p4 f32p4_times_lost(f32p4 x, f32p4 y, f32p4 p)
{
#if MIK_NEON
    return f32p4_mul_add(x, y, -p);
#else
    const f32p4 a = f32p4_head(x), b = x - a, c = f32p4_head(y), d = y - c;
    return a * c - p + a * d + b * c + b * d;
#endif
}
