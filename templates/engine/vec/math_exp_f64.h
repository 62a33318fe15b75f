/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Exponentials of doubles, as math_exp_f32.h has those of floats; the constants come from coefficients/exp.sollya. */
#pragma once
#include "lanes_f64.h"

/* Whole numbers for |x| < 2^51: the nearest one, plus 1.5 2^52, so that it also stands in the lowest bits. */
MIK_INLINE MIK_LANES f64p2 f64p2_whole(void) { return f64p2_all(0x1.8p52); }
/* 2^n for whole numbers n, -1022 <= n <= 1023. */
MIK_INLINE MIK_LANES f64p2 f64p2_power(f64p2 n) { return f64p2_of_bits((f64p2_bits(n + f64p2_whole()) << 52) + f64p2_bits(f64p2_all(1))); }
/* x 2^n for n = at - f64p2_whole(): a whole number, |n| <= 2000, which stands in the lowest bits of `at`. The result may be subnormal or infinite. */
MIK_INLINE MIK_LANES f64p2 f64p2_scale_at(f64p2 x, f64p2 at)
{
    const u64p2 n = (u64p2)f64p2_bits(at), half = n >> 1, less = n - half;
    const i64p2 one = f64p2_bits(f64p2_all(1));
    return x * f64p2_of_bits((i64p2)(half << 52) + one) * f64p2_of_bits((i64p2)(less << 52) + one);
}
MIK_INLINE MIK_LANES f64p2 f64p2_scale(f64p2 x, f64p2 n) { return f64p2_scale_at(x, n + f64p2_whole()); }
/* x clamped to the limits; a NaN stays one. */
MIK_INLINE MIK_LANES f64p2 f64p2_within(double low, f64p2 x, double high)
{
    return f64p2_max(f64p2_all(low), f64p2_min(f64p2_all(high), x));
}
/* x = n log(2) + r: n, in the lowest bits and as such, and the remainder r. */
MIK_INLINE MIK_LANES f64p2 f64p2_exp_at(f64p2 x) { return f64p2_mul_add(x, f64p2_all(0x1.71547652b82fep0), f64p2_whole()); }
MIK_INLINE MIK_LANES f64p2 f64p2_exp_whole(f64p2 x) { return f64p2_exp_at(x) - f64p2_whole(); }
MIK_INLINE MIK_LANES f64p2 f64p2_exp_near(f64p2 x, f64p2 n) { return f64p2_mul_add(n, f64p2_all(-0x1.62e42fefa3p-1), x); }
MIK_INLINE MIK_LANES f64p2 f64p2_exp_rest(f64p2 x, f64p2 n)
{
    return f64p2_mul_add(n, f64p2_all(-0x1.3de6af278ece6p-42), f64p2_exp_near(x, n));
}
/* exp(r + lost) - 1 - r for |r| <= log(2) / 2, within 2^-60 of exp(r) - 1. */
MIK_INLINE MIK_LANES f64p2 f64p2_exp_less_1_r(f64p2 r, f64p2 lost)
{
    f64p2 q = f64p2_all(0x1.1f8718ba6a157p-29);
    q = f64p2_mul_add(q, r, f64p2_all(0x1.af4f2d00b4858p-26));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.27e4cf9b08b13p-22));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.71de0181a768ep-19));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.a01a01ab9eda6p-16));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.a01a01ac299dcp-13));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.6c16c16c1569bp-10));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.1111111110042p-7));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.5555555555557p-5));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.5555555555557p-3));
    q = f64p2_mul_add(q, r, f64p2_all(0x1p-1));
    return f64p2_mul_add(r * r, q, lost);
}

