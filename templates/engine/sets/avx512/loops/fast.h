/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: what --math=fast has beside vec/math_fast_f32.h; the constants come from coefficients/fast.sollya. */
#pragma once
#include "functions.h"
#include "pieces.h"

/* A step of Newton's for the quotient, which would make no number of what is infinite, and lose the sign of 0. Subnormal y may count as 0. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_quotient(f32z16 x, f32z16 y)
{
    const f32z16 r = _mm512_rcp14_ps(y), q = x * r, better = f32z16_mul_add(_mm512_fnmadd_ps(q, y, x), r, q);
    return f32z16_select(_mm512_cmp_ps_mask(better, f32z16_all(0), _CMP_NEQ_OQ), better, q);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_over_root(f32z16 x, f32z16 y)
{
    const f32z16 r = _mm512_rsqrt14_ps(y), e = _mm512_fnmadd_ps(y * r, r, f32z16_all(1));
    const f32z16 better = f32z16_mul_add(r * f32z16_all(0.5f), e, r);
    return x * f32z16_select(_mm512_cmp_ps_mask(better, better, _CMP_ORD_Q), better, r);
}
/* x - n pi / 2, whose parts are all positive: x is -0 where it was. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_fast_turn(f32z16 x, f32z16 n)
{
    const f32z16 near = f32z16_mul_add(n, f32z16_all(-0x1.4442dp-24f), f32z16_mul_add(n, f32z16_all(-0x1.921fb4p0f), x));
    return f32z16_mul_add(n, f32z16_all(-0x1.846988p-48f), near);
}
/* About 1 / m for mantissas m to so few bits that their product is exact; minus its binary logarithm, whose sum with the exponent is; and the rest. */
/* clang-format off */
static const float f32z16_pow_table[3][16] = {
    {1, 0x1.dp-1f, 0x1.cp-1f, 0x1.ap-1f, 0x1.9p-1f, 0x1.8p-1f, 0x1.7p-1f, 0x1.6p-1f,
     0x1.5p0f, 0x1.4p0f, 0x1.3p0f, 0x1.3p0f, 0x1.2p0f, 0x1.1p0f, 0x1.1p0f, 1},
    {0, 0x1.22ep-3f, 0x1.8a9p-3f, 0x1.32cp-2f, 0x1.6cbp-2f, 0x1.a9p-2f, 0x1.e7ep-2f, 0x1.14c4p-1f,
     -0x1.91b8p-2f, -0x1.49a8p-2f, -0x1.fbcp-3f, -0x1.fbcp-3f, -0x1.5cp-3f, -0x1.664p-4f, -0x1.664p-4f, 0},
    {0, -0x1.48f554p-17f, -0x1.9fd502p-17f, -0x1.1c8f12p-22f, 0x1.ed0cbap-19f, -0x1.a39fbep-20f, -0x1.40358ep-19f, 0x1.60fe68p-17f,
     -0x1.d448f8p-17f, 0x1.ed0cbap-20f, -0x1.6b9026p-19f, -0x1.6b9026p-19f, -0x1.a39fbep-19f, 0x1.20a6dep-21f, 0x1.20a6dep-21f, 0},
};
/* clang-format on */
/* 2^(y log2(x)), the logarithm and its product in two parts. The ends of the range, and negative x, are left to f32z16_pow. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_pow_fast(f32z16 x, f32z16 y)
{
    const f32z16 m = f32z16_mantissa(x), k = f32z16_exponent(x);
    const __m512i n = f32z16_log_place(m);
    const f32z16 r = f32z16_mul_add(m, f32z16_of_sixteen(f32z16_pow_table[0], n), f32z16_all(-1)), square = r * r;
    f32z16 q = f32z16_mul_add(r, f32z16_all(0x1.a999e8p-3f), f32z16_all(-0x1.ee4142p-3f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.277576p-2f));
    q = f32z16_mul_add(q, r, f32z16_all(-0x1.71543cp-2f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.ec709ep-2f));
    /* r and r^2 times their coefficients */
    const f32z16 c1 = f32z16_all(0x1.715476p0f), c2 = f32z16_all(-0x1.715476p-1f), one = r * c1, two = square * c2;
    f32z16 low = f32z16_mul_add(square * r, q, f32z16_of_sixteen(f32z16_pow_table[2], n));
    low = f32z16_mul_add(r, f32z16_all(0x1.4ae0cp-26f), low) + _mm512_fmsub_ps(r, c1, one);
    low = f32z16_mul_add(_mm512_fmsub_ps(r, r, square), c2, low) + _mm512_fmsub_ps(square, c2, two);
    const f32z16 whole = k + f32z16_of_sixteen(f32z16_pow_table[1], n), near = whole + one, part = near - whole, sum = near + two;
    low += (whole - (near - part)) + (one - part) + (near - sum + two);
    const f32z16 log = sum + low, p = f32z16_within(-160, y * log, 130);
    const f32z16 rest = f32z16_mul_add(y, sum - log + low, _mm512_fmsub_ps(y, log, p));
    const f32z16 shifted = p + f32z16_exp_sixteenths(), e = shifted - f32z16_exp_sixteenths();
    const f32z16 s = p - e + f32z16_within(-0x1p-6f, rest, 0x1p-6f), power = f32z16_exp_power(shifted);
    q = f32z16_mul_add(s, f32z16_all(0x1.c6ad72p-5f), f32z16_all(0x1.ebfbep-3f));
    q = f32z16_mul_add(q, s, f32z16_all(0x1.62e43p-1f));
    q = f32z16_mul_add(q, s, f32z16_of_sixteen(f32z16_exp_table[1], (__m512i)shifted));
    const f32z16 result = f32z16_scale(f32z16_mul_add(power, q, power), e);
    /* NaN, 0, infinite, negative; NaN, infinite */
    const maskz16 ends = (maskz16)(_mm512_fpclass_ps_mask(x, 0x81 | 0x06 | 0x18 | 0x40) | _mm512_fpclass_ps_mask(y, 0x81 | 0x18));
    return ends ? f32z16_pow(x, y) : result;
}
/* Those by tables stay. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp_fast(f32z16 x) { return f32z16_exp(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp2_fast(f32z16 x) { return f32z16_exp2(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_log_fast(f32z16 x) { return f32z16_log(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_log2_fast(f32z16 x) { return f32z16_log2(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_tanh_fast(f32z16 x) { return f32z16_tanh(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_erf_fast(f32z16 x) { return f32z16_erf(x); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_erfc_fast(f32z16 x) { return f32z16_erfc(x); }
