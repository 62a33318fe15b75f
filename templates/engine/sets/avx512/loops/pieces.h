/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * AVX-512: functions of sixteen floats by piecewise polynomials, whose coefficients are looked up in two registers; the constants come from
 * coefficients/pieces.sollya.
 *
 * Pieces are the wider, the greater 1 + a: the bits of this sum from 20 on number them, modulo 32. A table has for each the middle c, the
 * value there, which is nearly a float itself, and five coefficients, the lowest first. A value is f(c + t), t = a - c.
 */
#pragma once
#include "lookups.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_looked_up(const float *table, __m512i n)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), n, _mm512_loadu_ps(table + 16));
}
MIK_INLINE MIK_AVX512L __m512i f32z16_piece(f32z16 a) { return _mm512_srli_epi32((__m512i)(a + f32z16_all(1)), 20); }
/* What t is multiplied by. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_slope(const float (*table)[32], __m512i n, f32z16 t)
{
    f32z16 p = f32z16_looked_up(table[6], n);
    p = f32z16_mul_add(p, t, f32z16_looked_up(table[5], n));
    p = f32z16_mul_add(p, t, f32z16_looked_up(table[4], n));
    p = f32z16_mul_add(p, t, f32z16_looked_up(table[3], n));
    return f32z16_mul_add(p, t, f32z16_looked_up(table[2], n));
}
/* f(|x|) with the sign of x. Of the first piece, to 1/8, the value is that of |x|, and the slope less by 1. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_odd_pieces(const float (*table)[32], f32z16 top, f32z16 x)
{
    const f32z16 a = f32z16_min(top, _mm512_abs_ps(x));
    const __m512i n = f32z16_piece(a);
    const f32z16 value = f32z16_max(f32z16_looked_up(table[1], n), f32z16_min(a, f32z16_all(0.125f))),
                 t = a - f32z16_looked_up(table[0], n);
    const f32z16 y = f32z16_mul_add(f32z16_slope(table, n, t), t, value);
    return _mm512_or_ps(y, _mm512_and_ps(x, f32z16_all(-0.0f)));
}
/* clang-format off */
static const float f32z16_tanh_table[7][32] = {
    {0x1.2027p0f, 0x1.607p0f, 0x1.9fddp0f, 0x1.e045p0f, 0x1.10208p1f, 0x1.2ff48p1f, 0x1.50488p1f, 0x1.70188p1f,
     0x1.a033p1f, 0x1.dfbep1f, 0x1.0fdf8p2f, 0x1.3015p2f, 0x1.4fff8p2f, 0x1.702ep2f, 0x1.9003p2f, 0x1.b0008p2f,
     0x1.e096p2f, 0x1.104bp3f, 0x1.304bp3f, 0, 0, 0, 0, 0,
     0, 0x1.80acp-3f, 0x1.3f9p-2f, 0x1.c0fcp-2f, 0x1.1ff7p-1f, 0x1.5fcp-1f, 0x1.9fa4p-1f, 0x1.df8cp-1f},
    {0x1.9e779cp-1f, 0x1.c2ab2cp-1f, 0x1.d9bceap-1f, 0x1.e885p-1f, 0x1.f1a082p-1f, 0x1.f735e6p-1f, 0x1.faad96p-1f, 0x1.fcc18ap-1f,
     0x1.fe77b2p-1f, 0x1.ff6e82p-1f, 0x1.ffca76p-1f, 0x1.ffec6ep-1f, 0x1.fff8c8p-1f, 0x1.fffd5cp-1f, 0x1.ffff06p-1f, 0x1.ffffa4p-1f,
     0x1.ffffecp-1f, 0x1.fffffep-1f, 01, 0, 0, 0, 0, 0,
     0, 0x1.7c360ep-3f, 0x1.3593cap-2f, 0x1.a643dap-2f, 0x1.0501c6p-1f, 0x1.312eap-1f, 0x1.575664p-1f, 0x1.77a2b2p-1f},
    {0x1.60f8ecp-2f, 0x1.cd438cp-3f, 0x1.26a8b8p-3f, 0x1.6f12acp-4f, 0x1.c57b14p-5f, 0x1.16d936p-5f, 0x1.52d556p-6f, 0x1.9dea4p-7f,
     0x1.87b7cap-8f, 0x1.22d2aap-9f, 0x1.ac39b2p-11f, 0x1.3919dcp-12f, 0x1.cdfceep-14f, 0x1.520012p-15f, 0x1.f3ff0ep-17f, 0x1.6ffd96p-18f,
     0x1.42db94p-20f, 0x1.699c18p-23f, 0x1.ac73bcp-26f, 0, 0, 0, 0, 0,
     -0x1.47e36ep-30f, 0x1.ee5a7cp-1f, 0x1.d1343cp-1f, 0x1.a8ef88p-1f, 0x1.7af1b2p-1f, 0x1.4a17fp-1f, 0x1.19c3b2p-1f, 0x1.d8d1f4p-2f},
    {-0x1.1dbc3ep-2f, -0x1.960332p-3f, -0x1.10a3dp-3f, -0x1.5e3d44p-4f, -0x1.b8bfe2p-5f, -0x1.120fb8p-5f, -0x1.4f4f6ep-6f, -0x1.9b4a9cp-7f,
     -0x1.8684a6p-8f, -0x1.227a92p-9f, -0x1.ac074ap-11f, -0x1.3900fcp-12f, -0x1.cdf0dep-14f, -0x1.520e92p-15f, -0x1.f3e338p-17f, -0x1.6face8p-18f,
     -0x1.56397ap-20f, -0x1.12a3f2p-21f, -0x1.ab8412p-23f, 0, 0, 0, 0, 0,
     0x1.dc9284p-22f, -0x1.6f1b24p-3f, -0x1.194832p-2f, -0x1.5e75ap-2f, -0x1.825bp-2f, -0x1.8982a4p-2f, -0x1.79e446p-2f, -0x1.5ae4p-2f},
    {0x1.c69466p-4f, 0x1.9741fcp-4f, 0x1.3416f2p-4f, 0x1.a7a352p-5f, 0x1.153826p-5f, 0x1.60d1f2p-6f, 0x1.b5c188p-7f, 0x1.0eb6d6p-7f,
     0x1.02c5fp-8f, 0x1.8276bp-10f, 0x1.1d20acp-11f, 0x1.a13cfap-13f, 0x1.33e988p-14f, 0x1.c27cb2p-16f, 0x1.4d4bd8p-17f, 0x1.eaa21ap-19f,
     0x1.9f4854p-21f, -0x1.526762p-27f, -0x1.844366p-25f, 0, 0, 0, 0, 0,
     -0x1.555c2ep-2f, -0x1.277f02p-2f, -0x1.c22a0ep-3f, -0x1.15932ep-3f, -0x1.bd901ep-5f, 0x1.cf1356p-7f, 0x1.0632dap-4f, 0x1.8387d4p-4f},
    {0x1.d489c4p-9f, -0x1.5b3c18p-6f, -0x1.9bc37ep-6f, -0x1.552beep-6f, -0x1.ea94b6p-7f, -0x1.488932p-7f, -0x1.a44002p-8f, -0x1.08670ep-8f,
     -0x1.0277c8p-9f, -0x1.8521bep-11f, -0x1.1fb462p-12f, -0x1.a740f8p-14f, -0x1.371f72p-15f, -0x1.c34026p-17f, -0x1.52ec8cp-18f, -0x1.ff0a36p-20f,
     -0x1.7dc6cap-23f, 0x1.1eeccp-20f, 0x1.2e653ap-21f, 0, 0, 0, 0, 0,
     0x1.0d28ep-11f, 0x1.ced6c2p-4f, 0x1.42d74p-3f, 0x1.5b6678p-3f, 0x1.39f562p-3f, 0x1.e9f058p-4f, 0x1.4810bap-4f, 0x1.64c632p-5f},
    {-0x1.05b25ep-5f, -0x1.3a0ba4p-7f, 0x1.72bf9cp-10f, 0x1.2e98f4p-8f, 0x1.24f8a8p-8f, 0x1.be10b8p-9f, 0x1.3470dep-9f, 0x1.912506p-10f,
     0x1.94bea4p-11f, 0x1.331532p-12f, 0x1.c8eaaap-14f, 0x1.519168p-15f, 0x1.f2621ep-17f, 0x1.73bf5p-18f, 0x1.0db13ep-19f, 0x1.8bcc84p-21f,
     0x1.223ae8p-22f, 0x1.0328ccp-21f, 0x1.fb3db4p-23f, 0, 0, 0, 0, 0,
     0x1.09eac6p-3f, 0x1.8e2194p-4f, 0x1.5e2a9ep-5f, -0x1.c83458p-9f, -0x1.447b8p-5f, -0x1.d8bd12p-5f, -0x1.ecac52p-5f, -0x1.a22afep-5f},
};
/* clang-format on */
MIK_INLINE MIK_AVX512L f32z16 f32z16_tanh(f32z16 x) { return f32z16_odd_pieces(f32z16_tanh_table, f32z16_all(9.25f), x); }
/* clang-format off */
static const float f32z16_erf_table[7][32] = {
    {0x1.2036p0f, 0x1.5fadp0f, 0x1.9fe3p0f, 0x1.dffp0f, 0x1.1025p1f, 0x1.300a8p1f, 0x1.500dp1f, 0x1.703cp1f,
     0x1.9fcap1f, 0x1.df6ap1f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0x1.7dep-3f, 0x1.3f62p-2f, 0x1.c048p-2f, 0x1.2032p-1f, 0x1.6058p-1f, 0x1.a059p-1f, 0x1.e03bp-1f},
    {0x1.c6fd2ap-1f, 0x1.e55a38p-1f, 0x1.f4f1e8p-1f, 0x1.fbe50cp-1f, 0x1.fea5f4p-1f, 0x1.ff998cp-1f, 0x1.ffe524p-1f, 0x1.fff9ccp-1f,
     0x1.ffff6ep-1f, 0x1.fffffcp-1f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0x1.a9f524p-3f, 0x1.5d083ap-2f, 0x1.db4b32p-2f, 0x1.25e1c4p-1f, 0x1.56d022p-1f, 0x1.7fed9ep-1f, 0x1.a170bcp-1f},
    {0x1.454f04p-2f, 0x1.5e1d1p-3f, 0x1.4a16b4p-4f, 0x1.130f2p-5f, 0x1.927292p-7f, 0x1.062b5p-8f, 0x1.2c485cp-10f, 0x1.2d23a8p-12f,
     0x1.ef14d8p-16f, 0x1.ea21ep-21f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0x1.06eba8p-3f, 0x1.16fe8cp0f, 0x1.06167ep0f, 0x1.dcf92p-1f, 0x1.a4d90cp-1f, 0x1.67cad6p-1f, 0x1.2a397cp-1f, 0x1.df6282p-2f},
    {-0x1.6e3df4p-2f, -0x1.e0f7a8p-3f, -0x1.0c208ep-3f, -0x1.01d60cp-4f, -0x1.abd31p-6f, -0x1.375b8cp-7f, -0x1.8a2682p-9f, -0x1.b11d2ep-11f,
     -0x1.9003eap-14f, -0x1.b9f18ap-19f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0x1.1984d4p-22f, -0x1.a02cdcp-3f, -0x1.46fa4cp-2f, -0x1.a19cf8p-2f, -0x1.d9c64cp-2f, -0x1.ef3284p-2f, -0x1.e50506p-2f, -0x1.c1a396p-2f},
    {0x1.4ce2e8p-3f, 0x1.43c4a6p-3f, 0x1.d6bfe2p-4f, 0x1.146a1p-4f, 0x1.0daba4p-5f, 0x1.c15dcp-7f, 0x1.3fea9ep-8f, 0x1.862cc6p-10f,
     0x1.9d517p-13f, 0x1.1163a2p-17f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     -0x1.812b02p-2f, -0x1.5a1bbcp-2f, -0x1.197abp-2f, -0x1.882b08p-3f, -0x1.9b31dep-4f, -0x1.9574e8p-7f, 0x1.008be6p-4f, 0x1.e56d7cp-4f},
    {0x1.cbc1bcp-6f, -0x1.e8aa2cp-6f, -0x1.94ac9ap-5f, -0x1.5991e4p-5f, -0x1.af652cp-6f, -0x1.b01b26p-7f, -0x1.6575d6p-8f, -0x1.ef4a06p-10f,
     -0x1.4813ccp-12f, -0x1.20935p-16f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0x1.1a82fp-12f, 0x1.95d832p-4f, 0x1.31482ap-3f, 0x1.6bacecp-3f, 0x1.75320cp-3f, 0x1.52757p-3f, 0x1.0eecfp-3f, 0x1.73cbaap-4f},
    {-0x1.f3cc3p-5f, -0x1.f6533ep-6f, -0x1.2c8a7ap-9f, 0x1.722daap-7f, 0x1.97b10ep-7f, 0x1.120176p-7f, 0x1.15e6aep-8f, 0x1.c68104p-10f,
     0x1.5f5778p-12f, 0x1.618b4ep-16f, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0x1.c6d95p-4f, 0x1.73e3dp-4f, 0x1.1201fep-4f, 0x1.7bd538p-6f, -0x1.e4fbaep-8f, -0x1.5b519cp-5f, -0x1.07777ap-4f, -0x1.174db6p-4f},
};
/* clang-format on */
MIK_INLINE MIK_AVX512L f32z16 f32z16_erf(f32z16 x) { return f32z16_odd_pieces(f32z16_erf_table, f32z16_all(3.95f), x); }
/* exp(x^2) erfc(x) */
/* clang-format off */
static const float f32z16_erfcx_table[7][32] = {
    {0x1.2082p0f, 0x1.602bp0f, 0x1.9fb1p0f, 0x1.df87p0f, 0x1.10128p1f, 0x1.3003p1f, 0x1.4fce8p1f, 0x1.70098p1f,
     0x1.a07p1f, 0x1.e05dp1f, 0x1.1041p2f, 0x1.2fc18p2f, 0x1.4fed8p2f, 0x1.6fcap2f, 0x1.8ff78p2f, 0x1.b0458p2f,
     0x1.e085p2f, 0x1.0ff28p3f, 0x1.302ap3f, 0x1.503e8p3f, 0, 0, 0, 0,
     0x1.03d8p-4f, 0x1.813p-3f, 0x1.3fb8p-2f, 0x1.c0dep-2f, 0x1.1fc8p-1f, 0x1.6051p-1f, 0x1.a04fp-1f, 0x1.e029p-1f},
    {0x1.94b638p-2f, 0x1.5f6944p-2f, 0x1.35b222p-2f, 0x1.141e9ep-2f, 0x1.f0e072p-3f, 0x1.c3949ap-3f, 0x1.9dad7ap-3f, 0x1.7d0178p-3f,
     0x1.54532p-3f, 0x1.29f4bcp-3f, 0x1.08aa06p-3f, 0x1.dcbe5p-4f, 0x1.b0ae02p-4f, 0x1.8c4c88p-4f, 0x1.6d3714p-4f, 0x1.5282bap-4f,
     0x1.312114p-4f, 0x1.0e14bap-4f, 0x1.e39984p-5f, 0x1.b5e3eap-5f, 0, 0, 0, 0,
     0x1.dd50dep-1f, 0x1.a32d5ap-1f, 0x1.73d9d4p-1f, 0x1.4c24e6p-1f, 0x1.2b9f48p-1f, 0x1.0fae0cp-1f, 0x1.f03c76p-2f, 0x1.c7e004p-2f},
    {-0x1.e6819ap-3f, -0x1.793c98p-3f, -0x1.2b6414p-3f, -0x1.e42022p-4f, -0x1.8d4446p-4f, -0x1.4ba944p-4f, -0x1.18b9b8p-4f, -0x1.dfaaap-5f,
     -0x1.81ef1cp-5f, -0x1.2a3cbap-5f, -0x1.d966dep-6f, -0x1.81a9fp-6f, -0x1.3eb98p-6f, -0x1.0c0fd6p-6f, -0x1.c83ec8p-7f, -0x1.889a6ap-7f,
     -0x1.3f9796p-7f, -0x1.f5ad7cp-8f, -0x1.92a30cp-8f, -0x1.4a6f62p-8f, 0, 0, 0, 0,
     -0x1.0295bcp0f, -0x1.a40d76p-1f, -0x1.59871p-1f, -0x1.1e8a9cp-1f, -0x1.e1d288p-2f, -0x1.97ab46p-2f, -0x1.5c7a72p-2f, -0x1.2c68cap-2f},
    {0x1.05234cp-3f, 0x1.6fbf6cp-4f, 0x1.0a7bep-4f, 0x1.8b45e6p-5f, 0x1.2aacaep-5f, 0x1.cdbda2p-6f, 0x1.6b7ff6p-6f, 0x1.21af6ep-6f,
     0x1.a6c618p-7f, 0x1.2259b4p-7f, 0x1.9de86ap-8f, 0x1.322a8p-8f, 0x1.ce3242p-9f, 0x1.65c9ep-9f, 0x1.19b34ep-9f, 0x1.c2c944p-10f,
     0x1.4bfbfap-10f, 0x1.cee4c4p-11f, 0x1.4d759ap-11f, 0x1.f0867ep-12f, 0, 0, 0, 0,
     0x1.bc81c8p-1f, 0x1.542c66p-1f, 0x1.07f7dep-1f, 0x1.9d1434p-2f, 0x1.486ce8p-2f, 0x1.06d5d2p-2f, 0x1.a9c65ap-3f, 0x1.5c4b6cp-3f},
    {-0x1.0045eap-4f, -0x1.4b6d64p-5f, -0x1.bad168p-6f, -0x1.2fca82p-6f, -0x1.a9cd36p-7f, -0x1.329ae6p-7f, -0x1.c35944p-8f, -0x1.5110eap-8f,
     -0x1.c0af5cp-9f, -0x1.137aep-9f, -0x1.624516p-10f, -0x1.dd7fcp-11f, -0x1.4a1314p-11f, -0x1.d7624cp-12f, -0x1.57f8fep-12f, -0x1.004a8cp-12f,
     -0x1.5615eep-13f, -0x1.a85f56p-14f, -0x1.12ba7ep-14f, -0x1.737078p-15f, 0, 0, 0, 0,
     -0x1.45fc2ap-1f, -0x1.dac88p-2f, -0x1.5ed13ep-2f, -0x1.055c12p-2f, -0x1.8c4a9ap-3f, -0x1.2e6eb6p-3f, -0x1.d3a8ep-4f, -0x1.6d8fd8p-4f},
    {0x1.d4b328p-6f, 0x1.187a24p-6f, 0x1.5bec68p-7f, 0x1.bc2768p-8f, 0x1.224538p-8f, 0x1.872bap-9f, 0x1.0e4f36p-9f, 0x1.7ba842p-10f,
     0x1.d10678p-11f, 0x1.004c7cp-11f, 0x1.2a4b64p-12f, 0x1.6f36fp-13f, 0x1.d1dc74p-14f, 0x1.336908p-14f, 0x1.a0672cp-15f, 0x1.2115f2p-15f,
     0x1.5fb1e8p-16f, 0x1.84570cp-17f, 0x1.c3fbeap-18f, 0x1.1585cep-18f, 0, 0, 0, 0,
     0x1.a89788p-2f, 0x1.2803b2p-2f, 0x1.a3074ep-3f, 0x1.2af242p-3f, 0x1.b24f4p-4f, 0x1.3df49p-4f, 0x1.d7dceep-5f, 0x1.6216eap-5f},
    {-0x1.91dfa2p-7f, -0x1.c1fap-8f, -0x1.069cb6p-8f, -0x1.34207ep-9f, -0x1.7f2f46p-10f, -0x1.ec9962p-11f, -0x1.3f0a58p-11f, -0x1.a505bcp-12f,
     -0x1.d74ep-13f, -0x1.d066bap-14f, -0x1.eac894p-15f, -0x1.147758p-15f, -0x1.49b566p-16f, -0x1.8f08c8p-17f, -0x1.faaafp-18f, -0x1.3b8a66p-18f,
     -0x1.662338p-19f, -0x1.6025ecp-20f, -0x1.72eb32p-21f, -0x1.9f372ep-22f, 0, 0, 0, 0,
     -0x1.f1f7c6p-3f, -0x1.48cefap-3f, -0x1.c62b8cp-4f, -0x1.2c273cp-4f, -0x1.bbc244p-5f, -0x1.24e6c4p-5f, -0x1.c6f2fp-6f, -0x1.4b9656p-6f},
};
/* clang-format on */
/* exp(-a^2) as f32z16_exp has it, of a square in two parts; what that is multiplied by, and the product, have two parts as well. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_erfc(f32z16 x)
{
    const f32z16 a = f32z16_min(f32z16_all(10.25f), _mm512_abs_ps(x)), square = a * a, lost = f32z16_mul_add(a, a, -square);
    const __m512i piece = f32z16_piece(a);
    const f32z16 t = a - f32z16_looked_up(f32z16_erfcx_table[0], piece), slope = f32z16_slope(f32z16_erfcx_table, piece, t);
    const f32z16 value = f32z16_looked_up(f32z16_erfcx_table[1], piece), factor = f32z16_mul_add(slope, t, value);
    const f32z16 shifted = f32z16_exp_shifted(-square), n = shifted - f32z16_exp_sixteenths();
    const f32z16 power = f32z16_exp_power(shifted), e = f32z16_exp_less_1(shifted, f32z16_exp_rest(-square, n) - lost);
    const f32z16 product = factor * power;
    const f32z16 low = f32z16_mul_add(f32z16_mul_add(slope, t, value - factor), power, f32z16_mul_add(factor, power, -product));
    const f32z16 y = f32z16_scale(product + f32z16_mul_add(product, e, low), n);
    return _mm512_mask_sub_ps(y, f32z16_lt(x, f32z16_all(0)), f32z16_all(2), y);
}
