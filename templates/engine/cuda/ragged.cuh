/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Ragged batches: the products of a loop's iterations, of which memory holds the extents, in one launch. Its blocks stay, walk the iterations,
   and take every so-manyth tile of all of them. */
#pragma once
#include "piece.cuh"

/* What a block computes, in shared memory behind the tile's own, since registers are few: the arguments as one iteration has them and its
   product; how many tiles those before `base` have, and those before and each of the 32 from there on. */
template <class Args> struct mik_turn {
    Args args;
    mik_work work;
    int64_t iteration, base, before, end[32];
    bool aligned; /* its operands are */
};

/* Do the iterations' outputs follow one another, so that they may run in any order? Each warp looks at all of them. */
template <class Batch> MIK_DEVICE bool mik_are_in_order(const typename Batch::args &args, int64_t count)
{
    const int lane = (int)threadIdx.x % 32;
    int64_t reached = INT64_MIN;
#pragma unroll 1
    for (int64_t base = 0; base < count; base += 32) {
        int64_t first = 0, end = 0;
        if (base + lane < count) {
            typename Batch::args own = args;
            Batch::group(&own, base + lane, &first, &end);
        }
        int64_t most = end > first ? end : INT64_MIN;
#pragma unroll
        for (int far = 1; far < 32; far *= 2) {
            const int64_t other = __shfl_up_sync(0xffffffffu, most, far);
            most = lane >= far && other > most ? other : most;
        }
        const int64_t before = __shfl_up_sync(0xffffffffu, most, 1), least = lane > 0 && before > reached ? before : reached;
        if (__any_sync(0xffffffffu, end > first && first < least))
            return false;
        const int64_t last = __shfl_sync(0xffffffffu, most, 31);
        reached = last > reached ? last : reached;
    }
    return true;
}

/* How many tiles of UM x UN a product has. */
template <int UM, int UN> MIK_DEVICE int64_t mik_tiles_in(const mik_problem *p)
{
    return p->batch > 0 && p->m > 0 && p->n > 0 ? p->batch * ((p->m + UM - 1) / UM) * ((p->n + UN - 1) / UN) : 0;
}

/* One warp: the tiles of 32 iterations from `base` on. */
template <class Product, int UM, int UN>
MIK_DEVICE void mik_count_tiles(const typename Product::args &args, int64_t base, int64_t count, mik_turn<typename Product::args> *turn)
{
    const int lane = (int)threadIdx.x % 32;
    const int64_t before = base > 0 ? turn->end[31] : 0;
    int64_t tiles = 0;
    if (base + lane < count) {
        typename Product::args own = args;
        mik_problem p;
        int64_t first, end;
        Product::group(&own, base + lane, &first, &end);
        Product::problem(&own, &p);
        tiles = mik_tiles_in<UM, UN>(&p);
    }
#pragma unroll
    for (int far = 1; far < 32; far *= 2) {
        const int64_t other = __shfl_up_sync(0xffffffffu, tiles, far);
        tiles += lane >= far ? other : 0;
    }
    __syncwarp();
    turn->end[lane] = before + tiles;
    if (lane == 0) {
        turn->base = base;
        turn->before = before;
    }
}

/* One thread: the product of an iteration, as tiles of UM x UN by UK steps. */
template <class Product, int UM, int UN, int UK> MIK_DEVICE void mik_begin_turn(mik_turn<typename Product::args> *turn, int64_t iteration)
{
    int64_t first, end;
    mik_region *const r = &turn->work.region[0];
    const mik_problem *const p = &turn->work.p;
    Product::group(&turn->args, iteration, &first, &end);
    Product::problem(&turn->args, &turn->work.p);
    turn->iteration = iteration;
    turn->aligned = Product::is_aligned(&turn->args, p);
    r->b0 = r->m0 = r->n0 = 0;
    r->m1 = p->m;
    r->n1 = p->n;
    r->m_tiles = (p->m + UM - 1) / UM;
    r->n_tiles = (p->n + UN - 1) / UN;
    r->tiles = r->blocks = p->batch * r->m_tiles * r->n_tiles;
    r->parts = 1;
    r->missing = 0;
    r->steps = r->share = p->k > 0 ? (p->k + UK - 1) / UK : 1;
}

/* A block's tiles of all iterations. Where these may not run in any order the first block has all tiles, one after the other; none has any where
   other products come between them (ragged_turns.cuh). Any: the tile of operands that are not aligned; SHARED: bytes that it needs. */
template <class Product, class Tile, class Any, int UM, int UN, int UK, int SHARED>
MIK_DEVICE void mik_run_ragged(const typename Product::args &args)
{
    extern __shared__ __align__(128) char mik_shared[];
    mik_turn<typename Product::args> *const turn = (mik_turn<typename Product::args> *)(mik_shared + SHARED);
    const int64_t count = Product::count(&args);
    const bool any_order = !Product::ORDERED || mik_are_in_order<Product>(args, count);
    if (!any_order && (!Product::ALONE || blockIdx.x > 0))
        return;
    int64_t next = any_order ? blockIdx.x : 0;
    const unsigned apart = any_order ? gridDim.x : 1;
    if (threadIdx.x == 0) {
        turn->args = args;
        turn->iteration = -1;
    }
#pragma unroll 1
    for (int64_t base = 0; base < count; base = turn->base + 32) {
        __syncthreads();
        if (threadIdx.x < 32)
            mik_count_tiles<Product, UM, UN>(args, base, count, turn);
        __syncthreads();
#pragma unroll 1
        while (next < turn->end[31]) {
            const int past = __popc(__ballot_sync(0xffffffffu, turn->end[threadIdx.x % 32] <= next));
            const int64_t tile = next - (past > 0 ? turn->end[past - 1] : turn->before);
            if (turn->iteration != turn->base + past) {
                __syncthreads();
                if (threadIdx.x == 0)
                    mik_begin_turn<Product, UM, UN, UK>(turn, turn->base + past);
                __syncthreads();
            }
            mik_span span;
            span.at = tile * turn->work.region[0].steps;
            span.end = span.at + turn->work.region[0].steps;
            if (!Product::ALIGNS || turn->aligned)
                Tile::piece(&turn->args, &turn->work, &turn->work.region[0], &span, mik_shared);
            else
                Any::piece(&turn->args, &turn->work, &turn->work.region[0], &span, mik_shared);
            next += apart;
        }
    }
}
