/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: bytes in reverse by a shuffle, bits by a look-up for each half of a byte. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8z64 __attribute__((vector_size(64)));
typedef uint16_t u16z32 __attribute__((vector_size(64)));
typedef uint32_t u32z16 __attribute__((vector_size(64)));
typedef uint64_t u64z8 __attribute__((vector_size(64)));
typedef uint32_t u32z8 __attribute__((vector_size(32)));

/* Of the two halves of each byte. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_bit_reverse(u8z64 x)
{
    const __m512i of_low = _mm512_broadcast_i32x4(_mm_setr_epi8(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16));
    const __m512i of_high = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
    const __m512i low = _mm512_and_si512((__m512i)x, _mm512_set1_epi8(15));
    const __m512i high = _mm512_and_si512(_mm512_srli_epi16((__m512i)x, 4), _mm512_set1_epi8(15));
    return (u8z64)_mm512_or_si512(_mm512_shuffle_epi8(of_low, low), _mm512_shuffle_epi8(of_high, high));
}
MIK_INLINE MIK_AVX512L u8z64 u8z64_byte_reverse(u8z64 x) { return x; }
MIK_INLINE MIK_AVX512L u16z32 u16z32_byte_reverse(u16z32 x)
{
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    return (u16z32)_mm512_shuffle_epi8((__m512i)x, order);
}
MIK_INLINE MIK_AVX512L u16z32 u16z32_bit_reverse(u16z32 x) { return u16z32_byte_reverse((u16z32)u8z64_bit_reverse((u8z64)x)); }
MIK_INLINE MIK_AVX512L u32z16 u32z16_byte_reverse(u32z16 x)
{
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    return (u32z16)_mm512_shuffle_epi8((__m512i)x, order);
}
MIK_INLINE MIK_AVX512L u32z16 u32z16_bit_reverse(u32z16 x) { return u32z16_byte_reverse((u32z16)u8z64_bit_reverse((u8z64)x)); }
MIK_INLINE MIK_AVX512L u64z8 u64z8_byte_reverse(u64z8 x)
{
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return (u64z8)_mm512_shuffle_epi8((__m512i)x, order);
}
MIK_INLINE MIK_AVX512L u64z8 u64z8_bit_reverse(u64z8 x) { return u64z8_byte_reverse((u64z8)u8z64_bit_reverse((u8z64)x)); }
MIK_INLINE MIK_AVX512L u32z8 u32z8_byte_reverse(u32z8 x)
{
    return (u32z8)_mm512_castsi512_si256((__m512i)u32z16_byte_reverse((u32z16)_mm512_castsi256_si512((__m256i)x)));
}
MIK_INLINE MIK_AVX512L u32z8 u32z8_bit_reverse(u32z8 x)
{
    return (u32z8)_mm512_castsi512_si256((__m512i)u32z16_bit_reverse((u32z16)_mm512_castsi256_si512((__m256i)x)));
}
