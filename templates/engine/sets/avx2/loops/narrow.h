/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: four integers of 32 bits beside elements of 64 bits, from and to narrower elements in memory. */
#pragma once
#include "types.h"

typedef int32_t i32y4 __attribute__((vector_size(16)));

MIK_INLINE MIK_AVX2L i32y4 i32y4_max(i32y4 x, i32y4 y) { return (i32y4)_mm_max_epi32((__m128i)x, (__m128i)y); }
MIK_INLINE MIK_AVX2L i32y4 i32y4_min(i32y4 x, i32y4 y) { return (i32y4)_mm_min_epi32((__m128i)x, (__m128i)y); }
MIK_INLINE MIK_AVX2L i32y4 i32y4_load_i8(const int8_t *p)
{
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return (i32y4)_mm_cvtepi8_epi32(_mm_cvtsi32_si128(bytes));
}
MIK_INLINE MIK_AVX2L i32y4 i32y4_load_u8(const uint8_t *p)
{
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return (i32y4)_mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes));
}
MIK_INLINE MIK_AVX2L i32y4 i32y4_load_i16(const int16_t *p)
{
    return (i32y4)_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i32y4 i32y4_load_u16(const uint16_t *p)
{
    return (i32y4)_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
/* The lowest bytes of all lanes. */
MIK_INLINE MIK_AVX2L void i32y4_store_u8(uint8_t *p, i32y4 x)
{
    const int32_t bytes = _mm_cvtsi128_si32(_mm_shuffle_epi8((__m128i)x, _mm_set1_epi32(0x0c080400)));
    memcpy(p, &bytes, sizeof bytes);
}
MIK_INLINE MIK_AVX2L void i32y4_store_i8(int8_t *p, i32y4 x)
{
    const int32_t bytes = _mm_cvtsi128_si32(_mm_shuffle_epi8((__m128i)x, _mm_set1_epi32(0x0c080400)));
    memcpy(p, &bytes, sizeof bytes);
}
