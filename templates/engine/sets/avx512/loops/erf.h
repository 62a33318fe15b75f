/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the error function of sixteen floats by tables, which fit two registers; the constants come from coefficients/erf.sollya. */
#pragma once
#include "float.h"

/* erf(n / 8 + x), for n from 4 on: coefficients, the lowest first, of n in lane n. */
/* clang-format off */
static const float f32z16_erf_table[5][32] = {
    {0, 0, 0, 0, 0x1.0a7ef6p-1f, 0x1.3f196ep-1f, 0x1.6c1c98p-1f, 0x1.91724ap-1f,
     0x1.af767ap-1f, 0x1.c6dad2p-1f, 0x1.d8865ep-1f, 0x1.e5768cp-1f, 0x1.eea556p-1f, 0x1.f4f694p-1f, 0x1.f92d08p-1f, 0x1.fbe61ep-1f,
     0x1.fd9ae2p-1f, 0x1.fea422p-1f, 0x1.ff4048p-1f, 0x1.ff996p-1f, 0x1.ffcaa8p-1f, 0x1.ffe514p-1f, 0x1.fff2dp-1f, 0x1.fff9bap-1f,
     0x1.fffd1ap-1f, 0x1.fffeb4p-1f, 0x1.ffff7p-1f, 0x1.ffffc4p-1f, 0x1.ffffe8p-1f, 0x1.fffff6p-1f, 0x1.fffffcp-1f, 1},
    {0, 0, 0, 0, 0x1.c1efcap-1f, 0x1.86e96ep-1f, 0x1.492e4cp-1f, 0x1.0cab6cp-1f,
     0x1.a91206p-2f, 0x1.45e9bp-2f, 0x1.e4654ep-3f, 0x1.5ce5aap-3f, 0x1.e72386p-4f, 0x1.499d4ap-4f, 0x1.b0552p-5f, 0x1.12ce96p-5f,
     0x1.529b5cp-6f, 0x1.9461cep-7f, 0x1.d4136p-8f, 0x1.0690ep-8f, 0x1.1d821cp-9f, 0x1.2ce73ep-10f, 0x1.335f08p-11f, 0x1.30515ep-12f,
     0x1.24064ep-13f, 0x1.0f9b26p-14f, 0x1.e9af76p-16f, 0x1.abd9dap-17f, 0x1.6a529ap-18f, 0x1.2963f2p-19f, 0x1.d92b38p-21f, 0x1.ap-21f},
    {0, 0, 0, 0, -0x1.c1f1b2p-2f, -0x1.e8a544p-2f, -0x1.edca88p-2f, -0x1.d63158p-2f,
     -0x1.a90e52p-2f, -0x1.6ea2c4p-2f, -0x1.2ec284p-2f, -0x1.dfb812p-3f, -0x1.6d639cp-3f, -0x1.0bd49ep-3f, -0x1.7a5ab8p-4f, -0x1.0183e4p-4f,
     -0x1.52cb04p-5f, -0x1.ade1b2p-6f, -0x1.079b3p-6f, -0x1.36d8a8p-7f, -0x1.62f9dp-8f, -0x1.880114p-9f, -0x1.a9221ap-10f, -0x1.b155aep-11f,
     -0x1.9d87c6p-12f, -0x1.ad78b2p-13f, -0x1.be3108p-14f, -0x1.291e18p-14f, -0x1.8dc612p-15f, -0x1.54d884p-18f, 0x1.3625b8p-19f, 0},
    {0, 0, 0, 0, -0x1.2be69ap-3f, -0x1.c92f9p-5f, 0x1.b28e54p-6f, 0x1.7b4c36p-4f,
     0x1.1ab206p-3f, 0x1.4c157cp-3f, 0x1.56a418p-3f, 0x1.4325b6p-3f, 0x1.1c0398p-3f, 0x1.d6589cp-4f, 0x1.716a24p-4f, 0x1.1477d4p-4f,
     0x1.8b908ep-5f, 0x1.0f2486p-5f, 0x1.64c9b8p-6f, 0x1.c34288p-7f, 0x1.129866p-7f, 0x1.41d9b2p-8f, 0x1.6b937p-9f, 0x1.8c1368p-10f,
     0x1.a05292p-11f, 0x1.a668e8p-12f, 0x1.9ddd1ap-13f, 0x1.87b09cp-14f, 0x1.66305cp-15f, 0x1.3c8b5p-16f, 0x1.0e6b96p-17f, 0},
    {0, 0, 0, 0, 0x1.799c3ep-3f, 0x1.6b6e6cp-3f, 0x1.3c9952p-3f, 0x1.dd8db2p-4f,
     0x1.0fdfe2p-4f, 0x1.97a89ap-6f, -0x1.cc2be4p-9f, -0x1.04a2a8p-5f, -0x1.4fc67ep-5f, -0x1.871026p-5f, -0x1.6fd14p-5f, -0x1.89e34p-5f,
     -0x1.e87962p-6f, -0x1.823982p-6f, -0x1.f207e2p-7f, -0x1.39125ap-6f, -0x1.def754p-7f, -0x1.482f3ap-7f, -0x1.5a5028p-10f, -0x1.caff92p-9f,
     -0x1.7e91fcp-8f, -0x1.0e4666p-14f, 0x1.0f775p-9f, 0x1.6bdca4p-8f, 0x1.7a66cap-8f, -0x1.4da51p-11f, -0x1.313a8ep-10f, 0},
};
/* clang-format on */
MIK_INLINE MIK_AVX512L f32z16 f32z16_erf_coefficient(const float *table, __m512i n)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), n, _mm512_loadu_ps(table + 16));
}
/* x + x q(x^2) near 0. The places of the nearest eighths stand in the lowest bits of `shifted`. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_erf(f32z16 x)
{
    const f32z16 a = _mm512_abs_ps(x), top = f32z16_min(f32z16_all(3.9f), a), z = a * a, whole = f32z16_all(0x1.8p23f);
    const f32z16 shifted = f32z16_mul_add(top, f32z16_all(8), whole);
    const f32z16 t = f32z16_mul_add(shifted - whole, f32z16_all(-0.125f), top);
    const __m512i n = (__m512i)shifted;
    f32z16 p = f32z16_erf_coefficient(f32z16_erf_table[4], n);
    p = f32z16_mul_add(p, t, f32z16_erf_coefficient(f32z16_erf_table[3], n));
    p = f32z16_mul_add(p, t, f32z16_erf_coefficient(f32z16_erf_table[2], n));
    p = f32z16_mul_add(p, t, f32z16_erf_coefficient(f32z16_erf_table[1], n));
    p = f32z16_mul_add(p, t, f32z16_erf_coefficient(f32z16_erf_table[0], n));
    f32z16 q = f32z16_all(0x1.35681ep-8f);
    q = f32z16_mul_add(q, z, f32z16_all(-0x1.b66b44p-6f));
    q = f32z16_mul_add(q, z, f32z16_all(0x1.ce2554p-4f));
    q = f32z16_mul_add(q, z, f32z16_all(-0x1.812734p-2f));
    q = f32z16_mul_add(q, z, f32z16_all(0x1.06eba8p-3f));
    const f32z16 y = f32z16_select(f32z16_gt(a, f32z16_all(0.5f)), p, f32z16_mul_add(a, q, a));
    return _mm512_or_ps(y, _mm512_and_ps(x, f32z16_all(-0.0f)));
}
