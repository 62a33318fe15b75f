/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The error function of floats; the constants come from coefficients/erf.sollya. */
#pragma once
#include "math_exp_f32.h"

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
