/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: tiles of 4 by 4 doubles, or of other elements of 64 bits, turned round in registers, as integers. */
#pragma once
#include "types.h"

/* Row i of the one is column i of the other, of four each. */
MIK_INLINE MIK_AVX2L void f64y4_turn(double *to, int64_t to_apart, const double *from, int64_t from_apart)
{
    __m256i x[4];
    MIK_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = _mm256_loadu_si256((const __m256i *)(const void *)(from + i * from_apart));
    const __m256i even = _mm256_unpacklo_epi64(x[0], x[1]), odd = _mm256_unpackhi_epi64(x[0], x[1]);
    const __m256i even_below = _mm256_unpacklo_epi64(x[2], x[3]), odd_below = _mm256_unpackhi_epi64(x[2], x[3]);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(even, even_below, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(to + to_apart), _mm256_permute2x128_si256(odd, odd_below, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(to + 2 * to_apart), _mm256_permute2x128_si256(even, even_below, 0x31));
    _mm256_storeu_si256((__m256i *)(void *)(to + 3 * to_apart), _mm256_permute2x128_si256(odd, odd_below, 0x31));
}

MIK_INLINE MIK_AVX2L void f64y4_load_tile(double *tile, const double *p, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f64y4_turn(tile, 4, p, apart);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            tile[j * 4 + i] = p[i * apart + j];
}
MIK_INLINE MIK_AVX2L void f64y4_store_tile(double *p, const double *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 4 && cols == 4) {
        f64y4_turn(p, apart, tile, 4);
        return;
    }
#if defined(__GNUC__) && !defined(__clang__)
    _Pragma("GCC diagnostic push");
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\""); /* no more columns are read than callers have stored */
#endif
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 4 + i];
#if defined(__GNUC__) && !defined(__clang__)
    _Pragma("GCC diagnostic pop");
#endif
}
