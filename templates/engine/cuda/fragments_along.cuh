#pragma once
#include "fragments.cuh"
#include "ldmatrix.cuh"

/* Lines along k, of elements of 4 bytes or less. */
template <int BYTES> struct mik_fragments<BYTES, true> {
    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t tile, int first, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int line = first + i * 16 + lane % 16;
            mik_ldmatrix<4, false>(x[i], tile + (line * CHUNKS + mik_swizzle(line, k * 2 + lane / 16, CHUNKS, 0)) * 16);
        }
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t tile, int first, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i + 1 < COUNT; i += 2) {
            const int line = first + i * 8 + lane / 16 * 8 + lane % 8;
            mik_ldmatrix<4, false>(y[i], tile + (line * CHUNKS + mik_swizzle(line, k * 2 + lane / 8 % 2, CHUNKS, 0)) * 16);
        }
        if constexpr (COUNT % 2 != 0) {
            const int line = first + COUNT * 8 - 8 + lane % 8;
            mik_ldmatrix<2, false>(y[COUNT - 1], tile + (line * CHUNKS + mik_swizzle(line, k * 2 + lane / 8 % 2, CHUNKS, 0)) * 16);
        }
    }
};
