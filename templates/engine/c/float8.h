/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Floats of 8 bits, as bits: e4m3, which has no infinities, and e5m2. To float exactly; from float to nearest even, what is larger than
   the greatest finite one to that, as CUDA's saturating conversions do. */
#pragma once
#include "base.h"

/* Of a float whose exponent is too small by as much as `scale` is: a multiplication also normalizes subnormals. */
MIK_UNUSED static float mik_scaled(uint32_t bits, float scale, uint32_t sign)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    x *= scale;
    return sign ? -x : x;
}

MIK_UNUSED static float mik_e4m3_to_float(uint8_t x)
{
    const uint32_t rest = x & 0x7f;
    return rest == 0x7f ? mik_scaled(0x7fc00000u, 1, 0) : mik_scaled(rest << 20, 0x1p120f, x & 0x80);
}

MIK_UNUSED static float mik_e5m2_to_float(uint8_t x)
{
    const uint32_t rest = x & 0x7f;
    return rest >= 0x7c ? mik_scaled(rest << 21 | 0x7f800000u, 1, x & 0x80) : mik_scaled(rest << 21, 0x1p112f, x & 0x80);
}

/* `drop`: bits of float's fraction that the type has not; `least`, `greatest`: its least normal number and its greatest one, as floats' bits.
   NaN becomes 0x7f. */
MIK_UNUSED static uint8_t mik_float_to_fp8(float x, int drop, uint32_t least, uint32_t greatest)
{
    uint32_t bits, rest;
    memcpy(&bits, &x, sizeof bits);
    rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return 0x7f;
    rest = rest < greatest ? rest : greatest;
    const int above = (int)(rest >> 23) - (int)(least >> 23), shift = above < 0 ? drop - above : drop;
    const uint32_t fraction = (rest & 0x7fffff) | 0x800000;
    if (shift > 25)
        return (uint8_t)(bits >> 24 & 0x80);
    const uint32_t nearest = (fraction + (1u << (shift - 1)) - 1 + (fraction >> shift & 1)) >> shift;
    return (uint8_t)((bits >> 24 & 0x80) | (nearest + (above > 0 ? (uint32_t)above << (23 - drop) : 0)));
}

MIK_UNUSED static uint8_t mik_float_to_e4m3(float x) { return mik_float_to_fp8(x, 20, 0x3c800000, 0x43e00000); }

MIK_UNUSED static uint8_t mik_float_to_e5m2(float x) { return mik_float_to_fp8(x, 21, 0x38800000, 0x47600000); }
