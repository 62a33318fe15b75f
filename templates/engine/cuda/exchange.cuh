/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Split-K inside a cluster: blocks have parts of the same sums, of some of the steps each, and leave them in each other's shared memory.
   PTX ISA 9.7.9.23 (mapa), 5.1.7 (shared::cluster), 9.7.13.15 (mbarrier, scope .cluster). */
#pragma once
#include "ring.cuh"

/* Four sums, to any block's shared memory of the cluster. */
MIK_DEVICE void mik_leave4(uint32_t to, const float *x)
{
    asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]) : "memory");
}

MIK_DEVICE void mik_leave4(uint32_t to, const int *x)
{
    asm volatile("st.shared::cluster.v4.s32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]) : "memory");
}

/* Out of this block's own. */
MIK_DEVICE void mik_find4(float *x, uint32_t from)
{
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3]) : "r"(from) : "memory");
}

MIK_DEVICE void mik_find4(int *x, uint32_t from)
{
    asm volatile("ld.shared.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(from) : "memory");
}

/* Four sums of block j of the cluster, of which `owner` has its own in registers, the others have left theirs from `from` on. */
template <int COUNT, typename T> MIK_DEVICE void mik_find_part(T *x, const T *own, uint32_t from, int j, int owner)
{
    if (j != owner) {
        mik_find4(x, from + (uint32_t)(j - (j > owner)) * (COUNT * 512));
    } else {
#pragma unroll
        for (int e = 0; e < 4; e++)
            x[e] = own[e];
    }
}

/* Blocks that have parts of the same tile, the first PARTS of a cluster's, add up COUNT sums of each thread of warpgroup `group`: in the
   order of k, in one block for each group, which has the whole then, and gets true. The others' parts lie in that block's `room`, which is
   for nothing else: a barrier says that all of them are there, one of each block and group that they have been read. All blocks of the
   cluster come here for every tile, those without steps with nothing to leave. */
template <int COUNT, int CLUSTER, typename T> MIK_DEVICE bool mik_exchange(T *sum, mik_ring *ring, uint32_t room, int group, int parts)
{
    const int owner = group % CLUSTER, lane = threadIdx.x % 32, phase = ring->turn;
    const uint32_t left = ring->turns, read = left + 8 + group * 8, mine = room + threadIdx.x % 128 * 16;
    ring->turn ^= 1;
    if (ring->rank != owner) {
        const uint32_t to = mik_far(mine + (uint32_t)(ring->rank - (ring->rank > owner)) * (COUNT * 512), owner);
        mik_barrier_wait_far(read, phase ^ 1);
        if (ring->rank < parts)
#pragma unroll
            for (int i = 0; i < COUNT; i += 4)
                mik_leave4(to + i * 512, sum + i);
        __syncwarp();
        if (lane == 0) /* speaks for its warp */
            mik_barrier_publish(mik_far(left, owner));
        return false;
    }
    mik_barrier_wait_far(left, phase);
#pragma unroll
    for (int i = 0; i < COUNT; i += 4) {
        T all[4], x[4];
        mik_find_part<COUNT>(all, sum + i, mine + i * 512, 0, owner);
#pragma unroll
        for (int j = 1; j < CLUSTER; j++)
            if (j < parts) {
                mik_find_part<COUNT>(x, sum + i, mine + i * 512, j, owner);
#pragma unroll
                for (int e = 0; e < 4; e++)
                    all[e] += x[e];
            }
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum[i + e] = all[e];
    }
    __syncwarp();
    if (lane < CLUSTER && lane != owner)
        mik_barrier_publish(mik_far(read, lane));
    return true;
}
