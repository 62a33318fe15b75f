/* What blocks do, and warps of a block, that have parts of the same sums. */
#pragma once
#include "piece.cuh"

/* Waits for so many threads of the block, at one of its 16 barriers. */
template <int THREADS> MIK_DEVICE void mik_sync(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory"); }

/* SLICES groups of THREADS threads hold parts of the same COUNT * THREADS sums: the first group gets the whole, added up in
   the order of the groups. Every thread of the block calls this; `parts` is shared memory that nobody uses, nor before
   the next barrier. */
template <int COUNT, int THREADS, int SLICES, typename T> MIK_DEVICE void mik_add_slices(T *sum, T *parts)
{
    const int slice = (int)threadIdx.x / THREADS, thread = (int)threadIdx.x % THREADS;
    if (slice > 0)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            parts[((slice - 1) * COUNT + i) * THREADS + thread] = sum[i];
    __syncthreads();
    if (slice == 0)
#pragma unroll
        for (int j = 0; j < SLICES - 1; j++)
#pragma unroll
            for (int i = 0; i < COUNT; i++)
                sum[i] += parts[(j * COUNT + i) * THREADS + thread];
}

/* A block comes to a tile: how many have come before. Those who come later see what this thread, and whom barriers have shown it, has
   stored, and this thread sees what they had: release and acquire in one fence. */
MIK_DEVICE unsigned mik_arrive(unsigned *arrived)
{
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(__cvta_generic_to_global(arrived)) : "memory");
    return before;
}

/* Blocks that have only a part of a tile's steps leave their sums, COUNT of each of the first THREADS of ALL threads, in
   memory. The last of them to arrive adds up all parts, in the order of the steps, whatever order they came in: it
   has the tile's sums then, and gets 1. The others are done with the tile. All these threads call this, with
   a word of shared memory that nobody uses. */
template <int COUNT, int THREADS, int ALL, int BARRIER, typename T>
MIK_DEVICE int mik_add_parts(T *sum, unsigned *word, const mik_region *r, const mik_piece *t, int thread)
{
    const int64_t first = t->tile * r->steps / r->share, last = ((t->tile + 1ll) * r->steps - 1) / r->share;
    const int64_t size = (int64_t)COUNT * THREADS;
    /* The first part of a tile is the last piece of its block, the others are the first pieces of theirs. */
    const int64_t place = t->step == 0 ? 2 * first + 1 : 2 * ((t->tile * r->steps + t->step) / r->share);
    T *const all = (T *)r->partial + thread;
    if (thread < THREADS)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            __stcg(all + place * size + i * THREADS, sum[i]);
    mik_sync<ALL>(BARRIER);
    if (thread == 0) /* speaks for all */
        *word = mik_arrive(r->arrived + t->tile);
    mik_sync<ALL>(BARRIER);
    if (*word != (unsigned)(last - first))
        return 0;
    if (thread == 0)
        r->arrived[t->tile] = 0;
    if (thread >= THREADS)
        return 1;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        sum[i] = __ldcg(all + (2 * first + 1) * size + i * THREADS);
    /* Of few sums several parts are on their way at a time. */
#pragma unroll COUNT <= 2 ? 16 : COUNT <= 8 ? 4 : COUNT <= 32 ? 2 : 1
    for (int64_t block = first + 1; block <= last; block++)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            sum[i] += __ldcg(all + 2 * block * size + i * THREADS);
    return 1;
}
