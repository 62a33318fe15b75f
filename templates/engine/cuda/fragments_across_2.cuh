/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fragments.cuh"
#include "ldmatrix.cuh"

/* 16-bit elements, lines across k: the matrices are transposed as they are loaded. */
template <> struct mik_fragments<2, false> {
    template <int CHUNKS> MIK_DEVICE uint32_t start_x(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(k * 16 + lane / 16 * 8 + lane % 8, first * 2 + lane / 8 % 2 * 16, CHUNKS, 0);
    }

    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(k * 16 + lane % 16, first * 2 + lane / 16 * 16, CHUNKS, 0);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            mik_ldmatrix<4, true>(x[i], mik_further(start, k * 16, i * 2, CHUNKS, 0));
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i + 1 < COUNT; i += 2)
            mik_ldmatrix<4, true>(y[i], mik_further(start, k * 16, i, CHUNKS, 0));
        if constexpr (COUNT % 2 != 0)
            mik_ldmatrix<2, true>(y[COUNT - 1], mik_further(start, k * 16, COUNT - 1, CHUNKS, 0));
    }
};
