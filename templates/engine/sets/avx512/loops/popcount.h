/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: how many bits are 1, by a look-up for each half of a byte: the instructions for it are of a set that not all have. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8z64 __attribute__((vector_size(64)));
typedef uint16_t u16z32 __attribute__((vector_size(64)));
typedef uint32_t u32z16 __attribute__((vector_size(64)));
typedef uint64_t u64z8 __attribute__((vector_size(64)));
typedef uint32_t u32z8 __attribute__((vector_size(32)));

/* Of the two halves of each byte. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_popcount(u8z64 x)
{
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m512i low = _mm512_set1_epi8(15);
    const __m512i of_low = _mm512_shuffle_epi8(table, _mm512_and_si512((__m512i)x, low));
    const __m512i of_high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16((__m512i)x, 4), low));
    return (u8z64)_mm512_add_epi8(of_low, of_high);
}
MIK_INLINE MIK_AVX512L u16z32 u16z32_popcount(u16z32 x)
{
    return (u16z32)_mm512_maddubs_epi16((__m512i)u8z64_popcount((u8z64)x), _mm512_set1_epi8(1));
}
MIK_INLINE MIK_AVX512L u32z16 u32z16_popcount(u32z16 x)
{
    return (u32z16)_mm512_madd_epi16((__m512i)u16z32_popcount((u16z32)x), _mm512_set1_epi16(1));
}
MIK_INLINE MIK_AVX512L u64z8 u64z8_popcount(u64z8 x)
{
    return (u64z8)_mm512_sad_epu8((__m512i)u8z64_popcount((u8z64)x), _mm512_setzero_si512());
}
MIK_INLINE MIK_AVX512L u32z8 u32z8_popcount(u32z8 x)
{
    return (u32z8)_mm512_castsi512_si256((__m512i)u32z16_popcount((u32z16)_mm512_castsi256_si512((__m256i)x)));
}
