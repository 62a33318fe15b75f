/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Functions of floats with wider bounds, for --math=fast: at most 4 units in the last place. The constants come from
 * coefficients/fast.sollya. docs/vmath.md says what may differ at the ends of the range.
 */
#pragma once
#include "lanes_functions_f32.h"
#include "math_erf_f32.h"
#include "math_trig_f32.h"

/* x / y and x / sqrt(y): sets with approximated inverses have their own. */
MIK_INLINE MIK_LANES f32p4 f32p4_quotient(f32p4 x, f32p4 y) { return x / y; }
MIK_INLINE MIK_LANES f32p4 f32p4_over_root(f32p4 x, f32p4 y) { return x / f32p4_sqrt(y); }

/* x - n pi / 2. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_turn(f32p4 x, f32p4 n)
{
    return f32p4_mul_add(n, f32p4_all(-0x1.68c234p-39f), f32p4_turn_high(f32p4_turn_near(x, n), n));
}
/* The sine of r, |r| <= pi / 2, with the other sign if the lowest bit of `odd` says so. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_sine(f32p4 r, f32p4 odd)
{
    const f32p4 z = r * r;
    f32p4 q = f32p4_all(0x1.6169ep-19f);
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.9fb2b8p-13f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.11103ap-7f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.555554p-3f));
    q = f32p4_mul_add(q, z, f32p4_all(1));
    return f32p4_of_bits(f32p4_bits(r * q) ^ (f32p4_bits(odd) << 31));
}
/* Halves of pi: an even number of them. */
MIK_INLINE MIK_LANES f32p4 f32p4_sin_fast(f32p4 x)
{
    const f32p4 at = f32p4_mul_add(x, f32p4_all(0x1.45f306p-2f), f32p4_whole()), n = at - f32p4_whole();
    const f32p4 y = f32p4_fast_sine(f32p4_fast_turn(x, n + n), at);
    return maskp4_any(f32p4_gt(f32p4_abs(x), f32p4_all(8192))) ? f32p4_sin_large(x, y) : y;
}
/* And an odd one. */
MIK_INLINE MIK_LANES f32p4 f32p4_cos_fast(f32p4 x)
{
    const f32p4 at = f32p4_mul_add(x, f32p4_all(0x1.45f306p-2f), f32p4_all(0.5f)) + f32p4_whole(), n = at - f32p4_whole();
    const f32p4 y = f32p4_fast_sine(f32p4_fast_turn(x, n + n - f32p4_all(1)), at);
    return maskp4_any(f32p4_gt(f32p4_abs(x), f32p4_all(8192))) ? f32p4_cos_large(x, y) : y;
}
static MIK_APART MIK_LANES f32p4 f32p4_tan_large(f32p4 x, f32p4 y)
{
    for (int i = 0; i < P4_LANES; i++)
        if (fabsf(x[i]) > 8192)
            y[i] = tanf(x[i]);
    return y;
}
/* After an odd number of quarters -1 / tan. */
MIK_INLINE MIK_LANES f32p4 f32p4_tan_fast(f32p4 x)
{
    const f32p4 at = f32p4_mul_add(x, f32p4_all(0x1.45f306p-1f), f32p4_whole()), r = f32p4_fast_turn(x, at - f32p4_whole()), z = r * r;
    f32p4 q = f32p4_all(0x1.11d3ccp-7f);
    q = f32p4_mul_add(q, z, f32p4_all(0x1.438408p-8f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.7ce544p-6f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.b85dacp-5f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.11174cp-3f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.55554ep-2f));
    const f32p4 t = f32p4_mul_add(r * z, q, r);
    const i32p4 odd = -(f32p4_bits(at) & 1);
    const f32p4 y = f32p4_of_bits((f32p4_bits(f32p4_quotient(f32p4_all(-1), t)) & odd) | (f32p4_bits(t) & ~odd));
    return maskp4_any(f32p4_gt(f32p4_abs(x), f32p4_all(8192))) ? f32p4_tan_large(x, y) : y;
}
/* For |x| <= 1. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_atan_near(f32p4 x)
{
    const f32p4 z = x * x;
    f32p4 q = f32p4_all(0x1.09e3bap-8f);
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.531654p-6f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.984998p-5f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.4aad5cp-4f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.bdfa6cp-4f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.240faep-3f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.9993ecp-3f));
    q = f32p4_mul_add(q, z, f32p4_all(-0x1.55555p-2f));
    return f32p4_mul_add(x * z, q, x);
}
MIK_INLINE MIK_LANES f32p4 f32p4_atan_fast(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), one = f32p4_all(1);
    const maskp4 large = f32p4_gt(a, one);
    const f32p4 y = f32p4_fast_atan_near(f32p4_select(large, f32p4_quotient(one, a), a));
    return f32p4_copysign(f32p4_select(large, f32p4_all(0x1.921fb6p0f) - y, y), x);
}
/* The angle of the less over the greater one of |x| and |y|; it is turned into its quadrant. */
MIK_INLINE MIK_LANES f32p4 f32p4_atan2_fast(f32p4 y, f32p4 x)
{
    const f32p4 zero = f32p4_all(0), one = f32p4_all(1), a = f32p4_abs(x), b = f32p4_abs(y);
    const maskp4 steep = f32p4_gt(b, a);
    const f32p4 less = f32p4_select(steep, a, b), more = f32p4_select(steep, b, a), over = f32p4_quotient(less, more);
    const f32p4 ratio = f32p4_select(f32p4_eq(less, more), f32p4_select(f32p4_eq(more, zero), zero, one), over);
    const f32p4 near = f32p4_fast_atan_near(ratio), turned = f32p4_select(steep, f32p4_all(0x1.921fb6p0f) - near, near);
    const f32p4 back = f32p4_select(f32p4_lt(f32p4_copysign(one, x), zero), f32p4_all(0x1.921fb6p1f) - turned, turned);
    return f32p4_copysign(f32p4_select(f32p4_eq(x, x) & f32p4_eq(y, y), back, x + y), y);
}
/* asin(x) - x for |x| <= 1/2, given z = x^2. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_asin_less_x(f32p4 x, f32p4 z)
{
    f32p4 q = f32p4_all(0x1.39fbbcp-5f);
    q = f32p4_mul_add(q, z, f32p4_all(0x1.b1164ap-6f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.70ce26p-5f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.332638p-4f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.55555ep-3f));
    return x * z * q;
}
/* Beyond 1/2 pi / 2 - 2 asin(sqrt((1 - x) / 2)). */
MIK_INLINE MIK_LANES f32p4 f32p4_asin_fast(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), half = f32p4_all(0.5f);
    const maskp4 large = f32p4_gt(a, half);
    const f32p4 z = f32p4_select(large, f32p4_mul_add(a, -half, half), a * a), s = f32p4_select(large, f32p4_sqrt(z), a);
    const f32p4 y = s + f32p4_fast_asin_less_x(s, z);
    return f32p4_copysign(f32p4_select(large, f32p4_all(0x1.921fb6p0f) - (y + y), y), x);
}
MIK_INLINE MIK_LANES f32p4 f32p4_acos_fast(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), half = f32p4_all(0.5f), pi2 = f32p4_all(0x1.921fb6p0f);
    const maskp4 large = f32p4_gt(a, half);
    const f32p4 z = f32p4_select(large, f32p4_mul_add(a, -half, half), x * x), s = f32p4_select(large, f32p4_sqrt(z), x);
    const f32p4 y = s + f32p4_fast_asin_less_x(s, z), twice = y + y;
    const f32p4 turned = f32p4_select(f32p4_lt(x, f32p4_all(0)), pi2 + pi2 - twice, twice);
    return f32p4_select(large, turned, pi2 - y);
}
/* exp(a) / 2 for 0 <= a: infinite where its double is beyond what floats hold by more than a factor of 2. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_half_exp(f32p4 a)
{
    const f32p4 y = f32p4_min(f32p4_all(90), a), n = f32p4_exp_whole(y), r = f32p4_exp_rest(y, n);
    return f32p4_scale(f32p4_exp_less_1_r(r, r) + f32p4_all(1), n - f32p4_all(1));
}
MIK_INLINE MIK_LANES f32p4 f32p4_cosh_fast(f32p4 x)
{
    const f32p4 h = f32p4_fast_half_exp(f32p4_abs(x));
    return h + f32p4_quotient(f32p4_all(0.25f), h);
}
/* x + x^3 q(x^2) to 1. */
MIK_INLINE MIK_LANES f32p4 f32p4_sinh_fast(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), z = a * a, h = f32p4_fast_half_exp(a);
    f32p4 q = f32p4_all(0x1.a8e94p-13f);
    q = f32p4_mul_add(q, z, f32p4_all(0x1.1103a4p-7f));
    q = f32p4_mul_add(q, z, f32p4_all(0x1.555562p-3f));
    const f32p4 near = f32p4_mul_add(a * z, q, a), far = h - f32p4_quotient(f32p4_all(0.25f), h);
    return f32p4_copysign(f32p4_select(f32p4_gt(a, f32p4_all(1)), far, near), x);
}
/* The inverse of the root: a third of the bits' integer, and two steps, each of which cubes the error. Then x times its square,
 * and a step of Newton's. */
