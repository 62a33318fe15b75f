/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: lanes of 16 bits with a sign to bytes in memory, which saturate. Written for eight lanes and int8_t. */
#pragma once
#include "../../../vec/saturate_bytes.h"

typedef int16_t i16p8 __attribute__((vector_size(16)));

MIK_INLINE MIK_LANES void i16p8_store_sat_i8(int8_t *p, i16p8 x)
{
#if MIK_X86
    const __m128i bytes = (int8_t)-1 < 0 ? _mm_packs_epi16((__m128i)x, (__m128i)x) : _mm_packus_epi16((__m128i)x, (__m128i)x);
    memcpy(p, &bytes, 8);
#elif MIK_NEON
    const int8x8_t bytes = (int8_t)-1 < 0 ? vqmovn_s16((int16x8_t)x) : (int8x8_t)vqmovun_s16((int16x8_t)x);
    memcpy(p, &bytes, 8);
#else
    i16p8_store_i8(p, i16p8_saturated_i8(x));
#endif
}
