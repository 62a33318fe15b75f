/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fragments.cuh"

/* Words, lines across k: element by element. */
template <> struct mik_fragments<4, false> {
    template <int CHUNKS> MIK_DEVICE uint32_t start_x(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(k * 8 + lane % 4, (first + lane / 4) * 4, CHUNKS, 1);
    }

    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        return start_x<CHUNKS>(tile, first, k, lane);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                x[i][e] = mik_load4(mik_further(start, k * 8 + e / 2 * 4, i * 4 + e % 2 * 2, CHUNKS, 1));
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int e = 0; e < 2; e++)
                y[i][e] = mik_load4(mik_further(start, k * 8 + e * 4, i * 2, CHUNKS, 1));
    }
};
