/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fragments.cuh"
#include "ldmatrix.cuh"

/* Bytes, lines across k: 16 rows or columns of 32 steps. Pairs of neighbours move as 16-bit elements, of steps such that a lane gets
   four in a row; it then parts the even ones, which come first, from the odd ones. */
template <> struct mik_fragments<1, false> {
    template <int CHUNKS> MIK_DEVICE uint32_t start_x(uint32_t tile, int first, int k, int lane)
    {
        return tile + mik_place(k * 32 + lane / 16 * 16 + lane % 8 / 2 * 4 + lane / 8 % 2 * 2 + lane % 2, first, CHUNKS, 2);
    }

    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        return start_x<CHUNKS>(tile, first, k, lane);
    }

    MIK_DEVICE void load(uint32_t even[2], uint32_t odd[2], uint32_t at)
    {
        uint32_t r[4];
        mik_ldmatrix<4, true>(r, at);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            even[i] = __byte_perm(r[2 * i], r[2 * i + 1], 0x6420);
            odd[i] = __byte_perm(r[2 * i], r[2 * i + 1], 0x7531);
        }
    }

    /* Fragment row i is row 2 * i of the tile's 16, row 8 + i is row 2 * i + 1. */
    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t even[2], odd[2];
            load(even, odd, mik_further(start, k * 32, i, CHUNKS, 2));
            x[i][0] = even[0];
            x[i][1] = odd[0];
            x[i][2] = even[1];
            x[i][3] = odd[1];
        }
    }

    /* Column i of an even fragment is column 2 * i of 16, of the odd one after it column 2 * i + 1. */
    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i + 1 < COUNT; i += 2)
            load(y[i], y[i + 1], mik_further(start, k * 32, i / 2, CHUNKS, 2));
    }
};
