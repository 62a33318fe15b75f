/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: 16 lanes of 16 bits with a sign to bytes in memory, which saturate. Written for int8_t. */
#pragma once
#include "bytes.h"

typedef int16_t i16y16 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L __m128i i16y16_saturated_bytes_i8(i16y16 x)
{
    const __m128i low = _mm256_castsi256_si128((__m256i)x), high = _mm256_extracti128_si256((__m256i)x, 1);
    return (int8_t)-1 < 0 ? _mm_packs_epi16(low, high) : _mm_packus_epi16(low, high);
}
MIK_INLINE MIK_AVX2L void i16y16_store_sat_i8(int8_t *p, i16y16 x)
{
    const __m128i bytes = i16y16_saturated_bytes_i8(x);
    memcpy(p, &bytes, sizeof bytes);
}
MIK_INLINE MIK_AVX2L void i16y16_store_sat_part_i8(int8_t *p, i16y16 x, int64_t n)
{
    if (n >= 16)
        i16y16_store_sat_i8(p, x);
    else
        u8y32_store_few((uint8_t *)(void *)p, i16y16_saturated_bytes_i8(x), n);
}
