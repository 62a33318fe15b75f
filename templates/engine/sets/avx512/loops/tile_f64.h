/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: tiles of 8 by 8 doubles, or of other elements of 64 bits, turned round in registers, as integers. */
#pragma once
#include "types.h"

/* Row i of the one is column i of the other; from has so many rows and columns, the others are taken to be 0. */
MIK_INLINE MIK_AVX512L void f64z8_turn(double *to, int64_t to_apart, const double *from, int64_t from_apart, int64_t rows, int64_t cols)
{
    __m512i x[8], y[8];
    if (rows < 8 || cols < 8) {
        const __mmask8 some = (__mmask8)(cols < 8 ? (1u << cols) - 1 : 0xff);
        MIK_UNROLL
        for (int i = 0; i < 8; i++)
            x[i] = _mm512_maskz_loadu_epi64(i < rows ? some : 0, i < rows ? from + i * from_apart : from);
    } else {
        MIK_UNROLL
        for (int i = 0; i < 8; i++)
            x[i] = _mm512_loadu_si512(from + i * from_apart);
    }
    MIK_UNROLL
    for (int i = 0; i < 8; i += 2)                       /* pairs of rows: y[i + j] has columns j, j + 2, j + 4, j + 6, */
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]), y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    MIK_UNROLL
    for (int j = 0; j < 2; j++) {                        /* and all */
        const __m512i a = _mm512_shuffle_i64x2(y[j], y[j + 2], 0x44), b = _mm512_shuffle_i64x2(y[j], y[j + 2], 0xee);
        const __m512i c = _mm512_shuffle_i64x2(y[j + 4], y[j + 6], 0x44), d = _mm512_shuffle_i64x2(y[j + 4], y[j + 6], 0xee);
        _mm512_storeu_si512(to + j * to_apart, _mm512_shuffle_i64x2(a, c, 0x88));
        _mm512_storeu_si512(to + (j + 2) * to_apart, _mm512_shuffle_i64x2(a, c, 0xdd));
        _mm512_storeu_si512(to + (j + 4) * to_apart, _mm512_shuffle_i64x2(b, d, 0x88));
        _mm512_storeu_si512(to + (j + 6) * to_apart, _mm512_shuffle_i64x2(b, d, 0xdd));
    }
}

MIK_INLINE MIK_AVX512L void f64z8_load_tile(double *tile, const double *p, int64_t apart, int64_t rows, int64_t cols)
{
    f64z8_turn(tile, 8, p, apart, rows, cols);
}
MIK_INLINE MIK_AVX512L void f64z8_store_tile(double *p, const double *tile, int64_t apart, int64_t rows, int64_t cols)
{
    if (rows == 8 && cols == 8) {
        f64z8_turn(p, apart, tile, 8, 8, 8);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            p[i * apart + j] = tile[j * 8 + i];
}
