/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Exponentials of floats. Measured errors of all functions stand in docs/vmath.md; the constants come from coefficients/exp.sollya.
 *
 * x = n log(2) + r: n is rounded by adding a number that leaves no bits for a fraction, n times the first part of log(2) is exact. So
 * the same text is right where f32p4_mul_add rounds once and where it rounds twice.
 */
#pragma once
#include "floats.h"
#include "convert.h"

/* Whole numbers for |x| < 2^22: the nearest one as a float, plus 1.5 2^23, so that it also stands in the lowest bits. */
MIK_INLINE MIK_LANES f32p4 f32p4_whole(void) { return f32p4_all(0x1.8p23f); }
/* 2^n for whole numbers n, -126 <= n <= 127. */
MIK_INLINE MIK_LANES f32p4 f32p4_power(f32p4 n) { return f32p4_of_bits((f32p4_bits(n + f32p4_whole()) << 23) + f32p4_bits(f32p4_all(1))); }
/* x 2^n for n = at - f32p4_whole(): a whole number, |n| <= 250, which stands in the lowest bits of `at`. The result may be subnormal or infinite. */
MIK_INLINE MIK_LANES f32p4 f32p4_scale_at(f32p4 x, f32p4 at)
{
    const u32p4 n = (u32p4)f32p4_bits(at), half = n >> 1, less = n - half;
    const i32p4 one = f32p4_bits(f32p4_all(1));
    return x * f32p4_of_bits((i32p4)(half << 23) + one) * f32p4_of_bits((i32p4)(less << 23) + one);
}
MIK_INLINE MIK_LANES f32p4 f32p4_scale(f32p4 x, f32p4 n) { return f32p4_scale_at(x, n + f32p4_whole()); }
/* x clamped to the limits; a NaN stays one. */
MIK_INLINE MIK_LANES f32p4 f32p4_within(float low, f32p4 x, float high) { return f32p4_max(f32p4_all(low), f32p4_min(f32p4_all(high), x)); }
/* n, in the lowest bits and as such, and the remainder r. */
MIK_INLINE MIK_LANES f32p4 f32p4_exp_at(f32p4 x) { return f32p4_mul_add(x, f32p4_all(0x1.715476p0f), f32p4_whole()); }
MIK_INLINE MIK_LANES f32p4 f32p4_exp_whole(f32p4 x) { return f32p4_exp_at(x) - f32p4_whole(); }
MIK_INLINE MIK_LANES f32p4 f32p4_exp_near(f32p4 x, f32p4 n) { return f32p4_mul_add(n, f32p4_all(-0x1.62e4p-1f), x); }
MIK_INLINE MIK_LANES f32p4 f32p4_exp_rest(f32p4 x, f32p4 n) { return f32p4_mul_add(n, f32p4_all(-0x1.7f7d1cp-20f), f32p4_exp_near(x, n)); }
/* exp(r + lost) - 1 - r for |r| <= log(2) / 2, within 2^-30 of exp(r) - 1. */
MIK_INLINE MIK_LANES f32p4 f32p4_exp_less_1_r(f32p4 r, f32p4 lost)
{
    f32p4 q = f32p4_all(0x1.a2d944p-13f);
    q = f32p4_mul_add(q, r, f32p4_all(0x1.6d3096p-10f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.110fc2p-7f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.5555p-5f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.555556p-3f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1p-1f));
    return f32p4_mul_add(r * r, q, lost);
}

MIK_INLINE MIK_LANES f32p4 f32p4_exp(f32p4 x)
{
    x = f32p4_within(-104, x, 89);
    const f32p4 at = f32p4_exp_at(x), r = f32p4_exp_rest(x, at - f32p4_whole());
    return f32p4_scale_at(f32p4_exp_less_1_r(r, r) + f32p4_all(1), at);
}
MIK_INLINE MIK_LANES f32p4 f32p4_exp2(f32p4 x)
{
    x = f32p4_within(-151, x, 129);
    const f32p4 at = x + f32p4_whole(), r = x - (at - f32p4_whole());
    f32p4 q = f32p4_all(0x1.442512p-13f);
    q = f32p4_mul_add(q, r, f32p4_all(0x1.5ef5dp-10f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.3b2a48p-7f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.c6af9cp-5f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.ebfbep-3f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.62e43p-1f));
    return f32p4_scale_at(f32p4_mul_add(r, q, f32p4_all(1)), at);
}
/* The power of two is s: s (1 + r + e) - 1 = (s - 1 + s r) + s e, and what the first sum loses. */
MIK_INLINE MIK_LANES f32p4 f32p4_expm1(f32p4 x)
{
    const f32p4 y = f32p4_within(-20, x, 89), n = f32p4_exp_whole(y);
    const f32p4 near = f32p4_exp_near(y, n), minus = f32p4_all(-0x1.7f7d1cp-20f), r = f32p4_mul_add(n, minus, near);
    const f32p4 e = f32p4_exp_less_1_r(r, f32p4_mul_add(n, minus, near - r));
    const f32p4 s = f32p4_power(n - f32p4_all(1)), t = s - f32p4_all(0.5f), sum = f32p4_mul_add(s, r, t);
    const f32p4 half = sum + f32p4_mul_add(s, e, f32p4_mul_add(s, r, t - sum));
    return f32p4_select(f32p4_lt(f32p4_abs(x), f32p4_all(0x1p-26f)), x, half + half);
}
/* x + x q(x^2) near 0; 1 - 2 / (exp(2 |x|) + 1) beyond, with 2 |x| = n log(2) + 2 h and exp(2 h) = 1 + 2 e; s is 2^(n + 1). */
MIK_INLINE MIK_LANES f32p4 f32p4_tanh(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), t = f32p4_min(f32p4_all(9.125f), a), z = a * a;
    f32p4 q = f32p4_all(-0x1.8ff18p-8f);
    q = f32p4_mul_add(q, z, f32p4_all(0x1.5813cp-6f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.b92674p-5f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.110e16p-3f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.555552p-2f));
    const f32p4 near = f32p4_mul_add(a * z, q, a);
    const f32p4 shifted = f32p4_mul_add(t, f32p4_all(0x1.715476p1f), f32p4_whole()), n = shifted - f32p4_whole();
    const f32p4 h = f32p4_mul_add(n, f32p4_all(-0x1.7f7d1cp-21f), f32p4_mul_add(n, f32p4_all(-0x1.62e4p-2f), t));
    f32p4 e = f32p4_all(0x1.6d4e7ep-5f);
    e = f32p4_mul_add(e, h, f32p4_all(0x1.120c44p-3f));
    e = f32p4_mul_add(e, h, f32p4_all(0x1.5554e8p-2f));
    e = f32p4_mul_add(e, h, f32p4_all(0x1.5554dcp-1f));
    e = f32p4_mul_add(e, h, f32p4_all(1));
    e = f32p4_mul_add(h * h, e, h);
    const f32p4 s = f32p4_of_bits((f32p4_bits(shifted) << 23) + f32p4_bits(f32p4_all(2)));
    const f32p4 far = f32p4_all(1) - f32p4_all(2) / f32p4_mul_add(s, e, f32p4_mul_add(s, f32p4_all(0.5f), f32p4_all(1)));
    return f32p4_signed_as(f32p4_select(f32p4_gt(a, f32p4_all(0.625f)), far, near), x);
}