MIK_INLINE MIK_LANES f64p2 f64p2_exp(f64p2 x)
{
    x = f64p2_within(-746, x, 710);
    const f64p2 at = f64p2_exp_at(x), r = f64p2_exp_rest(x, at - f64p2_whole());
    return f64p2_scale_at(f64p2_exp_less_1_r(r, r) + f64p2_all(1), at);
}
MIK_INLINE MIK_LANES f64p2 f64p2_exp2(f64p2 x)
{
    x = f64p2_within(-1077, x, 1025);
    const f64p2 at = x + f64p2_whole(), r = x - (at - f64p2_whole());
    f64p2 q = f64p2_all(0x1.bde761ae6a0a2p-36);
    q = f64p2_mul_add(q, r, f64p2_all(0x1.ec56cff032ba1p-32));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.e4d409c81d2dfp-28));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.b52342801c933p-24));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.62c020e4a098fp-20));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.ffcbfd4249b5ep-17));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.430912f8c3083p-13));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.5d87fe7875782p-10));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.3b2ab6fba4d46p-7));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.c6b08d704a1dp-5));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.ebfbdff82c58fp-3));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.62e42fefa39efp-1));
    return f64p2_scale_at(f64p2_mul_add(r, q, f64p2_all(1)), at);
}
/* The power of two is s: s (1 + r + e) - 1 = (s - 1 + s r) + s e, and what the first sum loses. */
MIK_INLINE MIK_LANES f64p2 f64p2_expm1(f64p2 x)
{
    const f64p2 y = f64p2_within(-40, x, 710), n = f64p2_exp_whole(y);
    const f64p2 near = f64p2_exp_near(y, n), minus = f64p2_all(-0x1.3de6af278ece6p-42), r = f64p2_mul_add(n, minus, near);
    const f64p2 e = f64p2_exp_less_1_r(r, f64p2_mul_add(n, minus, near - r));
    const f64p2 s = f64p2_power(n - f64p2_all(1)), t = s - f64p2_all(0.5), sum = f64p2_mul_add(s, r, t);
    const f64p2 half = sum + f64p2_mul_add(s, e, f64p2_mul_add(s, r, t - sum));
    return f64p2_select(f64p2_lt(f64p2_abs(x), f64p2_all(0x1p-55)), x, half + half);
}
/* -E / (E + 2) for E = expm1(-2 |x|): E and E + 2 in two parts each; one over the latter is half of 1 + tanh(|x|). */
MIK_INLINE MIK_LANES f64p2 f64p2_tanh(f64p2 x)
{
    f64p2 y = f64p2_min(f64p2_all(20), f64p2_abs(x));
    y = f64p2_all(-2) * y;
    const f64p2 n = f64p2_exp_whole(y), r = f64p2_exp_rest(y, n);
    const f64p2 e = f64p2_exp_less_1_r(r, f64p2_all(0));
    const f64p2 s = f64p2_power(n), t = s - f64p2_all(1), sum = f64p2_mul_add(s, r, t);
    const f64p2 part = f64p2_mul_add(s, e, f64p2_mul_add(s, r, t - sum) + (s - (t + f64p2_all(1))));
    const f64p2 high = sum + part, low = part - (high - sum);
    const f64p2 d = high + f64p2_all(2), dlow = high - (d - f64p2_all(2)) + low, q = high / d;
    const f64p2 half = f64p2_mul_add(q, f64p2_all(-0.5), f64p2_all(0.5));
    return f64p2_copysign(f64p2_mul_add(f64p2_mul_add(-q, dlow, low), half, q), x);
}
/* cosh(r) - 1 and sinh(r) - r. */
MIK_INLINE MIK_LANES f64p2 f64p2_cosh_less_1(f64p2 z)
{
    f64p2 q = f64p2_all(0x1.dc624181db8c8p-37);
    q = f64p2_mul_add(q, z, f64p2_all(0x1.1ed24c78a314p-29));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.27e503375fda8p-22));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.a01a019e0c9f8p-16));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.6c16c16c1700bp-10));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5555555555555p-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1p-1));
    return z * q;
}
MIK_INLINE MIK_LANES f64p2 f64p2_sinh_less_r(f64p2 r, f64p2 z)
{
    f64p2 q = f64p2_all(-0x1.056093f47ea66p-30);
    q = f64p2_mul_add(q, z, f64p2_all(0x1.252dbae3ee9ep-31));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.ad6d6f24144d2p-26));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.71de5e099b308p-19));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.a01a019b14f63p-13));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.11111111115e8p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5555555555555p-3));
    return r * z * q;
}
/* Halves of the sum or difference of 2^n exp(r) and 2^-n exp(-r), scaled by 2^(n - 1): u is 2^-2n. */
MIK_INLINE MIK_LANES f64p2 f64p2_sinh(f64p2 x)
{
    const f64p2 y = f64p2_min(f64p2_all(712), f64p2_abs(x)), n = f64p2_exp_whole(y), one = f64p2_all(1);
    const f64p2 near = f64p2_exp_near(y, n), minus = f64p2_all(-0x1.3de6af278ece6p-42), r = f64p2_mul_add(n, minus, near);
    const f64p2 lost = f64p2_mul_add(n, minus, near - r), z = r * r, u = f64p2_power(f64p2_max(f64p2_all(-100), f64p2_all(-2) * n));
    const f64p2 less = one - u, more = one + u, sum = f64p2_mul_add(more, r, less);
    const f64p2 rest = f64p2_mul_add(less, f64p2_cosh_less_1(z), more * (f64p2_sinh_less_r(r, z) + lost));
    return f64p2_copysign(f64p2_scale(sum + (f64p2_mul_add(more, r, less - sum) + rest), n - one), x);
}
MIK_INLINE MIK_LANES f64p2 f64p2_cosh(f64p2 x)
{
    const f64p2 y = f64p2_min(f64p2_all(712), f64p2_abs(x)), n = f64p2_exp_whole(y), one = f64p2_all(1);
    const f64p2 r = f64p2_exp_rest(y, n), z = r * r, u = f64p2_power(f64p2_max(f64p2_all(-100), f64p2_all(-2) * n));
    const f64p2 less = one - u, more = one + u;
    const f64p2 rest = f64p2_mul_add(more, f64p2_cosh_less_1(z), less * (f64p2_sinh_less_r(r, z) + r));
    return f64p2_scale(more + rest, n - one);
}
