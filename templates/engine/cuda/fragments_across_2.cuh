#pragma once
#include "fragments.cuh"
#include "ldmatrix.cuh"

/* 16-bit elements, lines across k: the matrices are transposed as they are loaded. */
template <> struct mik_fragments<2, false> {
    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t tile, int first, int k, int lane)
    {
        const int line = k * 16 + lane / 16 * 8 + lane % 8;
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            mik_ldmatrix<4, true>(x[i], tile + (line * CHUNKS + mik_swizzle(line, first / 8 + i * 2 + lane / 8 % 2, CHUNKS, 0)) * 16);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t tile, int first, int k, int lane)
    {
        const int line = k * 16 + lane % 16;
#pragma unroll
        for (int i = 0; i + 1 < COUNT; i += 2)
            mik_ldmatrix<4, true>(y[i], tile + (line * CHUNKS + mik_swizzle(line, first / 8 + i + lane / 16, CHUNKS, 0)) * 16);
        if constexpr (COUNT % 2 != 0)
            mik_ldmatrix<2, true>(y[COUNT - 1], tile + (line * CHUNKS + mik_swizzle(line, first / 8 + COUNT - 1, CHUNKS, 0)) * 16);
    }
};
