/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: lanes of 8 or 16 bits, added up in lanes of 32, which together have the same sum. */
#pragma once
#include "bytes.h"

typedef int32_t i32y8 __attribute__((vector_size(32)));
typedef int8_t i8y32 __attribute__((vector_size(32)));
typedef int16_t i16y16 __attribute__((vector_size(32)));
typedef uint16_t u16y16 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i32y8 u8y32_partial(u8y32 x) { return (i32y8)_mm256_sad_epu8((__m256i)x, _mm256_setzero_si256()); }
MIK_INLINE MIK_AVX2L i32y8 u8y32_sad(u8y32 x, u8y32 y) { return (i32y8)_mm256_sad_epu8((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L i32y8 i16y16_dot(i16y16 x, i16y16 y) { return (i32y8)_mm256_madd_epi16((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L i32y8 i16y16_partial(i16y16 x) { return (i32y8)_mm256_madd_epi16((__m256i)x, _mm256_set1_epi16(1)); }
MIK_INLINE MIK_AVX2L i32y8 i8y32_partial(i8y32 x)
{
    return (i32y8)_mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), (__m256i)x), _mm256_set1_epi16(1));
}
MIK_INLINE MIK_AVX2L i32y8 u16y16_partial(u16y16 x)
{
    const __m256i lower = _mm256_and_si256((__m256i)x, _mm256_set1_epi32(0xffff)), upper = _mm256_srli_epi32((__m256i)x, 16);
    return (i32y8)_mm256_add_epi32(lower, upper);
}
/* From bytes in memory. */
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_i8(const int8_t *p)
{
    return (i16y16)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_u8(const uint8_t *p)
{
    return (i16y16)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_part_i8(const int8_t *p, int64_t n)
{
    return n >= 16 ? i16y16_load_i8(p) : (i16y16)_mm256_cvtepi8_epi16(u8y32_load_few((const uint8_t *)p, n));
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_part_u8(const uint8_t *p, int64_t n)
{
    return n >= 16 ? i16y16_load_u8(p) : (i16y16)_mm256_cvtepu8_epi16(u8y32_load_few(p, n));
}
