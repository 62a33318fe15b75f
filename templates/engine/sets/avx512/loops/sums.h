/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: lanes of 8 or 16 bits, added up in lanes of 32, which together have the same sum. */
#pragma once
#include "bytes.h"

typedef int32_t i32z16 __attribute__((vector_size(64)));
typedef int8_t i8z64 __attribute__((vector_size(64)));
typedef int16_t i16z32 __attribute__((vector_size(64)));
typedef uint16_t u16z32 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i32z16 u8z64_partial(u8z64 x) { return (i32z16)_mm512_sad_epu8((__m512i)x, _mm512_setzero_si512()); }
MIK_INLINE MIK_AVX512L i32z16 u8z64_sad(u8z64 x, u8z64 y) { return (i32z16)_mm512_sad_epu8((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L i32z16 i16z32_dot(i16z32 x, i16z32 y) { return (i32z16)_mm512_madd_epi16((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L i32z16 i16z32_partial(i16z32 x) { return (i32z16)_mm512_madd_epi16((__m512i)x, _mm512_set1_epi16(1)); }
MIK_INLINE MIK_AVX512L i32z16 i8z64_partial(i8z64 x)
{
    return (i32z16)_mm512_madd_epi16(_mm512_maddubs_epi16(_mm512_set1_epi8(1), (__m512i)x), _mm512_set1_epi16(1));
}
MIK_INLINE MIK_AVX512L i32z16 u16z32_partial(u16z32 x)
{
    const __m512i lower = _mm512_and_si512((__m512i)x, _mm512_set1_epi32(0xffff)), upper = _mm512_srli_epi32((__m512i)x, 16);
    return (i32z16)_mm512_add_epi32(lower, upper);
}
/* From bytes in memory. */
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_i8(const int8_t *p)
{
    return (i16z32)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_u8(const uint8_t *p)
{
    return (i16z32)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_where_i8(const int8_t *p, maskz32 where)
{
    return (i16z32)_mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(where, p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_where_u8(const uint8_t *p, maskz32 where)
{
    return (i16z32)_mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(where, p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_part_i8(const int8_t *p, int64_t n) { return i16z32_load_where_i8(p, maskz32_first(n)); }
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_part_u8(const uint8_t *p, int64_t n) { return i16z32_load_where_u8(p, maskz32_first(n)); }
