/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Lanes of 8 or 16 bits, added up in lanes of 32, which together have the same sum. Written for 16 bytes. */
#pragma once
#include "integer.h"

typedef int8_t i8p16 __attribute__((vector_size(16)));
typedef uint8_t u8p16 __attribute__((vector_size(16)));
typedef int16_t i16p8 __attribute__((vector_size(16)));
typedef uint16_t u16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES i32p4 i8p16_partial(i8p16 x)
{
    const i32p4 lanes = (i32p4)x;
    return ((lanes << 24) >> 24) + ((lanes << 16) >> 24) + ((lanes << 8) >> 24) + (lanes >> 24);
}
MIK_INLINE MIK_LANES i32p4 u8p16_partial(u8p16 x)
{
    const u32p4 lanes = (u32p4)x;
    return (i32p4)((lanes & 0xff) + ((lanes >> 8) & 0xff) + ((lanes >> 16) & 0xff) + (lanes >> 24));
}
MIK_INLINE MIK_LANES i32p4 i16p8_partial(i16p8 x)
{
    const i32p4 lanes = (i32p4)x;
    return ((lanes << 16) >> 16) + (lanes >> 16);
}
MIK_INLINE MIK_LANES i32p4 u16p8_partial(u16p8 x)
{
    const u32p4 lanes = (u32p4)x;
    return (i32p4)((lanes & 0xffff) + (lanes >> 16));
}
/* Of absolute differences. */
MIK_INLINE MIK_LANES i32p4 u8p16_sad(u8p16 x, u8p16 y)
{
    const u8p16 greater = (u8p16)(x > y);
    return u8p16_partial(((x - y) & greater) | ((y - x) & ~greater));
}
/* Of products of 16 bits with a sign: each lane has the sum of two. */
MIK_INLINE MIK_LANES i32p4 i16p8_dot(i16p8 x, i16p8 y)
{
    const i32p4 a = (i32p4)x, b = (i32p4)y;
    return (a >> 16) * (b >> 16) + ((a << 16) >> 16) * ((b << 16) >> 16);
}
/* The second factors are in the lower and upper halves of lanes. */
MIK_INLINE MIK_LANES i32p4 i16p8_dot_pairs(i16p8 x, i32p4 y) { return i16p8_dot(x, (i16p8)y); }
