/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The error function and its complement for doubles; the constants come from coefficients/erf.sollya. */
#pragma once
#include "math_exact_f64.h"

/* erf(x) / x - 1 for x^2 <= 1. */
MIK_INLINE MIK_LANES f64p2 f64p2_erf_near(f64p2 z)
{
    f64p2 q = f64p2_all(-0x1.e09dba9a3ec9ep-36);
    q = f64p2_mul_add(q, z, f64p2_all(0x1.0ea010fafde9ap-32));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.d43811b39289fp-30));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.0d2181afaf85p-26));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.619cada6c5c57p-23));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.ba1dc34e17eafp-20));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.f4d627a5292cp-17));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.f9a3558b3cef4p-14));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.c02db587392b6p-11));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.565bcd16e63a2p-8));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.b82ce312c387p-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.ce2f21a043a42p-4));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.812746b037a01p-2));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.06eba8214db69p-3));
    return q;
}
/* x + x q(x^2) near 0; 1 - exp(q(|x| - 1)) beyond. */
MIK_INLINE MIK_LANES f64p2 f64p2_erf(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), one = f64p2_all(1), t = f64p2_min(f64p2_all(6), a) - one;
    f64p2 q = f64p2_all(0x1.2cd80bf15b858p-40);
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.03c2d7cafca9dp-35));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.9d77c25cedbd9p-32));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.90a03afc8d399p-29));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.03feb45dd7bbep-26));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.c4e6fd5acc443p-25));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.a99f23a8063d6p-24));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.2d3d6713d3ae5p-23));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.14051de4d4079p-19));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.42517d394f1f5p-17));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.c79e4bca45276p-16));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.b8d9e50e363a3p-16));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.f1b3c11a8110dp-13));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.033f6693edaep-9));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.48c9d3f4c9bcdp-7));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.5477f09c4420ep-5));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.afabc11a29242p-1));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.51c9b0006c23cp1));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.d97fbf27aa2a1p0));
    const f64p2 n = f64p2_exp_whole(q), r = f64p2_exp_rest(q, n), power = f64p2_power(n), e = f64p2_exp_less_1_r(r, r);
    const f64p2 far = f64p2_copysign(one - f64p2_mul_add(power, e, power), x);
    return f64p2_select(f64p2_gt(a, one), far, f64p2_mul_add(x, f64p2_erf_near(x * x), x));
}
/*
 * exp(-x^2) q(t) / (1 + 2 x) for x >= 1/2, t = (x - 3) / (x + 3); 2 less that of -x for x <= -1/2; 1 - erf(x) between. The square and the
 * denominator are taken in two parts.
 */
MIK_INLINE MIK_LANES f64p2 f64p2_erfc(f64p2 x)
{
    const f64p2 one = f64p2_all(1), a = f64p2_min(f64p2_all(28), f64p2_abs(x)), t = (a - f64p2_all(3)) / (a + f64p2_all(3));
    f64p2 q = f64p2_all(-0x1.eb05690c8a9b5p-27);
    q = f64p2_mul_add(q, t, f64p2_all(0x1.787fe8b7b6352p-26));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.d3a24d63e09fap-24));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.ff92299849e1fp-24));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.5073c4348411ap-21));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.6f3bca9bdd0e2p-22));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.d308791268452p-19));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.856d537fe07b8p-21));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.51489c856a8dap-16));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.4c0b2b2486b61p-18));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.065aa5a1bd632p-13));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.b9122ad2d7afap-14));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.98db558bf8cf6p-11));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.ef1bdcc1834cep-10));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.4b884e5fdd99cp-9));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.8574c40b3d33dp-6));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.17ca2877e53f9p-4));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.e88b803a4a7cbp-4));
    q = f64p2_mul_add(q, t, f64p2_all(0x1.098366a5b490bp-3));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.85a15c58aa538p-5));
    q = f64p2_mul_add(q, t, f64p2_all(-0x1.15c084bb9e8f7p-3));
    const f64p2 first = f64p2_all(0x1.40c522d7e4987p0), high = f64p2_mul_add(t, q, first), low = f64p2_mul_add(t, q, first - high);
    const f64p2 head = f64p2_head(a), square = -head * head, n = f64p2_exp_whole(square), near = f64p2_exp_near(square, n);
    const f64p2 r = f64p2_mul_add(n, f64p2_all(-0x1.3de6af278ece6p-42), near) - (a - head) * (a + head);
    const f64p2 rest = f64p2_mul_add(high, f64p2_exp_less_1_r(r, r), low), sum = high + rest;
    const f64p2 d = f64p2_mul_add(a, f64p2_all(2), one), dlow = one - f64p2_mul_add(a, f64p2_all(-2), d), inverse = one / d;
    const f64p2 ratio = sum * inverse, back = f64p2_times(ratio, d);
    const f64p2 lost = sum - back - f64p2_times_lost(ratio, d, back) + (high - sum + rest) - ratio * dlow;
    const f64p2 far = f64p2_scale(f64p2_mul_add(lost, inverse, ratio), n);
    const f64p2 beyond = f64p2_select(f64p2_lt(x, f64p2_all(0)), f64p2_all(2) - far, far);
    return f64p2_select(f64p2_lt(a, f64p2_all(0.5)), one - x - x * f64p2_erf_near(x * x), beyond);
}
