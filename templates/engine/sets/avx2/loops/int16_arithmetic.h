/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: lanes of 16 bits: products of which the upper half counts, and shifts. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int16_t i16y16 __attribute__((vector_size(32)));
typedef uint16_t u16y16 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i16y16 i16y16_mul_high(i16y16 x, i16y16 y) { return (i16y16)_mm256_mulhi_epi16((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L u16y16 u16y16_mul_high(u16y16 x, u16y16 y) { return (u16y16)_mm256_mulhi_epu16((__m256i)x, (__m256i)y); }
/* (x * y + 0x4000) >> 15, of which the lower half. */
MIK_INLINE MIK_AVX2L i16y16 i16y16_mul_round(i16y16 x, i16y16 y) { return (i16y16)_mm256_mulhrs_epi16((__m256i)x, (__m256i)y); }

/* Lanes of 16 bits, each shifted by another count, from 0 to 15. To the left it is a product; to the right there are lanes of 32 bits. */

/* Powers of two are looked up by bytes: the upper one of a lane has them from 2^8 on. */
MIK_INLINE MIK_AVX2L u16y16 u16y16_shift_left(u16y16 x, u16y16 by)
{
    const __m256i powers = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i twice = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
    const __m256i places = _mm256_add_epi8(_mm256_shuffle_epi8((__m256i)by, twice), _mm256_set1_epi16(-8 * 256));
    return x * (u16y16)_mm256_shuffle_epi8(powers, places);
}
MIK_INLINE MIK_AVX2L u16y16 u16y16_shift_right(u16y16 x, u16y16 by)
{
    const __m256i ones = _mm256_set1_epi32(0xffff), odd = _mm256_srli_epi32((__m256i)x, 16), by_odd = _mm256_srli_epi32((__m256i)by, 16);
    const __m256i low = _mm256_srlv_epi32(_mm256_and_si256((__m256i)x, ones), _mm256_and_si256((__m256i)by, ones));
    return (u16y16)_mm256_or_si256(low, _mm256_slli_epi32(_mm256_srlv_epi32(odd, by_odd), 16));
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_shift_right(i16y16 x, i16y16 by)
{
    const __m256i even = _mm256_slli_epi32((__m256i)x, 16), by_even = _mm256_and_si256((__m256i)by, _mm256_set1_epi32(0xffff));
    const __m256i low = _mm256_srli_epi32(_mm256_srav_epi32(even, by_even), 16);
    const __m256i high = _mm256_srav_epi32((__m256i)x, _mm256_srli_epi32((__m256i)by, 16));
    return (i16y16)_mm256_blend_epi16(low, high, 0xaa);
}
