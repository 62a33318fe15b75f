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
    template <int COUNT, int CHUNKS> MIK_DEVICE void x(double (*x)[1], uint32_t tile, int first, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int of_k = k * 4 + lane % 4, other = first + i * 8 + lane / 4, line = ALONG ? other : of_k, at = ALONG ? of_k : other;
            x[i][0] = mik_load8(tile + (line * CHUNKS + mik_swizzle(line, at / 2, CHUNKS, 1)) * 16 + at % 2 * 8);
        }
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(double (*y)[1], uint32_t tile, int first, int k, int lane)
    {
        x<COUNT, CHUNKS>(y, tile, first, k, lane);
    }
};
template <> struct mik_fragments<8, false> : mik_doubles<false> {
};
template <> struct mik_fragments<8, true> : mik_doubles<true> {
};
