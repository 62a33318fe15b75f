/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a plan costs: MikPoly's performance model, with makespans in place of whole waves, a bandwidth term, and a term for sums
   that meet between blocks. */
#pragma once
#include "plan.cuh"

/* Measured on an H200, over 1132 products with a split-K reduction: picoseconds that one more part of a tile takes at least; how much faster than
   memory is what blocks read that are out of step, from the second level cache or not. */
enum { MIK_PART = 50000 };
static const double mik_out_of_step = 1.2;

/* What a part of a tile takes whoever adds up all of them. */
static double mik_part_cost(const mik_set *set, const mik_variant *v, const mik_device *d)
{
    return mik_larger((double)v->m * v->n / v->cluster * set->sum_bytes * mik_gpus[d->gpu].partial, MIK_PART);
}

/* What it takes that blocks leave their sums for each other and one of them adds up those of a tile; all do so at about the same
   time, and a second level cache is about twice as fast as memory. */
static double mik_reduction_cost(const mik_set *set, const mik_variant *v, const mik_device *d, const mik_deal *deal)
{
    const double bytes = (double)v->m * v->n / v->cluster * set->sum_bytes; /* of one block */
    const int64_t parts = deal->parts > 0 ? deal->parts : mik_ceil(deal->steps, deal->share), left = deal->parts > 0 ? 1 : 2;
    if (!mik_meets(deal))
        return 0;
    return mik_gpus[d->gpu].reduction + (double)(2 + parts) * mik_part_cost(set, v, d) +
           (double)(left * deal->blocks * v->cluster) * bytes / d->bandwidth;
}

/* What blocks take to read their factors where each begins at a step of its own: nobody else reads the same at the same time. Blocks that go
   in step, all from the start of a tile, or of a part, share what they read. */
static double mik_reading_cost(const mik_set *set, const mik_variant *v, const mik_device *d, const mik_deal *deal)
{
    if (deal->parts > 0 || !mik_meets(deal))
        return 0;
    return (double)(deal->tiles * deal->steps) * v->k * (v->m * set->a_bytes + v->n * set->b_bytes) / (mik_out_of_step * d->bandwidth);
}

/* Full waves of blocks (or clusters), then what is left, spread over the multiprocessors. Blocks whose share is more than a tile
   start and end each of its tiles. */
static double mik_waves_cost(const mik_variant *v, const mik_device *d, int resident, const mik_deal *deal)
{
    const int64_t slots = mik_slots(v, d, resident), waves = deal->blocks / slots,
                  rest = mik_ceil(deal->blocks - waves * slots, mik_slots(v, d, 1)), share = deal->share;
    const double wave = mik_wave_cost(v, d, resident, share), end = mik_block_cost(v, d, rest > 0 ? rest : resident, share);
    const double more = share > deal->steps ? (double)(waves + (rest > 0)) * (double)((share - 1) / deal->steps) * v->rates[d->gpu].fixed
                                            : 0;
    return (double)waves * wave + (rest > 0 ? end : end - wave) + more;
}

/* The least that memory allows: every operand is read once and the output written. */
static double mik_memory_cost(const mik_set *set, const mik_device *d, int64_t batch, int64_t m, int64_t n, int64_t k)
{
    const double a = (double)m * k * set->a_bytes, b = (double)n * k * set->b_bytes, c = (double)m * n * set->c_bytes;
    return (double)batch * (a + b + c) / d->bandwidth;
}

/* One launch of one kernel, of which memory takes so much. */
static double mik_deal_cost(const mik_set *set, const mik_variant *v, const mik_device *d, const mik_deal *deal, double memory)
{
    const double work = mik_waves_cost(v, d, mik_resident(v, d), deal);
    return d->launch + mik_larger(work, mik_larger(memory, mik_reading_cost(set, v, d, deal))) + mik_reduction_cost(set, v, d, deal);
}

#if MIK_PLAIN
static double mik_cost(const mik_set *set, const mik_variant *v, const mik_device *d, int64_t batch, int64_t m, int64_t n, int64_t k,
                       int64_t blocks)
{
    const mik_deal deal = mik_deal_out(mik_tiles(v, batch, m, n), mik_steps(v, k), blocks);
    return mik_deal_cost(set, v, d, &deal, mik_memory_cost(set, d, batch, m, n, k));
}

/* One launch of twins: n1 blocks of the first kernel, then n2 of the second, `slots` at a time. The last wave of the first leaves
   some slots free a block's time early: where each block starts when one before has ended, they are ahead by as many of the second
   kernel's as fit into that time; where blocks have their tiles dealt out in turn, by one. */
static double mik_makespan(double cost1, int64_t n1, double cost2, int64_t n2, int64_t slots, int dealt)
{
    const int64_t waves = n1 / slots, late = n1 - waves * slots, early = slots - late;
    const double start = (double)waves * cost1, start_late = late > 0 ? start + cost1 : start;
    const int64_t lead = late == 0 ? 0 : dealt ? 1 : (int64_t)(cost1 / cost2), ahead = lead * early;
    if (n2 <= ahead)
        return mik_larger(start_late, start + (double)mik_ceil(n2, early) * cost2);
    const int64_t rounds = (n2 - ahead) / slots, rest = (n2 - ahead) % slots;
    const double end_early = start + (double)(lead + rounds + (rest > 0)) * cost2;
    const double end_late = start_late + (double)(rounds + (rest > early)) * cost2;
    return mik_larger(end_early, end_late);
}
#endif
