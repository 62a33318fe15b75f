/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: tiles of 4 by 4 floats, or of other elements of 32 bits, turned round in registers, as integers: beside vectors of 4 doubles. */
#pragma once
#include "part_half.h"

/* Row i of the one is column i of the other, of four each. */
MIK_INLINE MIK_AVX2L void f32y4_turn(float *to, int64_t to_apart, const float *from, int64_t from_apart)
{
    __m128i x[4];
    MIK_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + i * from_apart));
    const __m128i low = _mm_unpacklo_epi32(x[0], x[1]), high = _mm_unpackhi_epi32(x[0], x[1]);
    const __m128i low_below = _mm_unpacklo_epi32(x[2], x[3]), high_below = _mm_unpackhi_epi32(x[2], x[3]);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi64(low, low_below));
    _mm_storeu_si128((__m128i *)(void *)(to + to_apart), _mm_unpackhi_epi64(low, low_below));
    _mm_storeu_si128((__m128i *)(void *)(to + 2 * to_apart), _mm_unpacklo_epi64(high, high_below));
    _mm_storeu_si128((__m128i *)(void *)(to + 3 * to_apart), _mm_unpackhi_epi64(high, high_below));
}

MIK_INLINE MIK_AVX2L void f32y4_load_tile(float *tile, const float *p, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f32y4_turn(tile, 4, p, apart);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            tile[j * 4 + i] = p[i * apart + j];
}
MIK_INLINE MIK_AVX2L void f32y4_store_tile(float *p, const float *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f32y4_turn(p, apart, tile, 4);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 4 + i];
}
