/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Inverses of tangent, sine and cosine for doubles; the constants come from coefficients/arc.sollya. pi / 2 comes in two parts. */
#pragma once
#include "lanes_f64.h"

/* For |x| <= 1. */
MIK_INLINE MIK_LANES f64p2 f64p2_atan_near(f64p2 x)
{
    const f64p2 z = x * x;
    f64p2 q = f64p2_all(-0x1.956dcf624ba7bp-17);
    q = f64p2_mul_add(q, z, f64p2_all(0x1.241d70f7a2ae4p-13));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.8fd2dbb96e2d5p-11));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5b9e94fe739a1p-9));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.b27764e8d90bep-8));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.a4546f1579b93p-7));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.4cbce5ce1463cp-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.c484bc04b0a34p-6));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.14b6fcd33a5dp-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.3d578e8ed26bdp-5));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.60f2d00bf723ap-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.854bb131ecf97p-5));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.af00c44c760fep-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.e1dc00c37f323p-5));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.1110bdf9f4f4cp-4));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.3b13aaa56c56bp-4));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.745d16eabefdfp-4));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.c71c71c3fffedp-4));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.249249248aa5ep-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.9999999999889p-3));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.5555555555555p-2));
    return f64p2_mul_add(x * z, q, x);
}
/* Beyond 1 pi / 2 - atan(1 / x). */
MIK_INLINE MIK_LANES f64p2 f64p2_atan(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), one = f64p2_all(1);
    const maskp2 large = f64p2_gt(a, one);
    const f64p2 y = f64p2_atan_near(f64p2_select(large, -one / a, a));
    const f64p2 turned = f64p2_all(0x1.921fb54442d18p0) + (y + f64p2_all(0x1.1a62633145c07p-54));
    return f64p2_copysign(f64p2_select(large, turned, y), x);
}
/* The angle of the less over the greater one of |x| and |y|; it is turned into its quadrant. */
MIK_INLINE MIK_LANES f64p2 f64p2_atan2(f64p2 y, f64p2 x)
{
    const f64p2 zero = f64p2_all(0), one = f64p2_all(1), a = f64p2_abs(x), b = f64p2_abs(y);
    const maskp2 steep = f64p2_gt(b, a);
    const f64p2 less = f64p2_select(steep, a, b), more = f64p2_select(steep, b, a);
    const f64p2 ratio = f64p2_select(f64p2_eq(less, more), f64p2_select(f64p2_eq(more, zero), zero, one), less / more);
    const f64p2 angle = f64p2_atan_near(ratio), turns = f64p2_select(steep, one, zero), back = f64p2_copysign(one, x);
    /* 0, 1 or 2 quarters, and the angle forward or back from there */
    const f64p2 quarters = f64p2_select(steep, turns, one - back), signed_angle = f64p2_select(steep, -back, back) * angle;
    const f64p2 result = f64p2_mul_add(quarters, f64p2_all(0x1.921fb54442d18p0),
                                       f64p2_mul_add(quarters, f64p2_all(0x1.1a62633145c07p-54), signed_angle));
    return f64p2_copysign(f64p2_select(f64p2_eq(x, x) & f64p2_eq(y, y), result, x + y), y);
}
/* asin(x) - x for |x| <= 1/2, given z = x^2. */
MIK_INLINE MIK_LANES f64p2 f64p2_asin_less_x(f64p2 x, f64p2 z)
{
    f64p2 q = f64p2_all(0x1.dc690516bc887p-6);
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.f6744b4ca8339p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.224dcb11ab156p-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5dc12cf8ad297p-8));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.53365248bd332p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.77ff42ac1dfb4p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.c9d336dfa2933p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.1c4d0fc1b6fbbp-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.6e8bb383c0ebbp-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.f1c71c1187eddp-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.6db6db6e48dffp-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.3333333332d9ep-4));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5555555555556p-3));
    return x * z * q;
}
/* Beyond 1/2 pi / 2 - 2 asin(sqrt((1 - x) / 2)), where half of pi / 2 less the root is small. */
MIK_INLINE MIK_LANES f64p2 f64p2_asin(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), half = f64p2_all(0.5);
    const maskp2 large = f64p2_gt(a, half);
    const f64p2 z = f64p2_select(large, f64p2_mul_add(a, -half, half), a * a), s = f64p2_select(large, f64p2_sqrt(z), a);
    const f64p2 rest = f64p2_asin_less_x(s, z);
    const f64p2 pi4 = f64p2_all(0x1.921fb54442d18p-1), turned = pi4 + (pi4 - (s + s) - (rest + rest - f64p2_all(0x1.1a62633145c07p-54)));
    return f64p2_copysign(f64p2_select(large, turned, s + rest), x);
}
/* pi / 2 - asin(x); beyond 1/2 2 asin(sqrt((1 - x) / 2)), or pi less that of -x. */
MIK_INLINE MIK_LANES f64p2 f64p2_acos(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), half = f64p2_all(0.5), pi2 = f64p2_all(0x1.921fb54442d18p0), lost = f64p2_all(0x1.1a62633145c07p-54);
    const maskp2 large = f64p2_gt(a, half);
    const f64p2 z = f64p2_select(large, f64p2_mul_add(a, -half, half), x * x), s = f64p2_select(large, f64p2_sqrt(z), x);
    const f64p2 rest = f64p2_asin_less_x(s, z), twice = s + s + (rest + rest);
    const f64p2 turned = f64p2_select(f64p2_lt(x, f64p2_all(0)), pi2 + pi2 - (twice - (lost + lost)), twice);
    return f64p2_select(large, turned, pi2 - (s - (lost - rest)));
}
