#pragma once
#include "fragments.cuh"

/* Words, lines across k: element by element. */
template <> struct mik_fragments<4, false> {
    template <int COUNT, int CHUNKS> MIK_DEVICE void x(uint32_t (*x)[4], uint32_t tile, int first, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int line = k * 8 + lane % 4 + e / 2 * 4, at = first + i * 16 + lane / 4 + e % 2 * 8;
                x[i][e] = mik_load4(tile + (line * CHUNKS + mik_swizzle(line, at / 4, CHUNKS, 1)) * 16 + at % 4 * 4);
            }
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t tile, int first, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const int line = k * 8 + lane % 4 + e * 4, at = first + i * 8 + lane / 4;
                y[i][e] = mik_load4(tile + (line * CHUNKS + mik_swizzle(line, at / 4, CHUNKS, 1)) * 16 + at % 4 * 4);
            }
    }
};
