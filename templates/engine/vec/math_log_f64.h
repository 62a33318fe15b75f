/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Logarithms of doubles; the constants come from coefficients/log.sollya.
 *
 * x = 2^k (1 + f), 0.75 <= 1 + f < 1.5; with s = f / (2 + f), log(1 + f) = log((1 + s) / (1 - s)) = 2 s + s R(s^2) = f - s (f - R(s^2)).
 * k times the first part of a logarithm of 2 is exact.
 */
#pragma once
#include "math_exp_f64.h"

/* The integer whose bits from 52 on are k, and below them what 1 + f exceeds 0.75 by, for normal x. */
MIK_INLINE MIK_LANES i64p2 f64p2_log_bits(f64p2 x) { return f64p2_bits(x) - f64p2_bits(f64p2_all(0.75)); }
/* k + 1023 is in the bits from 52 on: k as a float, less `less`. */
MIK_INLINE MIK_LANES f64p2 f64p2_of_exponent(i64p2 bits, f64p2 less)
{
    const u64p2 k = (u64p2)(bits + f64p2_bits(f64p2_all(1))) >> 52;
    return f64p2_of_bits((i64p2)k | f64p2_bits(f64p2_all(0x1p52))) - (less + f64p2_all(0x1p52 + 1023));
}
/* 1 + f: for negative x no number; 1 for infinity, and something finite for 0. */
MIK_INLINE MIK_LANES f64p2 f64p2_mantissa(f64p2 x)
{
    const f64p2 y = f64p2_select(f64p2_lt(x, f64p2_all(DBL_MIN)), x * f64p2_all(0x1p54), x);
    const i64p2 fraction = f64p2_log_bits(y) & 0xfffffffffffff;
    const f64p2 m = f64p2_of_bits(fraction + f64p2_bits(f64p2_all(0.75)));
    return f64p2_select(f64p2_ge(x, f64p2_all(0)), m, f64p2_all((double)NAN));
}
/* k as a float: -infinity for 0, infinity and what is no number for themselves. */
MIK_INLINE MIK_LANES f64p2 f64p2_exponent(f64p2 x)
{
    const maskp2 small = f64p2_lt(x, f64p2_all(DBL_MIN));
    const f64p2 y = f64p2_select(small, x * f64p2_all(0x1p54), x), infinite = f64p2_all((double)INFINITY);
    const f64p2 k = f64p2_of_exponent(f64p2_log_bits(y), f64p2_select(small, f64p2_all(54), f64p2_all(0)));
    return f64p2_select(f64p2_lt(x, infinite), f64p2_select(f64p2_eq(x, f64p2_all(0)), -infinite, k), x);
}
/* R(z) / z - 2/3. */
MIK_INLINE MIK_LANES f64p2 f64p2_log_rest(f64p2 z)
{
    f64p2 q = f64p2_all(0x1.0010e16d6842dp-3);
    q = f64p2_mul_add(q, z, f64p2_all(0x1.a0ee39edb3dc9p-4));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.e2b8e421c4639p-4));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.110d7257b49c9p-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.3b13c3a1aa792p-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.745d170fb5eb1p-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.c71c71c771db1p-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.24924924922aap-2));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.999999999999ap-2));
    return z * q;
}
/* log(1 + f) - f. */
MIK_INLINE MIK_LANES f64p2 f64p2_log_less_f(f64p2 f)
{
    const f64p2 s = f / (f + f64p2_all(2)), z = s * s;
    return s * f64p2_mul_add(z, f64p2_log_rest(z) + f64p2_all(0x1.5555555555555p-1), -f);
}
/* k log(2) + log(1 + f). */
MIK_INLINE MIK_LANES f64p2 f64p2_log_sum(f64p2 k, f64p2 f)
{
    const f64p2 rest = f64p2_mul_add(k, f64p2_all(0x1.3de6af278ece6p-42), f64p2_log_less_f(f));
    return f64p2_mul_add(k, f64p2_all(0x1.62e42fefa3p-1), f + rest);
}
MIK_INLINE MIK_LANES f64p2 f64p2_log(f64p2 x) { return f64p2_log_sum(f64p2_exponent(x), f64p2_mantissa(x) - f64p2_all(1)); }
/* log2(1 + f) = f + (log2(e) - 1) f + log2(e) (log(1 + f) - f). k + f is exact where the result may be less than 1. */
MIK_INLINE MIK_LANES f64p2 f64p2_log2(f64p2 x)
{
    const f64p2 k = f64p2_exponent(x), f = f64p2_mantissa(x) - f64p2_all(1);
    const f64p2 rest = f64p2_all(0x1.71547652b82fep0) * f64p2_log_less_f(f);
    return k + f + f64p2_mul_add(f, f64p2_all(0x1.c551d94ae0bf8p-2), rest);
}
/* The same with a half in the place of 1, and what its sum loses: with k = -1 it may be greater than the result. */
MIK_INLINE MIK_LANES f64p2 f64p2_log10(f64p2 x)
{
    const f64p2 k = f64p2_exponent(x), f = f64p2_mantissa(x) - f64p2_all(1), half = f64p2_all(0.5);
    const f64p2 rest = f64p2_mul_add(f, f64p2_all(-0x1.0d213ab646bc7p-4), f64p2_all(0x1.bcb7b1526e50ep-2) * f64p2_log_less_f(f));
    const f64p2 sum = f64p2_mul_add(f, half, rest), lost = f64p2_mul_add(f, half, -sum) + rest;
    return f64p2_mul_add(k, f64p2_all(0x1.34413509f7p-2), sum) + f64p2_mul_add(k, f64p2_all(0x1.3fde623e2566bp-43), lost);
}
/* 2^-k (1 + x) - 1 = 2^-k x + (2^-k - 1): 1 + x says only which k. */
MIK_INLINE MIK_LANES f64p2 f64p2_log1p(f64p2 x)
{
    const i64p2 all = f64p2_log_bits(x + f64p2_all(1)), place = all - (all & 0xfffffffffffff);
    const f64p2 four = f64p2_of_bits(f64p2_bits(f64p2_all(4)) - place), one = f64p2_all(1); /* 4 2^-k is normal */
    const f64p2 near = f64p2_select(f64p2_eq(x, f64p2_all(0)), x, f64p2_of_bits(f64p2_bits(x) - place));
    const f64p2 y = f64p2_log_sum(f64p2_of_exponent(all, f64p2_all(0)), near + f64p2_mul_add(four, f64p2_all(0.25), -one));
    const f64p2 infinite = f64p2_all((double)INFINITY), none = f64p2_all((double)NAN);
    const f64p2 beyond = f64p2_select(f64p2_eq(x, -one), -infinite, f64p2_select(f64p2_lt(x, -one), none, x));
    return f64p2_copysign(f64p2_select(f64p2_gt(x, -one) & f64p2_lt(x, infinite), y, beyond), x);
}