MIK_INLINE MIK_LANES f32p4 f32p4_cbrt_fast(f32p4 x)
{
    const f32p4 b = f32p4_abs(x), one = f32p4_all(1), third = f32p4_all(0x1.555556p-2f);
    const maskp4 small = f32p4_lt(b, f32p4_all(FLT_MIN));
    const f32p4 a = f32p4_select(small, b * f32p4_all(0x1p24f), b);
    f32p4 r = f32p4_of_bits(0x54a2fa8c - __builtin_convertvector(f32p4_of_i32(f32p4_bits(a)) * third, i32p4));
    f32p4 e = one - a * r * r * r;
    r = f32p4_mul_add(r * e, f32p4_mul_add(e, f32p4_all(0x1.c71c72p-3f), third), r);
    e = one - a * r * r * r;
    r = f32p4_mul_add(r * e, f32p4_mul_add(e, f32p4_all(0x1.c71c72p-3f), third), r);
    const f32p4 near = a * r * r, y = f32p4_mul_add(f32p4_mul_add(near * near, -near, a) * (r * r), third, near),
                scaled = f32p4_select(small, y * f32p4_all(0x1p-8f), y);
    return f32p4_select(f32p4_gt(b, f32p4_all(0)) & f32p4_lt(b, f32p4_all(INFINITY)), f32p4_copysign(scaled, x), x);
}
/*
 * exp(r) - 1 for r from -log(2) / 2 to log(2): 2^n of the greatest n would be infinite where its product is not yet, so that this n is one less,
 * and r greater.
 */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_exp_less_1(f32p4 r)
{
    f32p4 q = f32p4_all(0x1.9fd11ap-10f);
    q = f32p4_mul_add(q, r, f32p4_all(0x1.1124d8p-7f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.551aeap-5f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.5555ep-3f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.000012p-1f));
    return f32p4_mul_add(r * r, q, r);
}
/* x 2^n + 2^n for n = at - f32p4_whole(), -127 <= n <= 127, of which the least counts as that of 0. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_scale(f32p4 x, f32p4 at)
{
    const f32p4 s = f32p4_of_bits((f32p4_bits(at) << 23) + f32p4_bits(f32p4_all(1)));
    return f32p4_mul_add(x, s, s);
}
MIK_INLINE MIK_LANES f32p4 f32p4_exp_fast(f32p4 x)
{
    x = f32p4_within(-88, x, 89);
    const f32p4 at = f32p4_min(f32p4_whole() + f32p4_all(127), f32p4_exp_at(x)), r = f32p4_exp_rest(x, at - f32p4_whole());
    return f32p4_fast_scale(f32p4_fast_exp_less_1(r), at);
}
MIK_INLINE MIK_LANES f32p4 f32p4_exp2_fast(f32p4 x)
{
    x = f32p4_within(-127, x, 129);
    const f32p4 at = f32p4_min(f32p4_whole() + f32p4_all(127), x + f32p4_whole()), r = x - (at - f32p4_whole());
    f32p4 q = f32p4_all(0x1.7ad42ap-13f);
    q = f32p4_mul_add(q, r, f32p4_all(0x1.5cb488p-10f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.3add34p-7f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.c6b41ep-5f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.ebfc42p-3f));
    q = f32p4_mul_add(q, r, f32p4_all(0x1.62e42ep-1f));
    return f32p4_fast_scale(r * q, at);
}
/* y, a logarithm of x if x is positive and finite; subnormal x count as 0. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_log_of(f32p4 x, f32p4 y)
{
    const f32p4 least = f32p4_select(f32p4_lt(x, f32p4_all(0)), f32p4_all(NAN), f32p4_all(-INFINITY));
    const f32p4 finite = f32p4_select(f32p4_lt(x, f32p4_all(FLT_MIN)), least, y);
    return f32p4_select(f32p4_lt(x, f32p4_all(INFINITY)), finite, x);
}
/* x = 2^k (1 + f), 0.75 <= 1 + f < 1.5. */
MIK_INLINE MIK_LANES f32p4 f32p4_fast_exponent(f32p4 x) { return f32p4_of_i32(f32p4_log_bits(x) >> 23); }
MIK_INLINE MIK_LANES f32p4 f32p4_fast_fraction(f32p4 x)
{
    return f32p4_of_bits((f32p4_log_bits(x) & 0x7fffff) + f32p4_bits(f32p4_all(0.75f))) - f32p4_all(1);
}
MIK_INLINE MIK_LANES f32p4 f32p4_log_fast(f32p4 x)
{
    const f32p4 k = f32p4_fast_exponent(x), f = f32p4_fast_fraction(x);
    f32p4 q = f32p4_all(-0x1.928ba2p-5f);
    q = f32p4_mul_add(q, f, f32p4_all(0x1.ba3f34p-4f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.0d452cp-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.275b46p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.54defp-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.997a94p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.00009cp-2f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.55557cp-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1p-1f));
    q = f + f32p4_mul_add(f * f, q, k * f32p4_all(0x1.7f7d1cp-20f));
    return f32p4_fast_log_of(x, f32p4_mul_add(k, f32p4_all(0x1.62e4p-1f), q));
}
MIK_INLINE MIK_LANES f32p4 f32p4_log2_fast(f32p4 x)
{
    const f32p4 f = f32p4_fast_fraction(x);
    f32p4 q = f32p4_all(-0x1.0ab242p-4f);
    q = f32p4_mul_add(q, f, f32p4_all(0x1.383a12p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.883652p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.ac88f8p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.eb8cdep-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.274516p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.7155c2p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.ec719ep-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.715476p-1f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.715476p0f));
    return f32p4_fast_log_of(x, f32p4_mul_add(f, q, f32p4_fast_exponent(x)));
}
/* -u / (2 + u) for u = exp(-2 |x|) - 1. */
MIK_INLINE MIK_LANES f32p4 f32p4_tanh_fast(f32p4 x)
{
    const f32p4 y = f32p4_min(f32p4_all(9.125f), f32p4_abs(x)) * f32p4_all(-2), at = f32p4_exp_at(y),
                r = f32p4_exp_rest(y, at - f32p4_whole());
    const f32p4 s = f32p4_of_bits((f32p4_bits(at) << 23) + f32p4_bits(f32p4_all(1)));
    const f32p4 u = f32p4_mul_add(s, f32p4_exp_less_1_r(r, r), s - f32p4_all(1));
    return f32p4_copysign(f32p4_quotient(u, u + f32p4_all(2)), x);
}
/* As f32p4_erf(). */
MIK_INLINE MIK_LANES f32p4 f32p4_erf_fast(f32p4 x)
{
    const f32p4 a = f32p4_abs(x), z = x * x, t = f32p4_min(f32p4_all(4), a);
    f32p4 p = f32p4_all(-0x1.373d26p-11f);
    p = f32p4_mul_add(p, z, f32p4_all(0x1.46956p-8f));
    p = f32p4_mul_add(p, z, f32p4_all(-0x1.b6721p-6f));
    p = f32p4_mul_add(p, z, f32p4_all(0x1.ce18fep-4f));
    p = f32p4_mul_add(p, z, f32p4_all(-0x1.8126ep-2f));
    p = f32p4_mul_add(p, z, f32p4_all(0x1.06eba6p-3f));
    f32p4 q = f32p4_all(0x1.98d4bp-13f);
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.8da182p-9f));
    q = f32p4_mul_add(q, t, f32p4_all(0x1.6b8e86p-6f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.a9653ap-4f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.4647b4p-1f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.20ac3p0f));
    q = f32p4_mul_add(q, t, f32p4_all(-0x1.b225eap-13f));
    const f32p4 at = f32p4_exp_at(q), r = f32p4_exp_rest(q, at - f32p4_whole());
    f32p4 e = f32p4_all(0x1.123e22p-7f);
    e = f32p4_mul_add(e, r, f32p4_all(0x1.56b4fap-5f));
    e = f32p4_mul_add(e, r, f32p4_all(0x1.555494p-3f));
    e = f32p4_mul_add(e, r, f32p4_all(0x1.ffff56p-2f));
    const f32p4 far = f32p4_all(1) - f32p4_fast_scale(f32p4_mul_add(r * r, e, r), at);
    return f32p4_select(f32p4_gt(a, f32p4_all(0.93f)), f32p4_copysign(far, x), f32p4_mul_add(x, p, x));
}
/* As f32p4_erfc(), with the square alone in two parts. */
MIK_INLINE MIK_LANES f32p4 f32p4_erfc_fast(f32p4 x)
{
    const f32p4 a = f32p4_min(f32p4_all(9.4f), f32p4_abs(x)), three = f32p4_all(3), t = f32p4_quotient(a - three, a + three);
    const f32p4 q = f32p4_mul_add(f32p4_erfc_rest(t), t, f32p4_all(0x1.632366p-1f));
    const f32p4 head = f32p4_head(a), square = -head * head, at = f32p4_exp_at(square), n = at - f32p4_whole();
    const f32p4 r = f32p4_mul_add(n, f32p4_all(-0x1.7f7d1cp-20f), f32p4_exp_near(square, n)) - (a - head) * (a + head);
    const f32p4 s = f32p4_of_bits((f32p4_bits(at) << 23) + f32p4_bits(f32p4_all(1)));
    const f32p4 y = f32p4_quotient(f32p4_mul_add(f32p4_exp_less_1_r(r, r), q, q) * s, a + f32p4_all(0.875f));
    return f32p4_select(f32p4_lt(x, f32p4_all(0)), f32p4_all(2) - y, y);
}
MIK_INLINE MIK_LANES f32p4 f32p4_pow_fast(f32p4 x, f32p4 y) { return f32p4_pow(x, y); }
