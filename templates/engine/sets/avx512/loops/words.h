/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: groups of two to four bytes, and words put together of them, in lanes of 32 bits. */
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
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_word_u8(const uint8_t *p, int size, int code)
{
    const i32z16 low = i32z16_word_byte_at(size, code, 0) | i32z16_word_byte_at(size, code, 1);
    const i32z16 high = i32z16_word_byte_at(size, code, 2) | i32z16_word_byte_at(size, code, 3);
    return (i32z16)_mm512_shuffle_epi8(i32z16_load_groups(p, size), (__m512i)(low | high));
}
