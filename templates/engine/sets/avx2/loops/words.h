/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of bytes, and words put together of those of two to four or of eight, in lanes of 32 bits. */
#pragma once
#include "memory.h"

/* 16 bytes, and others so many bytes further on. */
MIK_INLINE MIK_AVX2L __m256i i32y8_load_halves(const uint8_t *p, int bytes)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p),
                  high = _mm_loadu_si128((const __m128i *)(const void *)(p + bytes));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
/* Four groups in each half: they begin where its 16 bytes do; but in the upper one pairs are in the last 8 bytes, and threes in the last 12. */
MIK_INLINE MIK_AVX2L __m256i i32y8_load_groups(const uint8_t *p, int size)
{
    if (size == 2)
        return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p));
    return size == 4 ? _mm256_loadu_si256((const __m256i *)(const void *)p) : i32y8_load_halves(p, 8 * (size - 2));
}
/* Of groups of eight the lower or the upper four bytes. */
MIK_INLINE MIK_AVX2L __m256i i32y8_load_fours(const uint8_t *p, int upper)
{
    const __m256i *at = (const __m256i *)(const void *)p;
    const __m256i first = _mm256_loadu_si256(at), second = _mm256_loadu_si256(at + 1);
    const __m256 x = _mm256_castsi256_ps(_mm256_permute2x128_si256(first, second, 0x20)),
                 y = _mm256_castsi256_ps(_mm256_permute2x128_si256(first, second, 0x31));
    return _mm256_castps_si256(upper ? _mm256_shuffle_ps(x, y, 0xdd) : _mm256_shuffle_ps(x, y, 0x88));
}
/* Where byte `which` of each is there. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_member_at(int size, int which)
{
    const i32y8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return lane * size + which - ((i32y8)(lane > 3) & 8 * (size - 2));
}
/* Likewise of byte `number` of words. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_word_byte_at(int size, int code, int number)
{
    const int which = (code >> 4 * number & 15) - 1;
    return (which < 0 ? (i32y8)_mm256_set1_epi32(128) : i32y8_member_at(size, which)) << 8 * number;
}
/* Of a code for groups of eight what is of their lower, or their upper four bytes, as one for groups of four. */
MIK_INLINE MIK_AVX2L int i32y8_code_of_four(int code, int upper)
{
    int half = 0;
    for (int i = 0; i < 16; i += 4) {
        const int byte = (code >> i & 15) - 4 * upper;
        half |= byte > 0 && byte < 5 ? byte << i : 0;
    }
    return half;
}
/* Of four bytes of groups, which are loaded. */
MIK_INLINE MIK_AVX2L i32y8 i32y8_word_of(__m256i groups, int size, int code)
{
    const i32y8 low = i32y8_word_byte_at(size, code, 0) | i32y8_word_byte_at(size, code, 1);
    const i32y8 high = i32y8_word_byte_at(size, code, 2) | i32y8_word_byte_at(size, code, 3);
    return (i32y8)_mm256_shuffle_epi8(groups, (__m256i)(low | high));
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_word_u8(const uint8_t *p, int size, int code)
{
    if (size < 8)
        return i32y8_word_of(i32y8_load_groups(p, size), size, code);
    const int low = i32y8_code_of_four(code, 0), high = i32y8_code_of_four(code, 1);
    const i32y8 x = low ? i32y8_word_of(i32y8_load_fours(p, 0), 4, low) : (i32y8){0};
    return high ? x | i32y8_word_of(i32y8_load_fours(p, 1), 4, high) : x;
}
