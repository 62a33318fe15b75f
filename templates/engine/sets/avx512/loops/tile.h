/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: tiles of 16 by 16 floats, or of other elements of 32 bits, turned round in registers, as integers. */
#pragma once
#include "float.h"

/* Row i of the one is column i of the other; from has so many rows and columns, the others are taken to be 0. */
MIK_INLINE MIK_AVX512L void f32z16_turn(float *to, int64_t to_apart, const float *from, int64_t from_apart, int64_t rows, int64_t cols)
{
    __m512i x[16], y[16];
    if (rows < 16 || cols < 16) {
        const __mmask16 some = maskz16_first(cols);
        MIK_UNROLL
        for (int i = 0; i < 16; i++)
            x[i] = _mm512_maskz_loadu_epi32(i < rows ? some : 0, i < rows ? from + i * from_apart : from);
    } else {
        MIK_UNROLL
        for (int i = 0; i < 16; i++)
            x[i] = _mm512_loadu_epi32(from + i * from_apart);
    }
    MIK_UNROLL
    for (int i = 0; i < 16; i += 2)                      /* pairs of rows, */
        y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]), y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    MIK_UNROLL
    for (int i = 0; i < 16; i += 4) {                    /* fours: x[i + j] has columns j, j + 4, j + 8, j + 12 of rows i to i + 3 */
        x[i] = _mm512_unpacklo_epi64(y[i], y[i + 2]);
        x[i + 1] = _mm512_unpackhi_epi64(y[i], y[i + 2]);
        x[i + 2] = _mm512_unpacklo_epi64(y[i + 1], y[i + 3]);
        x[i + 3] = _mm512_unpackhi_epi64(y[i + 1], y[i + 3]);
    }
    MIK_UNROLL
    for (int j = 0; j < 4; j++) {                        /* and all */
        const __m512i a = _mm512_shuffle_i32x4(x[j], x[j + 4], 0x44), b = _mm512_shuffle_i32x4(x[j], x[j + 4], 0xee);
        const __m512i c = _mm512_shuffle_i32x4(x[j + 8], x[j + 12], 0x44), d = _mm512_shuffle_i32x4(x[j + 8], x[j + 12], 0xee);
        _mm512_storeu_epi32(to + j * to_apart, _mm512_shuffle_i32x4(a, c, 0x88));
        _mm512_storeu_epi32(to + (j + 4) * to_apart, _mm512_shuffle_i32x4(a, c, 0xdd));
        _mm512_storeu_epi32(to + (j + 8) * to_apart, _mm512_shuffle_i32x4(b, d, 0x88));
        _mm512_storeu_epi32(to + (j + 12) * to_apart, _mm512_shuffle_i32x4(b, d, 0xdd));
    }
}

MIK_INLINE MIK_AVX512L void f32z16_load_tile(float *tile, const float *p, int64_t apart, int64_t rows, int64_t cols)
{
    f32z16_turn(tile, 16, p, apart, rows, cols);
}
MIK_INLINE MIK_AVX512L void f32z16_store_tile(float *p, const float *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 16 && cols == 16) {
        f32z16_turn(p, apart, tile, 16, 16, 16);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 16 + i];
}
