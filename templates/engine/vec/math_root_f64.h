/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Powers and roots of doubles; the constants come from coefficients/log.sollya and coefficients/arc.sollya. */
#pragma once
#include "math_exact_f64.h"

/* C's cases of pow(x, y) for some x with a sign, given |x|^y: odd powers have it, powers that are not whole are no number. */
static MIK_APART MIK_LANES f64p2 f64p2_pow_signed(f64p2 x, f64p2 y, f64p2 power)
{
    const f64p2 half = y * f64p2_all(0.5), infinite = f64p2_all((double)INFINITY);
    const maskp2 whole = f64p2_eq(f64p2_rint(y), y), odd = whole & f64p2_ne(f64p2_rint(half), half);
    const maskp2 wrong = f64p2_lt(x, f64p2_all(0)) & f64p2_gt(x, -infinite) & ~whole;
    return f64p2_select(wrong, f64p2_all((double)NAN), f64p2_select(odd, f64p2_copysign(power, x), power));
}
MIK_INLINE MIK_LANES int f64p2_any_sign(f64p2 x) { return maskp2_any(f64p2_lt(f64p2_copysign(f64p2_all(1), x), f64p2_all(0))); }
/* Where |x|^y is 1 whatever else: C says so of powers of 1 and those by 0, even if the other operand is no number. */
MIK_INLINE MIK_LANES maskp2 f64p2_pow_is_1(f64p2 y, f64p2 a) { return f64p2_eq(y, f64p2_all(0)) | f64p2_eq(a, f64p2_all(1)); }
/* pow of floats, well enough to be rounded to one: 2^(y log2(|x|)). As doubles they are normal. */
MIK_INLINE MIK_LANES f64p2 f64p2_pow_float(f64p2 x, f64p2 y)
{
    const f64p2 zero = f64p2_all(0), one = f64p2_all(1), a = f64p2_abs(x), infinite = f64p2_all((double)INFINITY);
    const i64p2 bits = f64p2_log_bits(a), fraction = bits & 0xfffffffffffff;
    const f64p2 f = f64p2_of_bits(fraction + f64p2_bits(f64p2_all(0.75))) - one;
    const f64p2 some = f64p2_select(f64p2_eq(a, zero), -infinite, f64p2_of_exponent(bits, zero));
    const f64p2 k = f64p2_select(f64p2_lt(a, infinite), some, a), s = f / (f + f64p2_all(2)), z = s * s;
    f64p2 l = f64p2_all(0x1.29f37386539dp-2);
    l = f64p2_mul_add(l, z, f64p2_all(0x1.46ef62361948bp-2));
    l = f64p2_mul_add(l, z, f64p2_all(0x1.a61eb8cbd62dcp-2));
    l = f64p2_mul_add(l, z, f64p2_all(0x1.2776bc2377c42p-1));
    l = f64p2_mul_add(l, z, f64p2_all(0x1.ec709dcb8b7fdp-1));
    l = f64p2_mul_add(l, z, f64p2_all(0x1.71547652b7e7p1));
    const f64p2 p = f64p2_select(f64p2_pow_is_1(y, a), zero, y * f64p2_mul_add(s, l, k));
    const f64p2 e = f64p2_within(-160, p, 130), n = e + f64p2_whole() - f64p2_whole(), r = e - n;
    f64p2 q = f64p2_all(0x1.00dc4e45f0ed2p-16);
    q = f64p2_mul_add(q, r, f64p2_all(0x1.444003293f3ffp-13));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.5d874c7a16e41p-10));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.3b2a1b6d1a8c7p-7));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.c6b08dc5e36c5p-5));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.ebfbe045f90bep-3));
    q = f64p2_mul_add(q, r, f64p2_all(0x1.62e42fef95ec3p-1));
    const f64p2 power = f64p2_mul_add(r, q, one) * f64p2_power(n);
    return f64p2_any_sign(x) ? f64p2_pow_signed(x, y, power) : power;
}
/*
 * |x|^y = exp(y log(|x|)), the logarithm in two parts, that is with twice a double's bits: as f64p2_log_sum has it, but s, z = s^2,
 * t = R(z) / z, R(z) and s R(z) have a low part too.
 */
