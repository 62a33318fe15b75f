/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: products of 16 bits of which the upper half counts. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int16_t i16p8 __attribute__((vector_size(16)));
typedef uint16_t u16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES i16p8 i16p8_mul_high(i16p8 x, i16p8 y)
{
#if MIK_X86
    return (i16p8)_mm_mulhi_epi16((__m128i)x, (__m128i)y);
#elif MIK_NEON
    const int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)x), vget_low_s16((int16x8_t)y));
    const int32x4_t high = vmull_high_s16((int16x8_t)x, (int16x8_t)y);
    return (i16p8)vuzp2q_s16((int16x8_t)low, (int16x8_t)high);
#else
    for (int i = 0; i < 8; i++)
        x[i] = (int16_t)((int32_t)x[i] * y[i] >> 16);
    return x;
#endif
}
MIK_INLINE MIK_LANES u16p8 u16p8_mul_high(u16p8 x, u16p8 y)
{
#if MIK_X86
    return (u16p8)_mm_mulhi_epu16((__m128i)x, (__m128i)y);
#elif MIK_NEON
    const uint32x4_t low = vmull_u16(vget_low_u16((uint16x8_t)x), vget_low_u16((uint16x8_t)y));
    const uint32x4_t high = vmull_high_u16((uint16x8_t)x, (uint16x8_t)y);
    return (u16p8)vuzp2q_u16((uint16x8_t)low, (uint16x8_t)high);
#else
    for (int i = 0; i < 8; i++)
        x[i] = (uint16_t)((uint32_t)x[i] * y[i] >> 16);
    return x;
#endif
}
