/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fragments.cuh"
#include "ldmatrix.cuh"

/* Lines along k, of elements of 4 bytes or less. */
template <int BYTES> struct mik_fragments<BYTES, true> {
    template <int CHUNKS> MIK_DEVICE uint32_t start_x(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(first + lane % 16, k * 32 + lane / 16 * 16, CHUNKS, 0);
    }

    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(first + lane / 16 * 8 + lane % 8, k * 32 + lane / 8 % 2 * 16, CHUNKS, 0);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            mik_ldmatrix<4, false>(x[i], mik_further(start, i * 16, k * 2, CHUNKS, 0));
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i + 1 < COUNT; i += 2)
            mik_ldmatrix<4, false>(y[i], mik_further(start, i * 8, k * 2, CHUNKS, 0));
        if constexpr (COUNT % 2 != 0)
            mik_ldmatrix<2, false>(y[COUNT - 1], mik_further(start, COUNT * 8 - 8, k * 2, CHUNKS, 0));
    }
};
