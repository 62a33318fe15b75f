/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: averages of bytes, or of 16 bits, without a sign. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8p16 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES u8p16 u8p16_average(u8p16 x, u8p16 y)
{
#if MIK_X86
    return (u8p16)_mm_avg_epu8((__m128i)x, (__m128i)y);
#elif MIK_NEON
    return (u8p16)vrhaddq_u8((uint8x16_t)x, (uint8x16_t)y);
#else
    return (x | y) - ((x ^ y) >> 1);
#endif
}
