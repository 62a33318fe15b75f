/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What lanes that share a row do together. */
#pragma once
#include "host_config.cuh"

/* The lanes' parts of a result, combined in an order that depends on nothing but the number of lanes: every lane gets the
   same bits. LANES are a warp, or a block. */
template <int LANES, typename T, typename F> static __device__ __forceinline__ T mik_combine(T part, F both)
{
    const unsigned all = 0xffffffff;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        part = both(part, __shfl_down_sync(all, part, d));
    if (LANES > 32) {
        __shared__ T parts[LANES / 32];
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            parts[threadIdx.x / 32] = part;
        __syncthreads();
        part = parts[threadIdx.x % (LANES / 32)];
#pragma unroll
        for (int d = LANES / 64; d > 0; d /= 2)
            part = both(part, __shfl_down_sync(all, part, d));
    }
    return __shfl_sync(all, part, 0);
}

struct mik_both_least {
    template <typename T> __device__ __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};

/* The value of the first lane for which `mine` holds; one's own if there is none. */
template <int LANES, typename T> static __device__ __forceinline__ T mik_chosen(T value, int mine)
{
    if (LANES == 32) {
        const unsigned holders = __ballot_sync(0xffffffff, mine);
        return holders ? __shfl_sync(0xffffffff, value, __ffs((int)holders) - 1) : value;
    }
    __shared__ T slot;
    const int lane = mik_combine<LANES>(mine ? (int)threadIdx.x : LANES, mik_both_least());
    if ((int)threadIdx.x == lane)
        slot = value;
    __syncthreads();
    return lane < LANES ? slot : value;
}
#if MIK_NEST_COLUMNS

/* The same for LANES rows of 32 threads, lane by lane. */
template <int LANES, typename T, typename F> static __device__ __forceinline__ T mik_combine_y(T part, F both)
{
    __shared__ T parts[LANES][32];
    __syncthreads();
    parts[threadIdx.y][threadIdx.x] = part;
    __syncthreads();
    part = parts[0][threadIdx.x];
#pragma unroll
    for (int i = 1; i < LANES; i++)
        part = both(part, parts[i][threadIdx.x]);
    return part;
}

template <int LANES, typename T> static __device__ __forceinline__ T mik_chosen_y(T value, int mine)
{
    __shared__ T slots[32];
    const int lane = mik_combine_y<LANES>(mine ? (int)threadIdx.y : LANES, mik_both_least());
    if ((int)threadIdx.y == lane)
        slots[threadIdx.x] = value;
    __syncthreads();
    return lane < LANES ? slots[threadIdx.x] : value;
}
#endif
