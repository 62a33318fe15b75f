/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: groups of two to four bytes, and words put together of them, in lanes of 32 bits. */
#pragma once
#include "memory.h"

/* Four groups in each half: they begin where its 16 bytes do; but in the upper one pairs are in the last 8 bytes, and threes in the last 12. */
MIK_INLINE MIK_AVX2L __m256i i32y8_load_groups(const uint8_t *p, int size)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p),
                  high = _mm_loadu_si128((const __m128i *)(const void *)(p + 8 * (size - 2)));
    if (size == 2)
        return _mm256_broadcastsi128_si256(low);
    return size == 4 ? _mm256_loadu_si256((const __m256i *)(const void *)p) : _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
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
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_word_u8(const uint8_t *p, int size, int code)
{
    const i32y8 low = i32y8_word_byte_at(size, code, 0) | i32y8_word_byte_at(size, code, 1);
    const i32y8 high = i32y8_word_byte_at(size, code, 2) | i32y8_word_byte_at(size, code, 3);
    return (i32y8)_mm256_shuffle_epi8(i32y8_load_groups(p, size), (__m256i)(low | high));
}
