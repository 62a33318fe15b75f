/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A plan, what the choice of one depends on, and what it takes: steps, tiles, memory. */
#pragma once
#include "devices.cuh"

/* The output whole (pattern 1, by kernel[0]) or cut before row (2) or column (3) `split`: kernel[0] takes the
   first part, kernel[1] the rest. blocks[i]: how many blocks share out the steps of part i evenly; 0: one for each
   tile. twin: the kernel that does both parts in one launch, less than 0: there is none, they are two launches. */
typedef struct {
    int pattern, kernel[2], twin;
    int64_t split, blocks[2];
    double cost; /* picoseconds */
} mik_plan;

/* What the choice depends on besides the kernels. */
typedef struct {
    mik_device d;
    mik_problem p;
    int align;      /* bytes to which A and B are aligned, 16 at most */
    int tma;        /* tensor maps can describe them, or copies of them, and the device has kernels that read these */
    size_t copies;  /* bytes of scratch memory for such copies */
    double copying; /* what it costs to make them, in picoseconds */
    size_t scratch; /* bytes of memory for partial sums */
} mik_request;

/* options.pattern: groups of products, or attention, as one launch each, and all others as if it were 0. */
enum { MIK_GROUPED = 4, MIK_ATTENTION = 5 };

enum {
    MIK_SPLIT_TILES = 4096,               /* so many tiles at most are shared by blocks */
    MIK_ARRIVED = MIK_SPLIT_TILES * 4     /* bytes at the start of the workspace that count who has arrived */
};

/* Quotients of numbers that are not negative: of 32 bits several times as fast. */
static int64_t mik_floor(int64_t x, int64_t y)
{
    return (uint64_t)x <= UINT32_MAX && (uint64_t)y <= UINT32_MAX ? (uint32_t)x / (uint32_t)y : x / y;
}

static int64_t mik_ceil(int64_t x, int64_t y)
{
    const int64_t floor = mik_floor(x, y);
    return floor + (floor * y != x);
}

static double mik_larger(double x, double y) { return x > y ? x : y; }

/* One block (a cluster's) of so many steps when r of them share a multiprocessor: g(steps) = fixed + steps * max(r * step, alone). */
static double mik_block_cost(const mik_variant *v, const mik_device *d, int64_t r, int64_t steps)
{
    const mik_rates *const g = &v->rates[d->gpu];
    return g->fixed + (double)steps * mik_larger((double)r * g->step, g->alone);
}

/* A full wave of tiles, when another one follows it: where a block's two warpgroups take turns, one may begin that while the other finishes. */
static double mik_wave_cost(const mik_variant *v, const mik_device *d, int64_t resident, int64_t steps)
{
    const double wave = mik_block_cost(v, d, resident, steps), fixed = v->rates[d->gpu].fixed, rest = wave - fixed;
    return v->turns == 1 ? wave : mik_larger(rest, fixed + 0.5 * rest);
}

static int64_t mik_steps(const mik_variant *v, int64_t k) { return k > 0 ? mik_ceil(k, v->k) : 1; }

static int64_t mik_tiles(const mik_variant *v, int64_t batch, int64_t m, int64_t n)
{
    return batch * mik_ceil(m, v->m) * mik_ceil(n, v->n);
}

/* Bytes of partial sums. */
static int64_t mik_partial_bytes(const mik_set *set, const mik_variant *v, int64_t blocks)
{
    return 2 * blocks * v->m * v->n * set->sum_bytes;
}

/* How many blocks have a region's tiles, and each how many steps of k at most. parts: of each tile, a block each, where they are a multiple
   of the tiles; 1: whole tiles; 0: an even share of all steps, tile after tile, whatever it begins and ends with. */
typedef struct {
    int64_t tiles, steps, blocks, share, parts;
} mik_deal;

/* For `blocks` blocks; 0: one for each tile. */
static mik_deal mik_deal_out(int64_t tiles, int64_t steps, int64_t blocks)
{
    mik_deal deal = {tiles, steps, tiles, steps, 1};
    if (blocks <= 0 || tiles <= 0 || blocks == tiles)
        return deal;
    deal.parts = mik_floor(blocks, tiles);
    deal.parts = deal.parts * tiles == blocks && deal.parts <= steps ? deal.parts : 0;
    deal.share = deal.parts > 0 ? mik_ceil(steps, deal.parts) : mik_ceil(tiles * steps, blocks);
    deal.parts = deal.parts > 0 ? mik_ceil(steps, deal.share) : 0; /* none is empty */
    deal.blocks = deal.parts > 0 ? tiles * deal.parts : mik_ceil(tiles * steps, deal.share);
    return deal;
}

/* Have blocks parts of tiles? */
static int mik_meets(const mik_deal *deal) { return deal->share % deal->steps != 0; }

#if MIK_PLAIN
/* Is one of its kernels of those that read through tensor maps? */
static int mik_uses_tma(const mik_set *set, const mik_plan *plan)
{
    return (plan->pattern > 0 && set->variants[plan->kernel[0]].tma) || (plan->pattern > 1 && set->variants[plan->kernel[1]].tma);
}
#endif

#if MIK_ASKED
/* Bytes of scratch memory that a plan takes. */
static size_t mik_scratch_bytes(const mik_set *set, const mik_plan *plan, const mik_request *q)
{
    int64_t most = 0;
    for (int i = 0; i < (plan->pattern > 1 ? 2 : plan->pattern); i++) {
        const int64_t bytes = mik_partial_bytes(set, &set->variants[plan->kernel[i]], plan->blocks[i]);
        most = most < bytes ? bytes : most;
    }
    most += mik_uses_tma(set, plan) ? (int64_t)q->copies : 0;
    return most > 0 ? (size_t)(MIK_ARRIVED + most) : 0;
}

#endif
