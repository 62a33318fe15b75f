/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what SSE2 and NEON have instructions for, sums of narrow lanes. */
#pragma once
#include "../../../vec/integer.h"

typedef uint8_t u8p16 __attribute__((vector_size(16)));
typedef int16_t i16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES i32p4 u8p16_partial(u8p16 x)
{
#if MIK_X86
    return (i32p4)_mm_sad_epu8((__m128i)x, _mm_setzero_si128());
#elif MIK_NEON
    return (i32p4)vpaddlq_u16(vpaddlq_u8((uint8x16_t)x));
#else
    const u32p4 lanes = (u32p4)x;
    return (i32p4)((lanes & 0xff) + ((lanes >> 8) & 0xff) + ((lanes >> 16) & 0xff) + (lanes >> 24));
#endif
}
MIK_INLINE MIK_LANES i32p4 u8p16_sad(u8p16 x, u8p16 y)
{
#if MIK_X86
    return (i32p4)_mm_sad_epu8((__m128i)x, (__m128i)y);
#elif MIK_NEON
    return (i32p4)vpaddlq_u16(vpaddlq_u8(vabdq_u8((uint8x16_t)x, (uint8x16_t)y)));
#else
    const u8p16 greater = (u8p16)(x > y);
    return u8p16_partial(((x - y) & greater) | ((y - x) & ~greater));
#endif
}
MIK_INLINE MIK_LANES i32p4 i16p8_dot(i16p8 x, i16p8 y)
{
#if MIK_X86
    return (i32p4)_mm_madd_epi16((__m128i)x, (__m128i)y);
#else
    const i32p4 a = (i32p4)x, b = (i32p4)y;
    return (a >> 16) * (b >> 16) + ((a << 16) >> 16) * ((b << 16) >> 16);
#endif
}
