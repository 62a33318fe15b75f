/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding to narrow formats. */
#include "float_bits.h"

double round_to(double x, int mantissa, int least, int greatest, Rounding rounding)
{
    if (x == 0 || isnan(x) || isinf(x))
        return x;
    int exponent = ilogb(x);
    if (exponent < least)
        exponent = least;
    double ulp = ldexp(1, exponent - mantissa);
    double scaled = x / ulp, down = floor(scaled), rest = scaled - down;
    double up = rest > 0 ? down + 1 : down;
    double r = rounding == ROUND_DOWN   ? down
               : rounding == ROUND_UP   ? up
               : rounding == ROUND_ZERO ? (x < 0 ? up : down)
               : rest < 0.5             ? down
               : rest > 0.5             ? up
               : rounding == ROUND_AWAY ? (x < 0 ? down : up)
                                        : (fmod(down, 2) == 0 ? down : up);
    r = copysign(r * ulp, x);
    double limit = ldexp(2 - ldexp(1, -mantissa), greatest);
    if (fabs(r) <= limit)
        return r;
    /* Beyond the greatest number, which remains where the mode rounds towards zero. */
    switch (rounding) {
    case ROUND_ZERO: return copysign(limit, x);
    case ROUND_DOWN: return x > 0 ? limit : -INFINITY;
    case ROUND_UP: return x < 0 ? -limit : INFINITY;
    default: return copysign(INFINITY, x);
    }
}

u16 double_to_half(double x, Rounding rounding)
{
    if (isnan(x))
        return 0x7fff;
    return float_to_half((float)round_to(x, 10, -14, 15, rounding));
}

u16 double_to_bf16(double x, Rounding rounding)
{
    if (isnan(x))
        return 0x7fff;
    return (u16)(bits_of((float)round_to(x, 7, -126, 127, rounding)) >> 16);
}

u32 double_to_tf32(double x, Rounding rounding)
{
    if (isnan(x))
        return 0x7fffffff;
    return bits_of((float)round_to(x, 10, -126, 127, rounding));
}

u8 double_to_e4m3(double x)
{
    if (isnan(x))
        return 0x7f;
    double r = fabs(round_to(x, 3, -6, 127, ROUND_NEAREST));
    u8 sign = signbit(x) ? 0x80 : 0;
    if (r > 448)
        return sign | 0x7e;
    return (u8)(sign | float_to_half((float)(r / 256)) >> 7);
}

u8 double_to_e5m2(double x)
{
    if (isnan(x))
        return 0x7f;
    double r = fabs(round_to(x, 2, -14, 127, ROUND_NEAREST));
    u8 sign = signbit(x) ? 0x80 : 0;
    return (u8)(sign | (r > 57344 ? 0x7b : float_to_half((float)r) >> 8));
}
