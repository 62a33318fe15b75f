/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Doubles that are rounded to floats: functions of math_arc_f64.h and math_trig_f64.h with fewer terms, within 2^-33 of the exact results. The
 * constants come from coefficients/floats.sollya. Terms are added by pairs, as their sum is what a loop waits for.
 */
#pragma once
#include "math_trig_f64.h"

/* For |x| <= 1. */
MIK_INLINE MIK_LANES f64p2 f64p2_atan_near_float(f64p2 x)
{
    const f64p2 z = x * x, zz = z * z;
    const f64p2 c0 = f64p2_mul_add(z, f64p2_all(0x1.999997a53875p-3), f64p2_all(-0x1.555555548470ap-2));
    const f64p2 c2 = f64p2_mul_add(z, f64p2_all(0x1.c70ce7a5cb70cp-4), f64p2_all(-0x1.2491e5c72000dp-3));
    const f64p2 c4 = f64p2_mul_add(z, f64p2_all(0x1.371add49f117ep-4), f64p2_all(-0x1.73bac5ecdbcacp-4));
    const f64p2 c6 = f64p2_mul_add(z, f64p2_all(0x1.8740b87e27845p-5), f64p2_all(-0x1.00e051c0f2edep-4));
    const f64p2 c8 = f64p2_mul_add(z, f64p2_all(0x1.daa3d40594ee3p-7), f64p2_all(-0x1.f332fd90f80ffp-6));
    f64p2 q = f64p2_mul_add(z, f64p2_all(0x1.475253ae33688p-11), f64p2_all(-0x1.1ffcd89ae76eap-8));
    q = f64p2_mul_add(q, zz, c8);
    q = f64p2_mul_add(q, zz, c6);
    q = f64p2_mul_add(q, zz, c4);
    q = f64p2_mul_add(q, zz, c2);
    q = f64p2_mul_add(q, zz, c0);
    return f64p2_mul_add(x * z, q, x);
}
/* Beyond 1 pi / 2 - atan(1 / x). */
MIK_INLINE MIK_LANES f64p2 f64p2_atan_float(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), one = f64p2_all(1);
    const maskp2 large = f64p2_gt(a, one);
    const f64p2 y = f64p2_atan_near_float(f64p2_select(large, -one / a, a));
    return f64p2_copysign(f64p2_select(large, f64p2_all(0x1.921fb54442d18p0) + y, y), x);
}
/* As f64p2_atan2(). */
MIK_INLINE MIK_LANES f64p2 f64p2_atan2_float(f64p2 y, f64p2 x)
{
    const f64p2 zero = f64p2_all(0), one = f64p2_all(1), a = f64p2_abs(x), b = f64p2_abs(y);
    const maskp2 steep = f64p2_gt(b, a);
    const f64p2 less = f64p2_select(steep, a, b), more = f64p2_select(steep, b, a);
    const f64p2 ratio = f64p2_select(f64p2_eq(less, more), f64p2_select(f64p2_eq(more, zero), zero, one), less / more);
    const f64p2 back = f64p2_copysign(one, x), quarters = f64p2_select(steep, one, one - back);
    const f64p2 angle = f64p2_select(steep, -back, back) * f64p2_atan_near_float(ratio);
    const f64p2 result = f64p2_mul_add(quarters, f64p2_all(0x1.921fb54442d18p0), angle);
    return f64p2_copysign(f64p2_select(f64p2_eq(x, x) & f64p2_eq(y, y), result, x + y), y);
}
/* asin(x) - x for |x| <= 1/2, given z = x^2. */
MIK_INLINE MIK_LANES f64p2 f64p2_asin_less_x_float(f64p2 x, f64p2 z)
{
    const f64p2 zz = z * z;
    const f64p2 c0 = f64p2_mul_add(z, f64p2_all(0x1.33331cbce8937p-4), f64p2_all(0x1.5555555cea5dap-3));
    const f64p2 c2 = f64p2_mul_add(z, f64p2_all(0x1.efd3afcbd530ep-6), f64p2_all(0x1.6dc1b3763cb3fp-5));
    f64p2 q = f64p2_mul_add(z, f64p2_all(0x1.54c9f551c017ap-7), f64p2_all(0x1.83a76e79130acp-6));
    q = f64p2_mul_add(zz, f64p2_all(0x1.ff51dab4c502bp-6), q);
    q = f64p2_mul_add(q, zz, c2);
    q = f64p2_mul_add(q, zz, c0);
    return x * z * q;
}
/* Beyond 1/2 pi / 2 - 2 asin(sqrt((1 - x) / 2)). */
MIK_INLINE MIK_LANES f64p2 f64p2_asin_float(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), half = f64p2_all(0.5);
    const maskp2 large = f64p2_gt(a, half);
    const f64p2 z = f64p2_select(large, f64p2_mul_add(a, -half, half), a * a), s = f64p2_select(large, f64p2_sqrt(z), a);
    const f64p2 y = s + f64p2_asin_less_x_float(s, z);
    return f64p2_copysign(f64p2_select(large, f64p2_all(0x1.921fb54442d18p0) - (y + y), y), x);
}
MIK_INLINE MIK_LANES f64p2 f64p2_acos_float(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), half = f64p2_all(0.5), pi2 = f64p2_all(0x1.921fb54442d18p0);
    const maskp2 large = f64p2_gt(a, half);
    const f64p2 z = f64p2_select(large, f64p2_mul_add(a, -half, half), x * x), s = f64p2_select(large, f64p2_sqrt(z), x);
    const f64p2 y = s + f64p2_asin_less_x_float(s, z), twice = y + y;
    const f64p2 turned = f64p2_select(f64p2_lt(x, f64p2_all(0)), pi2 + pi2 - twice, twice);
    return f64p2_select(large, turned, pi2 - y);
}
/* After an odd number of quarters -1 / tan. No float is so near a quarter that the remainder wants a low part. */
MIK_INLINE MIK_LANES f64p2 f64p2_tan_float(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), at = f64p2_turns(x), r = f64p2_turn_high(x, at - f64p2_whole()), z = r * r, zz = z * z;
    const f64p2 c0 = f64p2_mul_add(z, f64p2_all(0x1.11110fbdc0ae4p-3), f64p2_all(0x1.55555555ffca1p-2));
    const f64p2 c2 = f64p2_mul_add(z, f64p2_all(0x1.66336087edbd5p-6), f64p2_all(0x1.ba1c7fdf2ad51p-5));
    const f64p2 c4 = f64p2_mul_add(z, f64p2_all(0x1.b7c789f9c53f1p-9), f64p2_all(0x1.242cfbe7db0e6p-7));
    f64p2 q = f64p2_mul_add(z, f64p2_all(-0x1.247400006341bp-12), f64p2_all(0x1.0e53584d45337p-9));
    q = f64p2_mul_add(zz, f64p2_all(0x1.b96ecd1e759ddp-11), q);
    q = f64p2_mul_add(q, zz, c4);
    q = f64p2_mul_add(q, zz, c2);
    q = f64p2_mul_add(q, zz, c0);
    const f64p2 t = f64p2_mul_add(r * z, q, r);
    const i64p2 odd = -(f64p2_bits(at) & 1);
    const f64p2 turned = f64p2_of_bits((f64p2_bits(f64p2_all(-1) / t) & odd) | (f64p2_bits(t) & ~odd));
    const f64p2 y = f64p2_select(f64p2_lt(a, f64p2_all(0x1p-28)), x, turned);
    return maskp2_any(f64p2_gt(a, f64p2_all(0x1p20))) ? f64p2_tan_large(x, y) : y;
}
