/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: saturating sums and differences of bytes, or of 16 bits. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8p16 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES u8p16 u8p16_add_sat(u8p16 x, u8p16 y)
{
#if MIK_X86
    return (u8p16)_mm_adds_epu8((__m128i)x, (__m128i)y);
#elif MIK_NEON
    return (u8p16)vqaddq_u8((uint8x16_t)x, (uint8x16_t)y);
#else
    const int32_t values = (int32_t)1 << 8 * sizeof x[0], least = (uint8_t)-1 < 0 ? -values / 2 : 0, greatest = least + values - 1;
    for (int i = 0; i < (int)(sizeof x / sizeof x[0]); i++) {
        const int32_t exact = (int32_t)x[i] + y[i];
        x[i] = (uint8_t)(exact < least ? least : exact > greatest ? greatest : exact);
    }
    return x;
#endif
}
MIK_INLINE MIK_LANES u8p16 u8p16_sub_sat(u8p16 x, u8p16 y)
{
#if MIK_X86
    return (u8p16)_mm_subs_epu8((__m128i)x, (__m128i)y);
#elif MIK_NEON
    return (u8p16)vqsubq_u8((uint8x16_t)x, (uint8x16_t)y);
#else
    const int32_t values = (int32_t)1 << 8 * sizeof x[0], least = (uint8_t)-1 < 0 ? -values / 2 : 0, greatest = least + values - 1;
    for (int i = 0; i < (int)(sizeof x / sizeof x[0]); i++) {
        const int32_t exact = (int32_t)x[i] - y[i];
        x[i] = (uint8_t)(exact < least ? least : exact > greatest ? greatest : exact);
    }
    return x;
#endif
}
