/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The ring of buffers between a thread that fetches and warpgroups that multiply; of a block, or of a pair: a cluster of two blocks on
   two multiprocessors that compute half of a tile's rows each, and fetch half of what both need; or of each block of a cluster that
   multiplies a part of a tile's steps. */
#pragma once
#include "piece.cuh"
#include "tma.cuh"

/* Buffers of shared memory that one thread has filled and others free: a barrier of each kind for every buffer. `buffer` is the
   next one, `phase` the parity of how often all were used. Behind them, room to turn sums in, and a word. */
typedef struct {
    uint32_t data, filled, freed;
    int buffer, phase;
    float *lines;
    unsigned *word;
    int rank;             /* of the block in its cluster */
    uint32_t other_freed; /* the other block's */
    uint32_t turns;       /* where warpgroups take turns, or blocks exchange sums, the barriers by which they do, */
    int turn;             /* and how many times a warpgroup has, modulo 2 */
    const CUtensorMap *map_c; /* the outputs' */
    int stored;           /* which buffer the next box of outputs leaves from */
    char *tables;         /* of a gathered operand, behind all that */
} mik_ring;

/* STAGES buffers of STAGE bytes, ROOM words. With dynamic shared memory: 1024 bytes more than what is used. A buffer is filled when so
   many FILLERS have said so, and their tensor copies are there; it is free when READERS of each of CLUSTER blocks have said so; as many
   say that the next one's of two TURNS has come. Where blocks SPLIT steps, each has a ring of its own, and the warps of as many
   warpgroups tell of their sums. All threads of the cluster call this. */
template <int STAGES, int STAGE, int ROOM, int READERS, int CLUSTER, int TURNS, int SPLIT = 0, int FILLERS = 1>
MIK_DEVICE mik_ring mik_make_ring(char *shared)
{
    const uint32_t start = mik_shared_address(shared);
    mik_ring ring = {};
    ring.data = (start + 1023) & ~1023u; /* where swizzled boxes may start */
    char *const lines = shared + (ring.data - start) + STAGES * STAGE;
    ring.lines = (float *)lines;
    ring.filled = ring.data + STAGES * STAGE + ROOM * 4;
    ring.freed = ring.filled + STAGES * 8;
    ring.word = (unsigned *)(lines + ROOM * 4 + STAGES * 16);
    ring.turns = ring.freed + STAGES * 8 + 16;
    ring.tables = (char *)ring.word + (TURNS > 1 ? 32 : 16);
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            mik_barrier_init(ring.filled + i * 8, FILLERS);
            mik_barrier_init(ring.freed + i * 8, (SPLIT > 0 ? 1 : CLUSTER) * READERS);
        }
        for (int i = 0; i < TURNS && TURNS > 1; i++)
            mik_barrier_init(ring.turns + i * 8, READERS);
        if constexpr (SPLIT > 0) /* the others' warps have left sums; the one's that adds them up has read them */
            for (int i = 0; i <= SPLIT; i++)
                mik_barrier_init(ring.turns + i * 8, i == 0 ? (CLUSTER - 1) * 4 : 4);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        mik_fence_async(); /* tensor copies see them, too */
    }
    if constexpr (CLUSTER > 1) {
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(ring.rank));
        ring.other_freed = mik_far(ring.freed, ring.rank ^ 1);
        mik_meet_first();
    } else {
        __syncthreads();
    }
    return ring;
}

/* A reader is done with buffer i, into which fetches of CLUSTER blocks write. */
template <int CLUSTER> MIK_DEVICE void mik_free(const mik_ring *ring, int i)
{
    mik_barrier_arrive(ring->freed + i * 8);
    if constexpr (CLUSTER == 2)
        mik_barrier_arrive_far(ring->other_freed + i * 8);
}

template <int STAGES> MIK_DEVICE void mik_advance(mik_ring *ring)
{
    ring->buffer = ring->buffer + 1 < STAGES ? ring->buffer + 1 : 0;
    ring->phase ^= ring->buffer == 0;
}
