/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Sines, cosines and tangents of doubles; the constants come from coefficients/trig.sollya.
 *
 * x = n pi / 2 + high + low: pi / 2 in four parts, whose first three have so few bits that n times them is exact for |x| <= 2^20.
 * Lanes beyond that, which are rare, are left to the library.
 */
#pragma once
#include "math_exp_f64.h"

/* n pi / 2 is taken away of x: high, low. What is lost on the way is little enough for low, unless high is of the size of what is lost. */
MIK_INLINE MIK_LANES f64p2 f64p2_turn_high(f64p2 x, f64p2 n)
{
    const f64p2 near = f64p2_mul_add(n, f64p2_all(-0x1.921fb544p0), x);
    return f64p2_mul_add(n, f64p2_all(-0x1.3198a2ep-69), f64p2_mul_add(n, f64p2_all(-0x1.0b4611a6p-34), near));
}
MIK_INLINE MIK_LANES f64p2 f64p2_turn_low(f64p2 x, f64p2 n, f64p2 high)
{
    const f64p2 p2 = f64p2_all(-0x1.0b4611a6p-34), p3 = f64p2_all(-0x1.3198a2ep-69);
    const f64p2 near = f64p2_mul_add(n, f64p2_all(-0x1.921fb544p0), x), next = f64p2_mul_add(n, p2, near);
    return f64p2_mul_add(n, p2, near - next) + f64p2_mul_add(n, f64p2_all(-0x1.b839a252049c1p-104), f64p2_mul_add(n, p3, next - high));
}
/* n + 1.5 2^52, where |x| <= 2^20. */
MIK_INLINE MIK_LANES f64p2 f64p2_turns(f64p2 x) { return f64p2_mul_add(x, f64p2_all(0x1.45f306dc9c883p-1), f64p2_whole()); }
/* The sine of x + turns pi / 2. */
MIK_INLINE MIK_LANES f64p2 f64p2_turned(f64p2 x, int64_t turns)
{
    const f64p2 at = f64p2_turns(x), n = at - f64p2_whole(), r = f64p2_turn_high(x, n), low = f64p2_turn_low(x, n, r), z = r * r;
    f64p2 s = f64p2_all(-0x1.8dd4124e1ad05p-41);
    s = f64p2_mul_add(s, z, f64p2_all(0x1.60e6ad712cae8p-33));
    s = f64p2_mul_add(s, z, f64p2_all(-0x1.ae63f92233ea5p-26));
    s = f64p2_mul_add(s, z, f64p2_all(0x1.71de3a10e2d2dp-19));
    s = f64p2_mul_add(s, z, f64p2_all(-0x1.a01a019fe8e02p-13));
    s = f64p2_mul_add(s, z, f64p2_all(0x1.111111111101fp-7));
    s = f64p2_mul_add(s, z, f64p2_all(-0x1.5555555555555p-3));
    f64p2 c = f64p2_all(0x1.35ec34194f1fp-45);
    c = f64p2_mul_add(c, z, f64p2_all(-0x1.92a87df63aac6p-37));
    c = f64p2_mul_add(c, z, f64p2_all(0x1.1eecd75343661p-29));
    c = f64p2_mul_add(c, z, f64p2_all(-0x1.27e4faef971c4p-22));
    c = f64p2_mul_add(c, z, f64p2_all(0x1.a01a019fb816bp-16));
    c = f64p2_mul_add(c, z, f64p2_all(-0x1.6c16c16c16a33p-10));
    c = f64p2_mul_add(c, z, f64p2_all(0x1.5555555555555p-5));
    const f64p2 w = f64p2_mul_add(z, f64p2_all(-0.5), f64p2_all(1)), lost = f64p2_mul_add(z, f64p2_all(-0.5), f64p2_all(1) - w);
    s = r + f64p2_mul_add(low, w, r * z * s);
    c = w + f64p2_mul_add(z * z, c, f64p2_mul_add(-r, low, lost));
    const i64p2 quarter = f64p2_bits(at) + turns, odd = -(quarter & 1);
    return f64p2_of_bits((f64p2_bits(c) & odd) ^ (f64p2_bits(s) & ~odd) ^ (i64p2)((u64p2)quarter >> 1 << 63));
}
static MIK_APART MIK_LANES f64p2 f64p2_sin_large(f64p2 x, f64p2 y)
{
    for (int i = 0; i < P2_LANES; i++)
        if (fabs(x[i]) > 0x1p20)
            y[i] = sin(x[i]);
    return y;
}
static MIK_APART MIK_LANES f64p2 f64p2_cos_large(f64p2 x, f64p2 y)
{
    for (int i = 0; i < P2_LANES; i++)
        if (fabs(x[i]) > 0x1p20)
            y[i] = cos(x[i]);
    return y;
}
static MIK_APART MIK_LANES f64p2 f64p2_tan_large(f64p2 x, f64p2 y)
{
    for (int i = 0; i < P2_LANES; i++)
        if (fabs(x[i]) > 0x1p20)
            y[i] = tan(x[i]);
    return y;
}
MIK_INLINE MIK_LANES f64p2 f64p2_sin(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), y = f64p2_select(f64p2_lt(a, f64p2_all(0x1p-28)), x, f64p2_turned(x, 0));
    return maskp2_any(f64p2_gt(a, f64p2_all(0x1p20))) ? f64p2_sin_large(x, y) : y;
}
MIK_INLINE MIK_LANES f64p2 f64p2_cos(f64p2 x)
{
    const f64p2 y = f64p2_turned(x, 1);
    return maskp2_any(f64p2_gt(f64p2_abs(x), f64p2_all(0x1p20))) ? f64p2_cos_large(x, y) : y;
}
/* tan(r + low) = tan(r) + (1 + tan(r)^2) low; after an odd number of quarters -1 / tan. */
MIK_INLINE MIK_LANES f64p2 f64p2_tan(f64p2 x)
{
    const f64p2 a = f64p2_abs(x), at = f64p2_turns(x), n = at - f64p2_whole(), r = f64p2_turn_high(x, n), low = f64p2_turn_low(x, n, r);
    const f64p2 z = r * r;
    f64p2 q = f64p2_all(0x1.1b10d2e283d08p-17);
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.2f34bdb079ce8p-16));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.2db145e1e4db6p-15));
    q = f64p2_mul_add(q, z, f64p2_all(-0x1.58eb9fba2fe0ap-17));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.ccf46bdf2b9c1p-15));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.7b05c16f6d55bp-14));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.f98d69f93474fp-13));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.3521eaf4b0c28p-11));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.7da74d85934ebp-10));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.d6d3a0e07ff6p-9));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.226e361465726p-7));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.664f487fe5c73p-6));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.ba1ba1ba1f37ap-5));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.1111111111147p-3));
    q = f64p2_mul_add(q, z, f64p2_all(0x1.5555555555555p-2));
    const f64p2 rest = r * z * q, about = r + rest, t = r + (rest + f64p2_mul_add(about * about, low, low));
    const i64p2 odd = -(f64p2_bits(at) & 1);
    const f64p2 turned = f64p2_of_bits((f64p2_bits(f64p2_all(-1) / t) & odd) | (f64p2_bits(t) & ~odd));
    const f64p2 y = f64p2_select(f64p2_lt(a, f64p2_all(0x1p-28)), x, turned);
    return maskp2_any(f64p2_gt(a, f64p2_all(0x1p20))) ? f64p2_tan_large(x, y) : y;
}
