/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fragments.cuh"

MIK_DEVICE double mik_load8(uint32_t from)
{
    double x;
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(x) : "r"(from) : "memory");
    return x;
}

/* Doubles: rows of x and columns of y alike. */
template <bool ALONG> struct mik_doubles {
    template <int CHUNKS> MIK_DEVICE uint32_t start_x(uint32_t tile, int first, int k, int lane)
    {
        const int of_k = k * 4 + lane % 4, other = first + lane / 4;
        return tile + mik_place(ALONG ? other : of_k, (ALONG ? of_k : other) * 8, CHUNKS, 1);
    }

    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        return start_x<CHUNKS>(tile, first, k, lane);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void x(double (*x)[1], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            x[i][0] = mik_load8(mik_further(start, ALONG ? i * 8 : k * 4, ALONG ? k * 2 : i * 4, CHUNKS, 1));
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(double (*y)[1], uint32_t start, int k) { x<COUNT, CHUNKS>(y, start, k); }
};
template <> struct mik_fragments<8, false> : mik_doubles<false> {
};
template <> struct mik_fragments<8, true> : mik_doubles<true> {
};
