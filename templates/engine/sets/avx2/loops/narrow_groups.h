/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: the same in lanes of 16 bits. Written for int8_t. */
#pragma once
#include "groups.h"

/* The bytes, shuffled into the upper halves of lanes, are shifted down. */
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_member_i8(const int8_t *p, int size, int which)
{
    const i16y16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}, at = lane * (int16_t)size + (int16_t)which;
    const i16y16 second = (i16y16)(at > 15) & 128, from = at | second, behind = (at - (int16_t)(8 * size - 16)) | (128 - second);
    const uint8_t *bytes = (const uint8_t *)(const void *)p;
    if (size == 2) {
        const __m256i pairs = _mm256_loadu_si256((const __m256i *)(const void *)p), up = which ? pairs : _mm256_slli_epi16(pairs, 8);
        return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(up, 8)
               : which        ? (i16y16)_mm256_srli_epi16(pairs, 8)
                              : (i16y16)_mm256_and_si256(pairs, _mm256_set1_epi16(255));
    }
    __m256i x = _mm256_shuffle_epi8(u8y32_load_apart(bytes, 8 * size), (__m256i)(from << 8 | 128));
    x = _mm256_or_si256(x, _mm256_shuffle_epi8(u8y32_load_apart(bytes + 8 * size - 16, 8 * size), (__m256i)(behind << 8 | 128)));
    return (int8_t)-1 < 0 ? (i16y16)_mm256_srai_epi16(x, 8) : (i16y16)_mm256_srli_epi16(x, 8);
}
MIK_INLINE MIK_AVX2L i16y16 i16y16_load_member_part_i8(const int8_t *p, int size, int which, int64_t n)
{
    int8_t group[4 * 16] = {0};
    memcpy(group, p, (size_t)((n < 16 ? n : 16) * size));
    return i16y16_load_member_i8(group, size, which);
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups2_i8(int8_t *p, i16y16 x, i16y16 y)
{
    u8y32_zip2((uint8_t *)(void *)p, i16y16_lower_bytes(x), i16y16_lower_bytes(y));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups3_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z)
{
    u8y32_zip3((uint8_t *)(void *)p, i16y16_lower_bytes(x), i16y16_lower_bytes(y), i16y16_lower_bytes(z));
}
MIK_INLINE MIK_AVX2L void i16y16_store_groups4_i8(int8_t *p, i16y16 x, i16y16 y, i16y16 z, i16y16 w)
{
    u8y32_zip4((uint8_t *)(void *)p, i16y16_lower_bytes(x), i16y16_lower_bytes(y), i16y16_lower_bytes(z), i16y16_lower_bytes(w));
}
