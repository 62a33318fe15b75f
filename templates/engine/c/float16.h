/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Conversions of the 16-bit floats that C99 has no type for. */
#pragma once
#include "base.h"

MIK_UNUSED static uint32_t mik_float_bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

MIK_UNUSED static float mik_bits_float(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* From double in one rounding: what float cannot hold is first rounded to odd, which keeps the second rounding right. */
MIK_UNUSED static float mik_round_to_odd(double x)
{
    const float f = (float)x;
    if ((double)f == x || x != x || f - f != 0)
        return f;
    const uint32_t bits = mik_float_bits(f);
    if (bits & 1)
        return f;
    const int toward_zero = (x > 0) == ((double)f > x);
    return mik_bits_float(toward_zero ? bits - 1 : bits + 1);
}
#if MIK_USES_LONG_NARROW

/* The same from long double. */
MIK_UNUSED static float mik_long_round_to_odd(long double x)
{
    const float f = (float)x;
    if ((long double)f == x || x != x || f - f != 0)
        return f;
    const uint32_t bits = mik_float_bits(f);
    if (bits & 1)
        return f;
    const int toward_zero = (x > 0) == ((long double)f > x);
    return mik_bits_float(toward_zero ? bits - 1 : bits + 1);
}
#endif
#if MIK_USES_HALF

/* IEEE binary16, as bits: to float exactly, from float to nearest even. AArch64 has instructions for both. */
#if defined(__aarch64__) && defined(__ARM_FP16_FORMAT_IEEE)
#define MIK_ARM_HALF 1
#else
#define MIK_ARM_HALF 0
#endif
MIK_UNUSED static float mik_half_to_float(uint16_t h)
{
#if MIK_ARM_HALF
    __fp16 x;
    memcpy(&x, &h, sizeof x);
    return (float)x;
#else
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    /* Moving the exponent by a multiplication also normalizes subnormals. */
    const float scaled = mik_bits_float(rest) * 0x1p112f;
    const uint32_t bits = mik_float_bits(scaled);
    return mik_bits_float(sign | ((h & 0x7c00) == 0x7c00 ? rest | 0x7f800000u : bits));
#endif
}

MIK_UNUSED static uint16_t mik_float_to_half(float x)
{
#if MIK_ARM_HALF
    const __fp16 half = (__fp16)x;
    uint16_t h;
    memcpy(&h, &half, sizeof h);
    return h;
#else
    const uint32_t u = mik_float_bits(x), sign = u >> 16 & 0x8000, rest = u & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x1ff));
    if (rest >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) {
        /* Adding 0.5 leaves the subnormal's bits, rounded, at the end of the fraction. */
        return (uint16_t)(sign | (mik_float_bits(mik_bits_float(rest) + 0.5f) - 0x3f000000u));
    }
    return (uint16_t)(sign | ((rest - 0x38000000u + 0xfff + (rest >> 13 & 1)) >> 13));
#endif
}

MIK_UNUSED static uint16_t mik_double_to_half(double x) { return mik_float_to_half(mik_round_to_odd(x)); }
#endif
#if MIK_USES_BF16

/* bfloat16, as bits: to float exactly, from float to nearest even. */
MIK_UNUSED static float mik_bf16_to_float(uint16_t h) { return mik_bits_float((uint32_t)h << 16); }

MIK_UNUSED static uint16_t mik_float_to_bf16(float x)
{
    const uint32_t u = mik_float_bits(x);
    if ((u & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

MIK_UNUSED static uint16_t mik_double_to_bf16(double x) { return mik_float_to_bf16(mik_round_to_odd(x)); }
#if MIK_USES_LONG_NARROW

/* From 64 bits: beyond 2^53 the last 11 matter only by not all being zero, which one bit says that double has room for. */
MIK_UNUSED static uint16_t mik_ulong_to_bf16(uint64_t x)
{
    const uint64_t last = x & 0x7ff;
    return mik_double_to_bf16((double)(x >> 53 ? (x - last) | (uint64_t)(last != 0) << 11 : x));
}

MIK_UNUSED static uint16_t mik_long_to_bf16(int64_t x)
{
    return (uint16_t)(x < 0 ? mik_ulong_to_bf16(0 - (uint64_t)x) | 0x8000 : mik_ulong_to_bf16((uint64_t)x));
}
#endif
#endif
