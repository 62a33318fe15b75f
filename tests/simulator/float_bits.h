/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point formats as bits: f16, bf16, tf32, e4m3, e5m2 (PTX ISA 5.2.3), with every rounding mode. */
#ifndef SIM_FLOAT_BITS_H
#define SIM_FLOAT_BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

typedef enum {
    ROUND_NEAREST,
    ROUND_ZERO,
    ROUND_DOWN,
    ROUND_UP,
    ROUND_AWAY /* ties away from zero: .rna */
} Rounding;

static inline float float_of(u32 bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline u32 bits_of(float f)
{
    u32 bits;
    memcpy(&bits, &f, sizeof f);
    return bits;
}

static inline double double_of(u64 bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline u64 bits_of_double(double d)
{
    u64 bits;
    memcpy(&bits, &d, sizeof d);
    return bits;
}

/* The exponent is moved by a multiplication, which also gives subnormal numbers their value. */
static inline float half_to_float(u16 h)
{
    u32 sign = (u32)(h & 0x8000) << 16, rest = (u32)(h & 0x7fff) << 13;
    u32 special = (h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0;
    return float_of(bits_of(float_of(rest) * 0x1p112f) | sign | special);
}

static inline u16 float_to_half(float f)
{
    u32 bits = bits_of(f), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return 0x7fff;
    if (size >= 0x47800000)
        return (u16)(sign | 0x7c00);
    if (size < 0x38800000) { /* subnormal: the addition rounds */
        float sum = float_of(size) + 0.5f;
        return (u16)(sign | (bits_of(sum) - 0x3f000000));
    }
    size += 0xfff + (size >> 13 & 1) - 0x38000000;
    return (u16)(sign | size >> 13);
}

static inline float bf16_to_float(u16 h) { return float_of((u32)h << 16); }

static inline u16 float_to_bf16(float f)
{
    u32 bits = bits_of(f);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* What the tensor cores see of a tf32 operand: 10 bits of mantissa. */
static inline float tf32_to_float(u32 bits) { return float_of(bits & 0xffffe000); }

/* All of them are halves; of e5m2 the upper bytes. */
static inline float e5m2_to_float(u8 x) { return half_to_float((u16)(x << 8)); }

static inline float e4m3_to_float(u8 x)
{
    return (x & 0x7f) == 0x7f ? float_of(0x7fffffff) : 256 * half_to_float((u16)((x & 0x80) << 8 | (x & 0x7f) << 7));
}

/* To the nearest; .satfinite: beyond the greatest, that. NaN: 0x7f. */
u8 double_to_e4m3(double x);
u8 double_to_e5m2(double x);

/* X to MANTISSA bits after the point, exponents from LEAST (of normal numbers) up to GREATEST. */
double round_to(double x, int mantissa, int least, int greatest, Rounding rounding);

u16 double_to_half(double x, Rounding rounding);
u16 double_to_bf16(double x, Rounding rounding);
u32 double_to_tf32(double x, Rounding rounding);

#endif
