/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A few rows times codes of bytes that lie across k. */
#pragma once
#include "row.cuh"
#include "unpack.cuh"

template <class Row> MIK_DEVICE void mik_multiply_codes(typename Row::sum_type (*sum)[Row::WIDTH], const char *buffer)
{
    const typename Row::row_type *const v = (const typename Row::row_type *)(buffer + Row::MATRIX);
#pragma unroll
    for (int d = 0; d < Row::DEPTH; d++) {
        alignas(16) uint32_t words[4];
        float x[Row::VECTOR];
        *(int4 *)words = *(const int4 *)(buffer + (d * Row::THREADS + threadIdx.x) * 16);
#pragma unroll
        for (int i = 0; i < 4; i++)
            mik_unpack<8, Row::matrix::SIGNED, Row::matrix::LEAST>(x + 4 * i, words[i], false);
#pragma unroll
        for (int r = 0; r < Row::HEIGHT; r++) {
            const float y = v[r * Row::LINE + Row::step_of(threadIdx.x, d)];
#pragma unroll
            for (int e = 0; e < Row::VECTOR; e++)
                sum[r][e] += y * x[e];
        }
    }
}
