/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Products of 16 bits of which the upper half counts: of the lower lane of each 32 bits, and of the upper one. */
#pragma once
#include "integer.h"

typedef int16_t i16p8 __attribute__((vector_size(16)));
typedef uint16_t u16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES i16p8 i16p8_mul_high(i16p8 x, i16p8 y)
{
    const i32p4 a = (i32p4)x, b = (i32p4)y, low = ((a << 16) >> 16) * ((b << 16) >> 16), high = (a >> 16) * (b >> 16);
    return (i16p8)((u32p4)low >> 16 | ((u32p4)high & 0xffff0000));
}
MIK_INLINE MIK_LANES u16p8 u16p8_mul_high(u16p8 x, u16p8 y)
{
    const u32p4 a = (u32p4)x, b = (u32p4)y, low = (a & 0xffff) * (b & 0xffff), high = (a >> 16) * (b >> 16);
    return (u16p8)(low >> 16 | (high & 0xffff0000));
}
/* (x * y + 0x4000) >> 15, of which the lower half. */
MIK_INLINE MIK_LANES i16p8 i16p8_mul_round(i16p8 x, i16p8 y)
{
    const u16p8 high = (u16p8)i16p8_mul_high(x, y), low = (u16p8)x * (u16p8)y;
    return (i16p8)((high << 1 | low >> 15) + (low >> 14 & 1));
}

/* Lanes of 16 bits, each shifted by another count, from 0 to 15. */

MIK_INLINE MIK_LANES u16p8 u16p8_shift_left(u16p8 x, u16p8 by) { return x << by; }
MIK_INLINE MIK_LANES u16p8 u16p8_shift_right(u16p8 x, u16p8 by) { return x >> by; }
MIK_INLINE MIK_LANES i16p8 i16p8_shift_right(i16p8 x, i16p8 by) { return x >> by; }
