/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set, lanes of 16 bits: products of which the upper half counts, and shifts. */
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

/* Lanes of 16 bits, each shifted by another count, from 0 to 15. SSE2 has products by powers of two, which are exponents. */

/* 2^by, of 16 bits, by up to 16. */
MIK_INLINE MIK_LANES u16p8 u16p8_power_of_two(u16p8 by)
{
#if MIK_X86
    const __m128i half = _mm_set1_epi32(0xffff), one = _mm_set1_epi32(127 << 23);
    const __m128i low = _mm_add_epi32(_mm_slli_epi32(_mm_and_si128((__m128i)by, half), 23), one);
    const __m128i high = _mm_add_epi32(_mm_slli_epi32(_mm_srli_epi32((__m128i)by, 16), 23), one);
    const __m128i low_power = _mm_cvttps_epi32(_mm_castsi128_ps(low)), high_power = _mm_cvttps_epi32(_mm_castsi128_ps(high));
    return (u16p8)_mm_or_si128(_mm_and_si128(low_power, half), _mm_slli_epi32(high_power, 16));
#else
    u16p8 power = {1, 1, 1, 1, 1, 1, 1, 1};
    return power << by;
#endif
}
MIK_INLINE MIK_LANES u16p8 u16p8_shift_left(u16p8 x, u16p8 by)
{
#if MIK_X86
    return x * u16p8_power_of_two(by);
#else
    return x << by;
#endif
}
MIK_INLINE MIK_LANES u16p8 u16p8_shift_right(u16p8 x, u16p8 by)
{
#if MIK_X86
    const __m128i shifted = _mm_mulhi_epu16((__m128i)x, (__m128i)u16p8_power_of_two(16 - by));
    return (u16p8)_mm_or_si128(shifted, _mm_and_si128((__m128i)x, _mm_cmpeq_epi16((__m128i)by, _mm_setzero_si128())));
#else
    return x >> by;
#endif
}
/* Of what is below 0 all bits are turned round before and behind it. */
MIK_INLINE MIK_LANES i16p8 i16p8_shift_right(i16p8 x, i16p8 by)
{
#if MIK_X86
    const i16p8 sign = x >> 15;
    return (i16p8)u16p8_shift_right((u16p8)(x ^ sign), (u16p8)by) ^ sign;
#else
    return x >> by;
#endif
}
