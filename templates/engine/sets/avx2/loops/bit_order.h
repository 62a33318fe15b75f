/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: bytes in reverse by a shuffle, bits by a look-up for each half of a byte. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8y32 __attribute__((vector_size(32)));
typedef uint16_t u16y16 __attribute__((vector_size(32)));
typedef uint32_t u32y8 __attribute__((vector_size(32)));
typedef uint64_t u64y4 __attribute__((vector_size(32)));
typedef uint32_t u32y4 __attribute__((vector_size(16)));

/* Of the two halves of each byte. */
MIK_INLINE MIK_AVX2L u8y32 u8y32_bit_reverse(u8y32 x)
{
    const __m256i of_low = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16));
    const __m256i of_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
    const __m256i low = _mm256_and_si256((__m256i)x, _mm256_set1_epi8(15));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)x, 4), _mm256_set1_epi8(15));
    return (u8y32)_mm256_or_si256(_mm256_shuffle_epi8(of_low, low), _mm256_shuffle_epi8(of_high, high));
}
MIK_INLINE MIK_AVX2L u8y32 u8y32_byte_reverse(u8y32 x) { return x; }
MIK_INLINE MIK_AVX2L u16y16 u16y16_byte_reverse(u16y16 x)
{
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    return (u16y16)_mm256_shuffle_epi8((__m256i)x, order);
}
MIK_INLINE MIK_AVX2L u16y16 u16y16_bit_reverse(u16y16 x) { return u16y16_byte_reverse((u16y16)u8y32_bit_reverse((u8y32)x)); }
MIK_INLINE MIK_AVX2L u32y8 u32y8_byte_reverse(u32y8 x)
{
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    return (u32y8)_mm256_shuffle_epi8((__m256i)x, order);
}
MIK_INLINE MIK_AVX2L u32y8 u32y8_bit_reverse(u32y8 x) { return u32y8_byte_reverse((u32y8)u8y32_bit_reverse((u8y32)x)); }
MIK_INLINE MIK_AVX2L u64y4 u64y4_byte_reverse(u64y4 x)
{
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return (u64y4)_mm256_shuffle_epi8((__m256i)x, order);
}
MIK_INLINE MIK_AVX2L u64y4 u64y4_bit_reverse(u64y4 x) { return u64y4_byte_reverse((u64y4)u8y32_bit_reverse((u8y32)x)); }
MIK_INLINE MIK_AVX2L u32y4 u32y4_byte_reverse(u32y4 x)
{
    return (u32y4)_mm256_castsi256_si128((__m256i)u32y8_byte_reverse((u32y8)_mm256_castsi128_si256((__m128i)x)));
}
MIK_INLINE MIK_AVX2L u32y4 u32y4_bit_reverse(u32y4 x)
{
    return (u32y4)_mm256_castsi256_si128((__m256i)u32y8_bit_reverse((u32y8)_mm256_castsi128_si256((__m128i)x)));
}
