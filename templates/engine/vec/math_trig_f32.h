/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Sines and cosines of floats; the constants come from coefficients/trig.sollya.
 *
 * x = n pi / 2 + high + low: pi / 2 in four parts, whose first three have so few bits that n times them is exact for |x| <= 8192.
 * Lanes beyond that, which are rare, are left to the library.
 */
#pragma once
#include "math_exp_f32.h"
#include "../sets/portable/loops/mask.h"

/* n pi / 2 is taken away of x: high, and then low for the same n. */
MIK_INLINE MIK_LANES f32p4 f32p4_turn_near(f32p4 x, f32p4 n)
{
    return f32p4_mul_add(n, f32p4_all(-0x1.fb4p-12f), f32p4_mul_add(n, f32p4_all(-0x1.92p0f), x));
}
MIK_INLINE MIK_LANES f32p4 f32p4_turn_high(f32p4 near, f32p4 n) { return f32p4_mul_add(n, f32p4_all(-0x1.444p-24f), near); }
MIK_INLINE MIK_LANES f32p4 f32p4_turn_low(f32p4 near, f32p4 n, f32p4 high)
{
    return f32p4_mul_add(n, f32p4_all(-0x1.68c234p-39f), f32p4_mul_add(n, f32p4_all(-0x1.444p-24f), near - high));
}
/* The sine of x + turns pi / 2, where |x| <= 8192. */
MIK_INLINE MIK_LANES f32p4 f32p4_turned(f32p4 x, int32_t turns)
{
    const f32p4 at = f32p4_mul_add(x, f32p4_all(0x1.45f306p-1f), f32p4_whole()), n = at - f32p4_whole();
    const f32p4 near = f32p4_turn_near(x, n), r = f32p4_turn_high(near, n), low = f32p4_turn_low(near, n, r), z = r * r;
    f32p4 s = f32p4_all(0x1.876fe4p-19f);
    s = f32p4_mul_add(s, z, f32p4_all(-0x1.a08308p-13f));
    s = f32p4_mul_add(s, z, f32p4_all(0x1.111198p-7f));
    s = f32p4_mul_add(s, z, f32p4_all(-0x1.555556p-3f));
    f32p4 c = f32p4_all(-0x1.58d5dp-22f);
    c = f32p4_mul_add(c, z, f32p4_all(0x1.a0f584p-16f));
    c = f32p4_mul_add(c, z, f32p4_all(-0x1.6c17d4p-10f));
    c = f32p4_mul_add(c, z, f32p4_all(0x1.555556p-5f));
    const f32p4 w = f32p4_mul_add(z, f32p4_all(-0.5f), f32p4_all(1)), lost = f32p4_mul_add(z, f32p4_all(-0.5f), f32p4_all(1) - w);
    s = r + f32p4_mul_add(low, w, r * z * s);
    c = w + f32p4_mul_add(z * z, c, f32p4_mul_add(-r, low, lost));
    const i32p4 quarter = f32p4_bits(at) + turns, odd = -(quarter & 1);
    return f32p4_of_bits((f32p4_bits(c) & odd) ^ (f32p4_bits(s) & ~odd) ^ (quarter >> 1 << 31));
}
static MIK_APART MIK_LANES f32p4 f32p4_sin_large(f32p4 x, f32p4 y)
{
    for (int i = 0; i < P4_LANES; i++)
        if (fabsf(x[i]) > 8192)
            y[i] = sinf(x[i]);
    return y;
}
static MIK_APART MIK_LANES f32p4 f32p4_cos_large(f32p4 x, f32p4 y)
{
    for (int i = 0; i < P4_LANES; i++)
        if (fabsf(x[i]) > 8192)
            y[i] = cosf(x[i]);
    return y;
}
MIK_INLINE MIK_LANES f32p4 f32p4_sin(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), y = f32p4_select(f32p4_lt(a, f32p4_all(0x1p-13f)), x, f32p4_turned(x, 0));
    return maskp4_any(f32p4_gt(a, f32p4_all(8192))) ? f32p4_sin_large(x, y) : y;
}
MIK_INLINE MIK_LANES f32p4 f32p4_cos(f32p4 x)
{
    const f32p4 y = f32p4_turned(x, 1);
    return maskp4_any(f32p4_gt(f32p4_abs(x), f32p4_all(8192))) ? f32p4_cos_large(x, y) : y;
}
