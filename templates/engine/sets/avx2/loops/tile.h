/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: tiles of 8 by 8 floats, or of other elements of 32 bits, turned round in registers, as integers. */
#pragma once
#include "float.h"

/* Row i of the one is column i of the other; from has so many rows and columns, the others are taken to be 0. */
MIK_INLINE MIK_AVX2L void f32y8_turn(float *to, int64_t to_apart, const float *from, int64_t from_apart, int64_t rows, int64_t cols)
{
    __m256i x[8], y[8];
    if (rows < 8 || cols < 8) {
        const masky8 some = masky8_first(cols), none = {0};
        MIK_UNROLL
        for (int i = 0; i < 8; i++)
            x[i] = _mm256_maskload_epi32((const int *)(const void *)(i < rows ? from + i * from_apart : from),
                                         (__m256i)(i < rows ? some : none));
    } else {
        MIK_UNROLL
        for (int i = 0; i < 8; i++)
            x[i] = _mm256_loadu_si256((const __m256i *)(const void *)(from + i * from_apart));
    }
    MIK_UNROLL
    for (int i = 0; i < 8; i += 2)                       /* pairs of rows, */
        y[i] = _mm256_unpacklo_epi32(x[i], x[i + 1]), y[i + 1] = _mm256_unpackhi_epi32(x[i], x[i + 1]);
    MIK_UNROLL
    for (int i = 0; i < 8; i += 4) {                     /* fours: x[i + j] has columns j and j + 4 of rows i to i + 3 */
        x[i] = _mm256_unpacklo_epi64(y[i], y[i + 2]);
        x[i + 1] = _mm256_unpackhi_epi64(y[i], y[i + 2]);
        x[i + 2] = _mm256_unpacklo_epi64(y[i + 1], y[i + 3]);
        x[i + 3] = _mm256_unpackhi_epi64(y[i + 1], y[i + 3]);
    }
    MIK_UNROLL
    for (int j = 0; j < 4; j++) {                        /* and all */
        _mm256_storeu_si256((__m256i *)(void *)(to + j * to_apart), _mm256_permute2x128_si256(x[j], x[j + 4], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(to + (j + 4) * to_apart), _mm256_permute2x128_si256(x[j], x[j + 4], 0x31));
    }
}

MIK_INLINE MIK_AVX2L void f32y8_load_tile(float *tile, const float *p, int64_t apart, int64_t rows, int64_t cols)
{
    f32y8_turn(tile, 8, p, apart, rows, cols);
}
MIK_INLINE MIK_AVX2L void f32y8_store_tile(float *p, const float *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 8 && cols == 8) {
        f32y8_turn(p, apart, tile, 8, 8, 8);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 8 + i];
}