MIK_INLINE MIK_LANES f64p2 f64p2_pow(f64p2 x, f64p2 y)
{
    const f64p2 zero = f64p2_all(0), one = f64p2_all(1), two = f64p2_all(2), a = f64p2_abs(x), infinite = f64p2_all((double)INFINITY);
    const f64p2 k = f64p2_exponent(a), f = f64p2_mantissa(a) - one;
    const f64p2 d = f + two, dlow = f - (d - two), inverse = one / d;
    const f64p2 s = f * inverse, sd = f64p2_times(s, d), slow = (f - sd - f64p2_times_lost(s, d, sd) - s * dlow) * inverse;
    const f64p2 z = f64p2_times(s, s), zlow = f64p2_mul_add(s + s, slow, f64p2_times_lost(s, s, z));
    const f64p2 third = f64p2_all(0x1.5555555555555p-1), q = f64p2_log_rest(z), t = third + q;
    const f64p2 tlow = third - t + q + f64p2_all(0x1.5555555555555p-55);
    const f64p2 R = f64p2_times(z, t), Rlow = f64p2_times_lost(z, t, R) + f64p2_mul_add(z, tlow, zlow * t);
    const f64p2 w = f64p2_times(s, R), wlow = f64p2_times_lost(s, R, w) + f64p2_mul_add(s, Rlow, slow * R);
    const f64p2 near = s + s + w, nearlow = s + s - near + w + (slow + slow + wlow);
    const f64p2 kl = k * f64p2_all(0x1.62e42fefa3p-1), sum = kl + near;
    const f64p2 sumlow = kl - sum + near + f64p2_mul_add(k, f64p2_all(0x1.3de6af278ece6p-42), nearlow);
    const f64p2 log = sum + sumlow, loglow = f64p2_select(f64p2_lt(f64p2_abs(sum), infinite), sum - log + sumlow, zero);
    /* y times that; what is beyond the exponents needs no low part */
    const maskp2 is1 = f64p2_pow_is_1(y, a);
    const f64p2 p = f64p2_select(is1, zero, f64p2_times(y, f64p2_select(f64p2_lt(f64p2_abs(sum), infinite), log, sum)));
    const f64p2 plow = f64p2_mul_add(y, loglow, f64p2_times_lost(y, log, p));
    const f64p2 e = f64p2_within(-800, p, 800), n = f64p2_exp_whole(e);
    const f64p2 r = f64p2_exp_rest(e, n) + f64p2_select(f64p2_lt(f64p2_abs(p), f64p2_all(800)) & ~is1, plow, zero);
    const f64p2 power = f64p2_scale(f64p2_exp_less_1_r(r, r) + one, n);
    return f64p2_any_sign(x) ? f64p2_pow_signed(x, y, power) : power;
}
/* Of 2^k m, k = 3 n + 0, 1 or -1: a polynomial for m and two steps of Newton's, the second with the residue in two parts. */
MIK_INLINE MIK_LANES f64p2 f64p2_cbrt(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), zero = f64p2_all(0), one = f64p2_all(1), third = f64p2_all(0x1.5555555555555p-2), k = f64p2_exponent(a);
    const f64p2 n = f64p2_mul_add(k, third, f64p2_whole()) - f64p2_whole(), left = k - f64p2_all(3) * n;
    const maskp2 above = f64p2_gt(left, zero), below = f64p2_lt(left, zero);
    const f64p2 mantissa = f64p2_mantissa(a);
    const f64p2 m = mantissa * f64p2_select(above, f64p2_all(2), f64p2_select(below, f64p2_all(0.5), one));
    f64p2 y = f64p2_all(-0x1.eba78b571f9fap-6);
    y = f64p2_mul_add(y, mantissa, f64p2_all(0x1.77abcd4571971p-3));
    y = f64p2_mul_add(y, mantissa, f64p2_all(-0x1.eddf2d8848e3ap-2));
    y = f64p2_mul_add(y, mantissa, f64p2_all(0x1.bc3b9830b4838p-1));
    y = f64p2_mul_add(y, mantissa, f64p2_all(0x1.d84efc4a4d153p-2));
    y *= f64p2_select(above, f64p2_all(0x1.428a2f98d728bp0), f64p2_select(below, f64p2_all(0x1.965fea53d6e3dp-1), one));
    y = f64p2_mul_add(m / (y * y) - y, third, y);
    const f64p2 square = f64p2_times(y, y), lost = f64p2_times_lost(y, y, square);
    const f64p2 cube = f64p2_times(square, y), residue = m - cube - f64p2_mul_add(lost, y, f64p2_times_lost(square, y, cube));
    y = f64p2_mul_add(residue / square, third, y) * f64p2_power(n);
    return f64p2_select(f64p2_gt(a, zero) & f64p2_lt(a, f64p2_all((double)INFINITY)), f64p2_copysign(y, x), x);
}
/* Well enough for floats. */
MIK_INLINE MIK_LANES f64p2 f64p2_hypot_float(f64p2 x, f64p2 y)
{
    const f64p2 infinite = f64p2_all((double)INFINITY);
    const maskp2 large = f64p2_eq(f64p2_abs(x), infinite) | f64p2_eq(f64p2_abs(y), infinite);
    return f64p2_select(large, infinite, f64p2_sqrt(f64p2_mul_add(x, x, y * y)));
}
/* The greater one is scaled to about 1; the square root is corrected by its residue in two parts. */
MIK_INLINE MIK_LANES f64p2 f64p2_hypot(f64p2 x, f64p2 y)
{
    const f64p2 a = f64p2_abs(x), b = f64p2_abs(y), zero = f64p2_all(0), infinite = f64p2_all((double)INFINITY);
    const maskp2 first = f64p2_gt(a, b), large = f64p2_eq(a, infinite) | f64p2_eq(b, infinite);
    const f64p2 more = f64p2_select(first, a, b), less = f64p2_select(first, b, a), n = f64p2_exponent(more);
    const f64p2 m = f64p2_scale(more, -n), l = f64p2_scale(less, -n);
    const f64p2 mm = f64p2_times(m, m), ll = f64p2_times(l, l), sum = mm + ll;
    const f64p2 lost = mm - sum + ll + f64p2_times_lost(m, m, mm) + f64p2_times_lost(l, l, ll), root = f64p2_sqrt(sum);
    const f64p2 square = f64p2_times(root, root), residue = sum - square - f64p2_times_lost(root, root, square) + lost;
    const f64p2 result = f64p2_scale(root + residue / (root + root), n);
    const f64p2 finite = f64p2_select(f64p2_eq(a, a) & f64p2_eq(b, b), f64p2_select(f64p2_eq(more, zero), zero, result), a + b);
    return f64p2_select(large, infinite, finite);
}
