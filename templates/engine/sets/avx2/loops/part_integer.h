/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: parts of vectors in memory, written for integers of 32 bits. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_load(const int32_t *p)
{
    i32y8 x;
    memcpy(&x, p, sizeof x);
    return x;
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_where(const int32_t *p, masky8 where)
{
    return (i32y8)_mm256_maskload_epi32((const int *)(const void *)p, (__m256i)where);
}
/* AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void i32y8_store_where(int32_t *p, i32y8 x, masky8 where)
{
    if (_mm256_movemask_ps((__m256)where) == 0xff)
        memcpy(p, &x, sizeof x);
    else
        _mm256_maskstore_epi32((int *)(void *)p, (__m256i)where, (__m256i)x);
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_part(const int32_t *p, int64_t n) { return i32y8_load_where(p, masky8_first(n)); }
/* In pieces: AMD's processors take a dozen cycles for a masked store. */
MIK_INLINE MIK_AVX2L void i32y8_store_part(int32_t *p, i32y8 x, int64_t n)
{
    if (n >= 8) {
        memcpy(p, &x, sizeof x);
        return;
    }
    __m128i rest = _mm256_castsi256_si128((__m256i)x);
    if (n & 4) {
        _mm_storeu_si128((__m128i *)(void *)p, rest);
        rest = _mm256_extracti128_si256((__m256i)x, 1);
        p += 4;
    }
    if (n & 2) {
        _mm_storel_epi64((__m128i *)(void *)p, rest);
        rest = _mm_unpackhi_epi64(rest, rest);
        p += 2;
    }
    if (n & 1)
        memcpy(p, &rest, sizeof *p);
}
