/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * AVX-512: exponentials and logarithms of sixteen floats by tables of sixteen, which are looked up in a register; the constants come from
 * coefficients/lookups.sollya.
 */
#pragma once
#include "math.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_of_sixteen(const float *table, __m512i n) { return _mm512_permutexvar_ps(n, _mm512_loadu_ps(table)); }
/* 2^(n / 16); and what that lacks, over it. */
/* clang-format off */
static const float f32z16_exp_table[2][16] = {
    {1, 0x1.0b5586p0f, 0x1.172b84p0f, 0x1.2387a6p0f, 0x1.306fep0f, 0x1.3dea64p0f, 0x1.4bfdaep0f, 0x1.5ab07ep0f,
     0x1.6a09e6p0f, 0x1.7a1148p0f, 0x1.8ace54p0f, 0x1.9c4918p0f, 0x1.ae89fap0f, 0x1.c199bep0f, 0x1.d5818ep0f, 0x1.ea4afap0f},
    {0, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f, 0x1.125002p-25f, 0x1.370be4p-25f, -0x1.0a355p-25f, -0x1.00d8acp-27f,
     0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f, 0x1.a3b5e4p-28f, -0x1.f9c304p-27f, -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f},
};
/* clang-format on */
/* x = n log(2) + r for n in sixteenths: n and more, so that its fraction stands in the lowest bits; 2 to the power of that; and exp(r) - 1. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp_sixteenths(void) { return f32z16_all(0x1.8p19f); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp_shifted(f32z16 x) { return f32z16_mul_add(x, f32z16_all(0x1.715476p0f), f32z16_exp_sixteenths()); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp_power(f32z16 shifted) { return f32z16_of_sixteen(f32z16_exp_table[0], (__m512i)shifted); }
/* With what the power lacks. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp_less_1(f32z16 shifted, f32z16 r)
{
    const f32z16 q = f32z16_mul_add(r, f32z16_all(0x1.555768p-3f), f32z16_all(0x1.00014cp-1f));
    return f32z16_mul_add(r * r, q, r + f32z16_of_sixteen(f32z16_exp_table[1], (__m512i)shifted));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_exp(f32z16 x)
{
    x = f32z16_within(-104, x, 89);
    const f32z16 shifted = f32z16_exp_shifted(x), n = shifted - f32z16_exp_sixteenths(), power = f32z16_exp_power(shifted);
    return f32z16_scale(f32z16_mul_add(power, f32z16_exp_less_1(shifted, f32z16_exp_rest(x, n)), power), n);
}
/* About 1 / m for mantissas m, 0.75 <= m < 1.5, by four of their bits; and minus its logarithm, which is nearly a float itself. */
/* clang-format off */
static const float f32z16_log_table[2][16] = {
    {1, 0x1.d40242p-1f, 0x1.baa912p-1f, 0x1.a43a42p-1f, 0x1.8f7d18p-1f, 0x1.7d0a74p-1f, 0x1.6c5242p-1f, 0x1.5c6002p-1f,
     0x1.4e7e4ap0f, 0x1.415d82p0f, 0x1.35309p0f, 0x1.29c052p0f, 0x1.1f6d48p0f, 0x1.15a526p0f, 0x1.0cb354p0f, 1},
    {0, 0x1.6ff96ep-4f, 0x1.2a0744p-3f, 0x1.9489aep-3f, 0x1.fc3072p-3f, 0x1.2e8214p-2f, 0x1.5c749p-2f, 0x1.8a494p-2f,
     -0x1.11dba6p-2f, -0x1.d1b794p-3f, -0x1.829dcep-3f, -0x1.3569fp-3f, -0x1.da47b8p-4f, -0x1.4c7502p-4f, -0x1.8ca7f6p-5f, 0},
};
static const float f32z16_log2_table[2][16] = {
    {1, 0x1.d3ea42p-1f, 0x1.baff12p-1f, 0x1.a3e542p-1f, 0x1.8fa598p-1f, 0x1.7d1af4p-1f, 0x1.6c50c2p-1f, 0x1.5c6b82p-1f,
     0x1.4e508ap0f, 0x1.414b02p0f, 0x1.3530dp0f, 0x1.29d652p0f, 0x1.1f5748p0f, 0x1.15af66p0f, 0x1.0c7b94p0f, 1},
    {0, 0x1.0a078p-3f, 0x1.abb8fep-3f, 0x1.24fae6p-2f, 0x1.6dff02p-2f, 0x1.b42d56p-2f, 0x1.f6bd1p-2f, 0x1.1c5274p-1f,
     -0x1.8a4dd8p-2f, -0x1.4f9c94p-2f, -0x1.16e3b4p-2f, -0x1.bf3e1p-3f, -0x1.553cbep-3f, -0x1.e07c7cp-4f, -0x1.1955eep-4f, 0},
};
static const float f32z16_log10_table[2][16] = {
    {1, 0x1.d3fdc2p-1f, 0x1.bab112p-1f, 0x1.a3d3c2p-1f, 0x1.8fc098p-1f, 0x1.7cef74p-1f, 0x1.6c1242p-1f, 0x1.5c9e82p-1f,
     0x1.4e4c4ap0f, 0x1.412d42p0f, 0x1.35045p0f, 0x1.29ef92p0f, 0x1.1f5648p0f, 0x1.15d066p0f, 0x1.0ca594p0f, 1},
    {0, 0x1.3fc088p-5f, 0x1.02bd14p-4f, 0x1.6112a2p-4f, 0x1.b83bdep-4f, 0x1.07005ep-3f, 0x1.2f4666p-3f, 0x1.55d978p-3f,
     -0x1.dab37ap-4f, -0x1.93792p-4f, -0x1.4ed0e6p-4f, -0x1.0ddb14p-4f, -0x1.9ad79ep-5f, -0x1.22eec8p-5f, -0x1.571bdp-6f, 0},
};
/* clang-format on */
MIK_INLINE MIK_AVX512L __m512i f32z16_log_place(f32z16 m) { return _mm512_srli_epi32((__m512i)m, 19); }
/* log(1 + r) */
MIK_INLINE MIK_AVX512L f32z16 f32z16_log_rest(f32z16 r)
{
    f32z16 q = f32z16_mul_add(r, f32z16_all(0x1.868e32p-3f), f32z16_all(-0x1.0028b2p-2f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.55578ep-2f));
    q = f32z16_mul_add(q, r, f32z16_all(-0x1.fffffep-2f));
    return f32z16_mul_add(r * r, q, r);
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_log(f32z16 x)
{
    const f32z16 m = f32z16_mantissa(x), k = f32z16_exponent(x);
    const __m512i n = f32z16_log_place(m);
    const f32z16 r = f32z16_mul_add(m, f32z16_of_sixteen(f32z16_log_table[0], n), f32z16_all(-1));
    return f32z16_mul_add(k, f32z16_all(0x1.62e43p-1f), f32z16_log_rest(r) + f32z16_of_sixteen(f32z16_log_table[1], n));
}
/* log2(1 + r) = r + r q(r) */
MIK_INLINE MIK_AVX512L f32z16 f32z16_log2(f32z16 x)
{
    const f32z16 m = f32z16_mantissa(x), k = f32z16_exponent(x);
    const __m512i n = f32z16_log_place(m);
    const f32z16 r = f32z16_mul_add(m, f32z16_of_sixteen(f32z16_log2_table[0], n), f32z16_all(-1));
    f32z16 q = f32z16_mul_add(r, f32z16_all(0x1.19c8d8p-2f), f32z16_all(-0x1.717abap-2f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.ec7186p-2f));
    q = f32z16_mul_add(q, r, f32z16_all(-0x1.715474p-1f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.c551dap-2f));
    return k + (f32z16_mul_add(r, q, r) + f32z16_of_sixteen(f32z16_log2_table[1], n));
}
/* log10(1 + r) = r / 2 + r q(r) */
MIK_INLINE MIK_AVX512L f32z16 f32z16_log10(f32z16 x)
{
    const f32z16 m = f32z16_mantissa(x), k = f32z16_exponent(x);
    const __m512i n = f32z16_log_place(m);
    const f32z16 r = f32z16_mul_add(m, f32z16_of_sixteen(f32z16_log10_table[0], n), f32z16_all(-1));
    f32z16 q = f32z16_mul_add(r, f32z16_all(0x1.5255ap-4f), f32z16_all(-0x1.bcddc4p-4f));
    q = f32z16_mul_add(q, r, f32z16_all(0x1.287b62p-3f));
    q = f32z16_mul_add(q, r, f32z16_all(-0x1.bcb7bp-3f));
    q = f32z16_mul_add(q, r, f32z16_all(-0x1.0d213ap-4f));
    const f32z16 sum = f32z16_mul_add(r, q, r * f32z16_all(0.5f)) + f32z16_of_sixteen(f32z16_log10_table[1], n);
    return f32z16_mul_add(k, f32z16_all(0x1.344134p-2f), f32z16_mul_add(k, f32z16_all(0x1.09f7ap-26f), sum));
}
