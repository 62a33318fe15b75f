/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What multiplications of doubles lose. */
#pragma once
#include "math_log_f64.h"

/* x without the last 27 of its bits. */
MIK_INLINE MIK_LANES f64p2 f64p2_head(f64p2 x) { return f64p2_of_bits(f64p2_bits(x) & ~INT64_C(0x7ffffff)); }
/* x * y, rounded by itself: compilers that like to make one of a multiplication and an addition do not see it. */
MIK_INLINE MIK_LANES f64p2 f64p2_times(f64p2 x, f64p2 y)
{
    f64p2 p = x * y;
#if MIK_X86
    __asm__("" : "+v"(p));
#elif MIK_NEON
    __asm__("" : "+w"(p));
#endif
    return p;
}
/* x * y - p for their product p. Halves of the bits multiply exactly. */
MIK_INLINE MIK_LANES f64p2 f64p2_times_lost(f64p2 x, f64p2 y, f64p2 p)
{
#if MIK_NEON
    return f64p2_mul_add(x, y, -p);
#else
    const f64p2 a = f64p2_head(x), b = x - a, c = f64p2_head(y), d = y - c;
    return a * c - p + a * d + b * c + b * d;
#endif
}
