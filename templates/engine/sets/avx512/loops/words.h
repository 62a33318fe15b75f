/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: groups of bytes, and words put together of those of two to four or of eight, in lanes of 32 bits. */
#pragma once
#include "integer.h"

/* Four groups in each quarter: pairs begin where lanes do, others where the quarter's 16 bytes do; but the last threes are its last 12. */
MIK_INLINE MIK_AVX512L __m512i i32z16_load_groups(const uint8_t *p, int size)
{
    if (size == 4)
        return _mm512_loadu_si512(p);
    if (size == 2)
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p));
    const __m512i first = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)p));
    const __m512i half = _mm512_inserti32x4(first, _mm_loadu_si128((const __m128i *)(const void *)(p + 12)), 1);
    const __m512i most = _mm512_inserti32x4(half, _mm_loadu_si128((const __m128i *)(const void *)(p + 24)), 2);
    return _mm512_inserti32x4(most, _mm_loadu_si128((const __m128i *)(const void *)(p + 32)), 3);
}
/* Of groups of eight the lower or the upper four bytes. */
MIK_INLINE MIK_AVX512L __m512i i32z16_load_fours(const uint8_t *p, int upper)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(p), (__m512i)(lane * 2 + upper), _mm512_loadu_si512(p + 64));
}
/* Where byte `which` of each is there. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_member_at(int size, int which)
{
    const i32z16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return (lane & 3) * (size == 2 ? 4 : size) + which + ((i32z16)(lane > 11) & (size == 3 ? 4 : 0));
}
/* Likewise of byte `number` of words. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_word_byte_at(int size, int code, int number)
{
    const int which = (code >> 4 * number & 15) - 1;
    return (which < 0 ? (i32z16)_mm512_set1_epi32(128) : i32z16_member_at(size, which)) << 8 * number;
}
/* Of a code for groups of eight what is of their lower, or their upper four bytes, as one for groups of four. */
MIK_INLINE MIK_AVX512L int i32z16_code_of_four(int code, int upper)
{
    int half = 0;
    for (int i = 0; i < 16; i += 4) {
        const int byte = (code >> i & 15) - 4 * upper;
        half |= byte > 0 && byte < 5 ? byte << i : 0;
    }
    return half;
}
/* Of four bytes of groups, which are loaded. */
MIK_INLINE MIK_AVX512L i32z16 i32z16_word_of(__m512i groups, int size, int code)
{
    const i32z16 low = i32z16_word_byte_at(size, code, 0) | i32z16_word_byte_at(size, code, 1);
    const i32z16 high = i32z16_word_byte_at(size, code, 2) | i32z16_word_byte_at(size, code, 3);
    return (i32z16)_mm512_shuffle_epi8(groups, (__m512i)(low | high));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_word_u8(const uint8_t *p, int size, int code)
{
    if (size < 8)
        return i32z16_word_of(i32z16_load_groups(p, size), size, code);
    const int low = i32z16_code_of_four(code, 0), high = i32z16_code_of_four(code, 1);
    const i32z16 x = low ? i32z16_word_of(i32z16_load_fours(p, 0), 4, low) : (i32z16){0};
    return high ? x | i32z16_word_of(i32z16_load_fours(p, 1), 4, high) : x;
}
