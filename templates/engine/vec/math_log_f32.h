/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Logarithms of floats; the constants come from coefficients/log.sollya.
 *
 * x = 2^k (1 + f), 0.75 <= 1 + f < 1.5; k times the first part of a logarithm of 2 is exact.
 */
#pragma once
#include "math_exp_f32.h"

/* The integer whose bits from 23 on are k, and below them what 1 + f exceeds 0.75 by, for normal x. */
MIK_INLINE MIK_LANES i32p4 f32p4_log_bits(f32p4 x) { return f32p4_bits(x) - f32p4_bits(f32p4_all(0.75f)); }
/* 1 + f: for negative x no number; 1 for infinity, and something finite for 0. */
MIK_INLINE MIK_LANES f32p4 f32p4_mantissa(f32p4 x)
{
    const f32p4 y = f32p4_select(f32p4_lt(x, f32p4_all(FLT_MIN)), x * f32p4_all(0x1p25f), x);
    const i32p4 fraction = f32p4_log_bits(y) & 0x7fffff;
    const f32p4 m = f32p4_of_bits(fraction + f32p4_bits(f32p4_all(0.75f)));
    return f32p4_select(f32p4_ge(x, f32p4_all(0)), m, f32p4_all(NAN));
}
/* k as a float: -infinity for 0, infinity and what is no number for themselves. */
MIK_INLINE MIK_LANES f32p4 f32p4_exponent(f32p4 x)
{
    const maskp4 small = f32p4_lt(x, f32p4_all(FLT_MIN));
    const f32p4 y = f32p4_select(small, x * f32p4_all(0x1p25f), x);
    const u32p4 k = (u32p4)(f32p4_log_bits(y) + f32p4_bits(f32p4_all(1))) >> 23; /* more by 127 */
    const f32p4 n = f32p4_of_bits((i32p4)k | f32p4_bits(f32p4_all(0x1p23f))) -
                    f32p4_select(small, f32p4_all(0x1p23f + 127 + 25), f32p4_all(0x1p23f + 127));
    return f32p4_select(f32p4_lt(x, f32p4_all(INFINITY)), f32p4_select(f32p4_eq(x, f32p4_all(0)), f32p4_all(-INFINITY), n), x);
}
/* k log(2) + log(1 + f). */
MIK_INLINE MIK_LANES f32p4 f32p4_log_sum(f32p4 k, f32p4 f)
{
    f32p4 q = f32p4_all(0x1.592194p-5f);
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.8835fp-4f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.e1a5ccp-4f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.03538ep-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.24149p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.552a52p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.999b3ep-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.00004ap-2f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.555554p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1p-1f));
    return f32p4_mul_add(k, f32p4_all(0x1.62e4p-1f), f + f32p4_mul_add(f * f, q, k * f32p4_all(0x1.7f7d1cp-20f)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_log(f32p4 x) { return f32p4_log_sum(f32p4_exponent(x), f32p4_mantissa(x) - f32p4_all(1)); }
/* log2(1 + f) = f + f q(f). k + f is exact where the result may be less than 1. */
MIK_INLINE MIK_LANES f32p4 f32p4_log2(f32p4 x)
{
    const f32p4 k = f32p4_exponent(x), f = f32p4_mantissa(x) - f32p4_all(1);
    f32p4 q = f32p4_all(0x1.30a7dap-4f);
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.45119p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.6c4c5ap-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.73473ep-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.a28c9p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.ec132ep-3f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.278b7p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.715644p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.ec703p-2f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.715474p-1f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.c551dap-2f));
    return f32p4_mul_add(f, q, k + f);
}
/* log10(1 + f) = f / 2 + f q(f), and what this sum loses: with k = -1 it may be greater than the result. */
MIK_INLINE MIK_LANES f32p4 f32p4_log10(f32p4 x)
{
    const f32p4 k = f32p4_exponent(x), f = f32p4_mantissa(x) - f32p4_all(1), half = f32p4_all(0.5f);
    f32p4 q = f32p4_all(0x1.58082ap-6f);
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.765338p-5f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.af7dacp-5f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.bfd2d8p-5f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.f91146p-5f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.284f1p-4f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.63d8bp-4f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.bcb906p-4f));
    q = f32p4_mul_add(q, f, f32p4_all(0x1.287a42p-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.bcb7bp-3f));
    q = f32p4_mul_add(q, f, f32p4_all(-0x1.0d213ap-4f));
    q = f * q;
    const f32p4 sum = f32p4_mul_add(f, half, q), lost = f32p4_mul_add(f, half, -sum) + q;
    return f32p4_mul_add(k, f32p4_all(0x1.344p-2f), sum) + f32p4_mul_add(k, f32p4_all(0x1.3509f8p-18f), lost);
}
/* 2^-k (1 + x) - 1 = 2^-k x + (2^-k - 1): 1 + x says only which k. */
MIK_INLINE MIK_LANES f32p4 f32p4_log1p(f32p4 x)
{
    const i32p4 place = f32p4_log_bits(x + f32p4_all(1)) >> 23;
    const f32p4 four = f32p4_of_bits(f32p4_bits(f32p4_all(4)) - (place << 23)); /* 4 2^-k is normal */
    const f32p4 near = f32p4_of_bits(f32p4_bits(x) - (place << 23));
    const f32p4 y = f32p4_log_sum(f32p4_of_i32(place),
                                  f32p4_select(f32p4_eq(x, f32p4_all(0)), x, near) + f32p4_mul_add(four, f32p4_all(0.25f), f32p4_all(-1)));
    const f32p4 beyond = f32p4_select(f32p4_eq(x, f32p4_all(-1)), f32p4_all(-INFINITY),
                                      f32p4_select(f32p4_lt(x, f32p4_all(-1)), f32p4_all(NAN), x));
    const maskp4 inside = f32p4_gt(x, f32p4_all(-1)) & f32p4_lt(x, f32p4_all(INFINITY));
    return f32p4_copysign(f32p4_select(inside, y, beyond), x);
}
