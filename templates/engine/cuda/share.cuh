/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What blocks do, and warps of a block, that have parts of the same sums. */
#pragma once
#include "piece.cuh"

/* Loads and stores past the multiprocessor's own cache, of what other blocks read or have stored. __ldcg and __stcg are the same, but
   clang does not have them. */
MIK_DEVICE float mik_load_cg(const float *from)
{
    float x;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(from) : "memory");
    return x;
}
MIK_DEVICE int mik_load_cg(const int *from)
{
    int x;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
}
MIK_DEVICE double mik_load_cg(const double *from)
{
    double x;
    asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(x) : "l"(from) : "memory");
    return x;
}
MIK_DEVICE void mik_store_cg(float *to, float x) { asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(to), "f"(x) : "memory"); }
MIK_DEVICE void mik_store_cg(int *to, int x) { asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(to), "r"(x) : "memory"); }
MIK_DEVICE void mik_store_cg(double *to, double x) { asm volatile("st.global.cg.f64 [%0], %1;" ::"l"(to), "d"(x) : "memory"); }

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

/* The block that has this step of a tile. */
MIK_DEVICE int64_t mik_block_of(const mik_region *r, int64_t tile, int step)
{
    return r->parts > 1 ? tile * r->parts + (unsigned)step / (unsigned)r->share : (tile * r->steps + step) / r->share;
}

/* Blocks that have only a part of a tile's steps leave their sums, COUNT of each of the first THREADS of ALL threads, in
   memory. The last of them to arrive adds up all parts, always in the same order, whatever order they came in: it
   has the tile's sums then, and gets 1. The others are done with the tile. SLICES groups of THREADS threads have a run of
   parts each. All these threads call this, with shared memory that nobody uses, for as many sums as all slices but one have, and a word. */
template <int COUNT, int THREADS, int SLICES, int ALL, int BARRIER, typename T>
MIK_DEVICE int mik_add_parts(T *sum, void *room, const mik_region *r, const mik_piece *t, int thread)
{
    constexpr int FLIGHT = COUNT <= 2 ? 16 : COUNT <= 8 ? 4 : COUNT <= 32 ? 2 : 1; /* parts whose sums are on their way at a time */
    const int64_t first = mik_block_of(r, t->tile, 0), last = mik_block_of(r, t->tile, (int)r->steps - 1);
    const int64_t size = (int64_t)COUNT * THREADS;
    /* The first part of a tile is the last piece of its block, the others are the first pieces of theirs. */
    const int64_t place = t->step == 0 ? 2 * first + 1 : 2 * mik_block_of(r, t->tile, t->step);
    unsigned *const word = (unsigned *)room;
    T *const all = (T *)r->partial + thread % THREADS;
    if (thread < THREADS)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            mik_store_cg(all + place * size + i * THREADS, sum[i]);
    mik_sync<ALL>(BARRIER);
    if (thread == 0) /* speaks for all */
        *word = mik_arrive(r->arrived + t->tile);
    mik_sync<ALL>(BARRIER);
    if (*word != (unsigned)(last - first))
        return 0;
    if (thread == 0)
        r->arrived[t->tile] = 0;
    if (thread >= THREADS * SLICES)
        return 1;
    const int64_t run = (last - first + SLICES) / SLICES, from = first + thread / THREADS * run;
    const T *part = all + 2 * from * size;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        sum[i] = thread < THREADS ? mik_load_cg(part + size + i * THREADS) : 0;
    int64_t left = (from + run <= last ? run : last + 1 - from) - (thread < THREADS);
    part += thread < THREADS ? 2 * size : 0;
#pragma unroll FLIGHT
    for (; left > 0; left--, part += 2 * size)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            sum[i] += mik_load_cg(part + i * THREADS);
    if constexpr (SLICES > 1) {
        mik_sync<ALL>(BARRIER); /* all have read the word */
        mik_add_slices<COUNT, THREADS, SLICES>(sum, (T *)room);
    }
    return 1;
}
