/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: how many bits are 1, by a look-up for each half of a byte. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8y32 __attribute__((vector_size(32)));
typedef uint16_t u16y16 __attribute__((vector_size(32)));
typedef uint32_t u32y8 __attribute__((vector_size(32)));
typedef uint64_t u64y4 __attribute__((vector_size(32)));
typedef uint32_t u32y4 __attribute__((vector_size(16)));

/* Of the two halves of each byte. */
MIK_INLINE MIK_AVX2L u8y32 u8y32_popcount(u8y32 x)
{
    const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i of_low = _mm256_shuffle_epi8(table, _mm256_and_si256((__m256i)x, low));
    const __m256i of_high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16((__m256i)x, 4), low));
    return (u8y32)_mm256_add_epi8(of_low, of_high);
}
MIK_INLINE MIK_AVX2L u16y16 u16y16_popcount(u16y16 x)
{
    return (u16y16)_mm256_maddubs_epi16((__m256i)u8y32_popcount((u8y32)x), _mm256_set1_epi8(1));
}
MIK_INLINE MIK_AVX2L u32y8 u32y8_popcount(u32y8 x)
{
    return (u32y8)_mm256_madd_epi16((__m256i)u16y16_popcount((u16y16)x), _mm256_set1_epi16(1));
}
MIK_INLINE MIK_AVX2L u64y4 u64y4_popcount(u64y4 x)
{
    return (u64y4)_mm256_sad_epu8((__m256i)u8y32_popcount((u8y32)x), _mm256_setzero_si256());
}
MIK_INLINE MIK_AVX2L u32y4 u32y4_popcount(u32y4 x)
{
    return (u32y4)_mm256_castsi256_si128((__m256i)u32y8_popcount((u32y8)_mm256_castsi128_si256((__m128i)x)));
}
