/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: 16 lanes of 16 bits from and to bytes in memory, written for int8_t. */
#pragma once
#include "bytes.h"

typedef int16_t i16y16 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i16y16 i16y16_load_i8(const int8_t *p)
{
    return (i16y16)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_part_i8(const int8_t *p, int64_t n)
{
    return n >= 16 ? i16y16_load_i8(p) : (i16y16)_mm256_cvtepi8_epi16(u8y32_load_few((const uint8_t *)(const void *)p, n));
}
/* The lower bytes of all lanes. */
MIK_INLINE MIK_AVX2L __m128i i16y16_lower_bytes(i16y16 x)
{
    const i16y16 low = x & 0xff;
    return _mm_packus_epi16(_mm256_castsi256_si128((__m256i)low), _mm256_extracti128_si256((__m256i)low, 1));
}
MIK_INLINE MIK_AVX2L void i16y16_store_i8(int8_t *p, i16y16 x)
{
    const __m128i bytes = i16y16_lower_bytes(x);
    memcpy(p, &bytes, sizeof bytes);
}
MIK_INLINE MIK_AVX2L void i16y16_store_part_i8(int8_t *p, i16y16 x, int64_t n)
{
    if (n >= 16)
        i16y16_store_i8(p, x);
    else
        u8y32_store_few((uint8_t *)(void *)p, i16y16_lower_bytes(x), n);
}
