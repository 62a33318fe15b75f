/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What C's library has for floats and instructions exist for. Constants in hexadecimal are bits. */
#pragma once
#include "lanes_compare.h"
#include "integer.h"

/* x > y ? x : y and x < y ? x : y: of a NaN y. */
MIK_INLINE MIK_LANES f32p4 f32p4_max(f32p4 x, f32p4 y) { return f32p4_select(f32p4_gt(x, y), x, y); }
MIK_INLINE MIK_LANES f32p4 f32p4_min(f32p4 x, f32p4 y) { return f32p4_select(f32p4_lt(x, y), x, y); }
/* fmaxf, fminf: what is no number gives the other. */
MIK_INLINE MIK_LANES f32p4 f32p4_fmax(f32p4 x, f32p4 y) { return f32p4_select(f32p4_ne(x, x), y, f32p4_max(y, x)); }
MIK_INLINE MIK_LANES f32p4 f32p4_fmin(f32p4 x, f32p4 y) { return f32p4_select(f32p4_ne(x, x), y, f32p4_min(y, x)); }

MIK_INLINE MIK_LANES i32p4 f32p4_bits(f32p4 x) { return (i32p4)x; }
MIK_INLINE MIK_LANES f32p4 f32p4_of_bits(i32p4 x) { return (f32p4)x; }
MIK_INLINE MIK_LANES f32p4 f32p4_abs(f32p4 x) { return f32p4_of_bits(f32p4_bits(x) & ~f32p4_bits(f32p4_all(-0.0f))); }
MIK_INLINE MIK_LANES f32p4 f32p4_copysign(f32p4 x, f32p4 sign)
{
    const i32p4 bit = f32p4_bits(f32p4_all(-0.0f));
    return f32p4_of_bits((f32p4_bits(x) & ~bit) | (f32p4_bits(sign) & bit));
}
/* x, whose sign bit is 0, with another one's. */
MIK_INLINE MIK_LANES f32p4 f32p4_signed_as(f32p4 x, f32p4 sign)
{
    return f32p4_of_bits(f32p4_bits(x) | (f32p4_bits(sign) & f32p4_bits(f32p4_all(-0.0f))));
}
MIK_INLINE MIK_LANES f32p4 f32p4_sqrt(f32p4 x)
{
#if MIK_NEON
    return (f32p4)P4_NEON_SQRT((P4_NEON)x);
#else
    for (int i = 0; i < P4_LANES; i++)
        x[i] = sqrtf(x[i]);
    return x;
#endif
}
/* x * y + z, rounded once where there is an instruction for that. */
MIK_INLINE MIK_LANES f32p4 f32p4_mul_add(f32p4 x, f32p4 y, f32p4 z)
{
#if MIK_NEON
    return (f32p4)P4_NEON_FMA((P4_NEON)z, (P4_NEON)x, (P4_NEON)y);
#else
    return x * y + z;
#endif
}
/* Rounded once, whatever that takes. */
MIK_INLINE MIK_LANES f32p4 f32p4_fma(f32p4 x, f32p4 y, f32p4 z)
{
#if MIK_NEON
    return (f32p4)P4_NEON_FMA((P4_NEON)z, (P4_NEON)x, (P4_NEON)y);
#else
    for (int i = 0; i < P4_LANES; i++)
        z[i] = fmaf(x[i], y[i], z[i]);
    return z;
#endif
}

/* To integers, as floats. Adding and taking away 2^23 rounds what has a fraction at all. */
MIK_INLINE MIK_LANES f32p4 f32p4_rint(f32p4 x)
{
    const f32p4 large = f32p4_copysign(f32p4_all(1 / FLT_EPSILON), x);
    return f32p4_select(f32p4_lt(f32p4_abs(x), f32p4_abs(large)), f32p4_copysign(x + large - large, x), x);
}
MIK_INLINE MIK_LANES f32p4 f32p4_nearbyint(f32p4 x) { return f32p4_rint(x); }
MIK_INLINE MIK_LANES f32p4 f32p4_fabs(f32p4 x) { return f32p4_abs(x); }
MIK_INLINE MIK_LANES f32p4 f32p4_floor(f32p4 x)
{
    const f32p4 near = f32p4_rint(x), one = f32p4_all(1);
    return f32p4_copysign(f32p4_select(f32p4_gt(near, x), near - one, near), x);
}
MIK_INLINE MIK_LANES f32p4 f32p4_ceil(f32p4 x)
{
    const f32p4 near = f32p4_rint(x), one = f32p4_all(1);
    return f32p4_copysign(f32p4_select(f32p4_lt(near, x), near + one, near), x);
}
MIK_INLINE MIK_LANES f32p4 f32p4_trunc(f32p4 x) { return f32p4_copysign(f32p4_floor(f32p4_abs(x)), x); }
/* Halves away from zero. Added is the number just below a half: a half makes of it the next whole number, by rounding, and of 0.49999997 it
   does not. */
MIK_INLINE MIK_LANES f32p4 f32p4_round(f32p4 x) { return f32p4_trunc(x + f32p4_copysign(f32p4_all(0.5f - FLT_EPSILON / 4), x)); }

/* Reduces all lanes, by halves: of 4 lanes (0 + 2) + (1 + 3). */
MIK_INLINE MIK_LANES float f32p4_sum(f32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] += x[i + n];
    return x[0];
}
MIK_INLINE MIK_LANES float f32p4_product(f32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] *= x[i + n];
    return x[0];
}
/* By fmaxf and fminf. */
MIK_INLINE MIK_LANES float f32p4_fgreatest(f32p4 x)
{
    for (int i = 1; i < P4_LANES; i++)
        x[0] = fmaxf(x[0], x[i]);
    return x[0];
}
MIK_INLINE MIK_LANES float f32p4_fleast(f32p4 x)
{
    for (int i = 1; i < P4_LANES; i++)
        x[0] = fminf(x[0], x[i]);
    return x[0];
}
/* By f32p4_max and f32p4_min. */
MIK_INLINE MIK_LANES float f32p4_greatest(f32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] = x[i + n] > x[i] ? x[i + n] : x[i];
    return x[0];
}
MIK_INLINE MIK_LANES float f32p4_least(f32p4 x)
{
    for (int n = P4_LANES / 2; n > 0; n /= 2)
        for (int i = 0; i < n; i++)
            x[i] = x[i + n] < x[i] ? x[i + n] : x[i];
    return x[0];
}
