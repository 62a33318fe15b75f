/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Elements: their sizes and their values. */
#pragma once
#include "check_table.h"

static const size_t elem_size[] = {1, 1, 2, 2, 4, 8, sizeof(long double), 1, 1, 2, 2, 4, 4, 8, 8, 1};

static uint64_t random_state;

static uint32_t mik_next_random(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

/* Uniform in [0, n), n > 0. */
static int64_t mik_below(int64_t n) { return (int64_t)(mik_next_random() % (uint64_t)n); }

static float mik_half_value(uint16_t h)
{
    int e = h >> 10 & 31, f = h & 0x3ff;
    float x = e == 31 ? (f ? NAN : INFINITY) : e == 0 ? ldexpf((float)f, -24) : ldexpf((float)(f | 0x400), e - 25);
    return h & 0x8000 ? -x : x;
}

/* Rounds toward zero. Good enough for data. */
static uint16_t mik_half_bits(float x)
{
    int e;
    float f = frexpf(fabsf(x), &e);
    uint16_t sign = x < 0 ? 0x8000 : 0;
    if (x == 0 || e < -13)
        return sign | (uint16_t)ldexpf(fabsf(x), 24);
    return (uint16_t)(sign | (e + 14) << 10 | ((int)(f * 2048) & 0x3ff));
}

static float mik_bf16_value(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

/* Rounds toward zero. */
static uint16_t mik_bf16_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return (uint16_t)(bits >> 16);
}

/* A float of 8 bits, so many of which are its fraction; exponents are from 1 - bias on. */
static float mik_fp8_value(uint8_t x, int fraction, int bias)
{
    const int e = (x & 0x7f) >> fraction, f = x & ((1 << fraction) - 1), special = fraction == 3 ? (x & 0x7f) == 0x7f : e == 31;
    float value = ldexpf((float)(e ? f | 1 << fraction : f), (e ? e : 1) - bias - fraction);
    if (special)
        value = fraction == 3 || f ? NAN : INFINITY;
    return x & 0x80 ? -value : value;
}

/* Rounds toward zero, and to finite numbers. */
static uint8_t mik_fp8_bits(float x, int fraction, int bias)
{
    const int greatest = fraction == 3 ? 0x7e : 0x7b;
    int bits = 0;
    for (int step = 64; step > 0; step /= 2)
        if (bits + step <= greatest && mik_fp8_value((uint8_t)(bits + step), fraction, bias) <= fabsf(x))
            bits += step;
    return (uint8_t)(bits | (x < 0 ? 0x80 : 0));
}

static double mik_get(Element elem, const void *array, int64_t i)
{
    switch (elem) {
    case E_E4M3: return mik_fp8_value(((const uint8_t *)array)[i], 3, 7);
    case E_E5M2: return mik_fp8_value(((const uint8_t *)array)[i], 2, 15);
    case E_HALF: return mik_half_value(((const uint16_t *)array)[i]);
    case E_BF16: return mik_bf16_value(((const uint16_t *)array)[i]);
    case E_F32: return ((const float *)array)[i];
    case E_F64: return ((const double *)array)[i];
    case E_LD: return (double)((const long double *)array)[i];
    case E_I8: return ((const int8_t *)array)[i];
    case E_U8:
    case E_BOOL: return ((const uint8_t *)array)[i];
    case E_I16: return ((const int16_t *)array)[i];
    case E_U16: return ((const uint16_t *)array)[i];
    case E_I32: return ((const int32_t *)array)[i];
    case E_U32: return ((const uint32_t *)array)[i];
    case E_I64: return (double)((const int64_t *)array)[i];
    case E_U64: return (double)((const uint64_t *)array)[i];
    }
    return 0;
}

static void mik_put(Element elem, void *array, int64_t i, double x)
{
    float f = (float)x;
    switch (elem) {
    case E_E4M3: ((uint8_t *)array)[i] = mik_fp8_bits(f, 3, 7); break;
    case E_E5M2: ((uint8_t *)array)[i] = mik_fp8_bits(f, 2, 15); break;
    case E_HALF: ((uint16_t *)array)[i] = mik_half_bits(f); break;
    case E_BF16: ((uint16_t *)array)[i] = mik_bf16_bits(f); break;
    case E_F32: ((float *)array)[i] = f; break;
    case E_F64: ((double *)array)[i] = x; break;
    case E_LD: ((long double *)array)[i] = x; break;
    case E_I8: ((int8_t *)array)[i] = (int8_t)x; break;
    case E_U8:
    case E_BOOL: ((uint8_t *)array)[i] = (uint8_t)x; break;
    case E_I16: ((int16_t *)array)[i] = (int16_t)x; break;
    case E_U16: ((uint16_t *)array)[i] = (uint16_t)x; break;
    case E_I32: ((int32_t *)array)[i] = (int32_t)x; break;
    case E_U32: ((uint32_t *)array)[i] = (uint32_t)x; break;
    case E_I64: ((int64_t *)array)[i] = (int64_t)x; break;
    case E_U64: ((uint64_t *)array)[i] = (uint64_t)x; break;
    }
}

static int mik_is_float(Element elem) { return elem <= E_LD; }
