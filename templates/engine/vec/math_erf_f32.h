/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The error function and its complement for floats; the constants come from coefficients/erf.sollya. */
#pragma once
#include "math_exact_f32.h"

/* x + x q(x^2) near 0; 1 - exp(q(|x|)) beyond. */
MIK_INLINE MIK_LANES f32p4 f32p4_erf(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), z = x * x, t = f32p4_min(f32p4_all(4), a);
    f32p4 p = f32p4_all(0x1.5a9d92p-14f);
    p = f32p4_mul_add(p, z, f32p4_all(-0x1.a99076p-11f));
    p = f32p4_mul_add(p, z, f32p4_all(0x1.54b36cp-8f));
    p = f32p4_mul_add(p, z, f32p4_all(-0x1.b80c4p-6f));
    p = f32p4_mul_add(p, z, f32p4_all(0x1.ce2de8p-4f));
    p = f32p4_mul_add(p, z, f32p4_all(-0x1.812742p-2f));
    p = f32p4_mul_add(p, z, f32p4_all(0x1.06eba8p-3f));
    f32p4 q = f32p4_all(-0x1.ea2af2p-22f);
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.fe6f88p-17f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.a589e4p-12f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.0acadap-8f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.98753ap-6f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.ba98f2p-4f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.445b6p-1f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.21238cp0f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.5600b2p-13f));
    const f32p4 n = f32p4_exp_whole(q), power = f32p4_power(n), r = f32p4_exp_rest(q, n), e = f32p4_exp_less_1_r(r, r);
    const f32p4 far = f32p4_copysign(f32p4_all(1) - f32p4_mul_add(power, e, power), x);
    return f32p4_select(f32p4_gt(a, f32p4_all(0.93f)), far, f32p4_mul_add(x, p, x));
}
/* (exp(x^2) (x + 7/8) erfc(x) - its value at 3) / t, t = (x - 3) / (x + 3). */
MIK_INLINE MIK_LANES f32p4 f32p4_erfc_rest(f32p4 t)
{
    f32p4 q = f32p4_all(-0x1.d74294p-14f);
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.8a1066p-12f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.98cbdep-11f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.96c676p-10f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.517a74p-7f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.9998cp-6f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.0c5ff8p-5f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.17819cp-7f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.17d6fp-4f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.856c66p-3f));
    return q;
}
/*
 * exp(-x^2) q(t) / (x + 7/8) for x >= 0, t = (x - 3) / (x + 3); 2 less that of -x for x < 0. What is rounded on the way, and the bits
 * that the first constant lacks, are kept beside it: the whole is rounded little more than once. Adding 0 makes NaNs quiet, which otherwise
 * may lose what makes them NaNs.
 */
MIK_INLINE MIK_LANES f32p4 f32p4_erfc(f32p4 x)
{
    const f32p4 one = f32p4_all(1), three = f32p4_all(3), seven = f32p4_all(0.875f);
    const f32p4 a = f32p4_min(f32p4_all(10.25f), f32p4_abs(x)) + f32p4_all(0), b = a + three, d = a + seven, t = (a - three) / b,
                u = one / d, back = f32p4_times(u, d);
    const f32p4 lack = one - back - f32p4_times_lost(u, d, back) - (a - (d - seven)) * u;
    const f32p4 q = f32p4_erfc_rest(t), first = f32p4_all(0x1.632366p-1f), sum = f32p4_mul_add(q, t, first);
    const f32p4 rest = f32p4_mul_add(q, t, first - sum) + f32p4_all(0x1.30d8e8p-26f);
    const f32p4 high = f32p4_times(u, sum), low = f32p4_times_lost(u, sum, high) + f32p4_mul_add(u, rest, high * lack);
    const f32p4 head = f32p4_head(a), square = -head * head, n = f32p4_exp_whole(square), exact = f32p4_exp_near(square, n);
    const f32p4 near = f32p4_mul_add(n, f32p4_all(-0x1.7f7d1cp-20f), -(a - head) * (a + head)), r = exact + near;
    const f32p4 e = f32p4_exp_less_1_r(r, exact - r + near);
    const f32p4 p = f32p4_times(high, r), less = f32p4_times_lost(high, r, p) + f32p4_mul_add(high, e, f32p4_mul_add(low, r, low));
    const f32p4 y = f32p4_scale(high + (p + less), n);
    return f32p4_select(f32p4_lt(x, f32p4_all(0)), f32p4_all(2) - y, y);
}
