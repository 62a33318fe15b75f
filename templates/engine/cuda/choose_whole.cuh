/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Plans of one kernel for the whole output. */
#pragma once
#include "cost.cuh"

/* More than any device has memory for, or will compute in a day: counts of tiles and steps fit 63 bits below that. */
static int mik_is_too_large(const mik_problem *p)
{
    const double outputs = (double)p->batch * (double)p->m * (double)p->n;
    return outputs > 1e18 || outputs * (double)p->k > 5e19;
}

/* Enters a plan into the best two. */
static void mik_enter(mik_plan best[2], const mik_plan *plan)
{
    if (plan->cost >= best[1].cost)
        return;
    if (plan->cost < best[0].cost) {
        best[1] = best[0];
        best[0] = *plan;
    } else {
        best[1] = *plan;
    }
}

/* Can the kernel read these operands? */
static int mik_reads(const mik_variant *v, const mik_request *q)
{
    return v->tma ? q->tma && (q->copies == 0 || q->scratch >= MIK_ARRIVED + q->copies) : v->align <= q->align;
}

/* Blocks count steps in 31 bits, where they split them those of all. */
static int mik_counts(const mik_variant *v, int64_t k) { return mik_steps(v, k) < 0x7fffff00 / (v->split_k ? v->cluster : 1); }

static int mik_usable(const mik_variant *v, const mik_request *q)
{
    return mik_reads(v, q) && mik_resident(v, &q->d) > 0 && mik_counts(v, q->p.k);
}

/* Do its blocks, or clusters, share tiles? Those that take turns, or split k already, do not. */
static int mik_shares(const mik_variant *v) { return v->turns == 1 && !v->split_k; }

/* Can `blocks` blocks share out the region's steps, with the memory there is? */
static int mik_can_share(const mik_set *set, const mik_variant *v, const mik_request *q, int64_t tiles, int64_t steps, int64_t blocks)
{
    if (blocks == 0)
        return 1;
    return blocks > 0 && mik_shares(v) && tiles * v->cluster <= MIK_SPLIT_TILES && blocks <= tiles * steps && blocks < 1 << 24 &&
           (int64_t)q->scratch >= MIK_ARRIVED + (v->tma ? (int64_t)q->copies : 0) + mik_partial_bytes(set, v, blocks);
}

/* A micro-kernel under consideration: what covering the whole output with it takes. */
typedef struct {
    int kernel, resident;
    int64_t tiles, steps, slots; /* slots: blocks that run at a time */
    double full, work, copying;  /* picoseconds: a tile on a full multiprocessor; copies of operands, and with them all tiles if
                                    no slot were ever idle */
} mik_candidate;

static int mik_consider(const mik_set *set, const mik_request *q, mik_candidate *out)
{
    int n = 0;
    for (int i = 0; i < set->count; i++) {
        const mik_variant *const v = &set->variants[i];
        mik_candidate *const c = &out[n];
        if (!mik_reads(v, q))
            continue;
        c->resident = mik_resident(v, &q->d);
        c->steps = mik_steps(v, q->p.k);
        if (c->resident == 0 || !mik_counts(v, q->p.k))
            continue;
        c->kernel = i;
        c->tiles = mik_tiles(v, q->p.batch, q->p.m, q->p.n);
        c->slots = mik_slots(v, &q->d, c->resident);
        c->full = mik_wave_cost(v, &q->d, c->resident, c->steps);
        c->copying = v->tma ? q->copying : 0;
        c->work = (double)c->tiles * c->full / (double)c->slots + c->copying;
        n++;
    }
    return n;
}

/* So many blocks may share out the steps of c's tiles, 0: none. As many as there is room for, in parts of tiles (split-K); fewer, where
   the parts would take longer to add up than to compute; where tiles are just more than there is room for at a time, two for each; an
   even share of all steps for each slot (stream-K). */
static void mik_divisions(const mik_set *set, const mik_request *q, const mik_candidate *c, int64_t blocks[3])
{
    const mik_variant *const v = &set->variants[c->kernel];
    const int64_t room = mik_floor(c->slots, c->tiles);
    blocks[0] = room > 0 ? room * c->tiles : c->tiles < 2 * c->slots ? 2 * c->tiles : 0;
    blocks[1] = c->slots;
    blocks[2] = 0;
    if (room > 2) {
        const double steps = mik_block_cost(v, &q->d, 1, c->steps) - v->rates[q->d.gpu].fixed,
                     part = mik_part_cost(set, v, &q->d) + (double)c->tiles * v->m * v->n * set->sum_bytes / q->d.bandwidth,
                     few = sqrt(steps / part);
        blocks[2] = few >= 2 && few < (double)room ? (int64_t)few * c->tiles : 0;
    }
}

/* The whole output by one kernel: a block for each tile; where that leaves multiprocessors idle, some that share tiles. */
static void mik_choose_whole(const mik_set *set, const mik_request *q, const mik_candidate *c, double memory, int keep, mik_plan best[2])
{
    const mik_variant *const v = &set->variants[c->kernel];
    const mik_deal whole = mik_deal_out(c->tiles, c->steps, 0);
    mik_plan plan = {1, {c->kernel, c->kernel}, -1, 0, {0, 0}, 0};
    const double work = v->turns == 1 && mik_floor(c->tiles, c->slots) * c->slots == c->tiles
                            ? c->work
                            : c->copying + mik_waves_cost(v, &q->d, c->resident, &whole);
    plan.cost = q->d.launch + mik_larger(work, memory);
    mik_enter(best, &plan);
    if (c->tiles > 4 * c->slots || work <= memory || !mik_shares(v))
        return;
    const mik_rates *const g = &v->rates[q->d.gpu];
    const int64_t steps = c->tiles * c->steps;
    const double all = (double)steps * mik_larger(g->step, g->alone), start = q->d.launch + c->copying + g->fixed;
    int64_t blocks[3], before = c->steps;
    mik_divisions(set, q, c, blocks);
    for (int j = 0; j < 3; j++) {
        /* What a share takes at least, and to meet, before anything that is divided is looked at. */
        const double least = start + (blocks[j] > c->tiles ? mik_gpus[q->d.gpu].reduction : 0);
        if (blocks[j] == 0 || all >= (best[keep - 1].cost - least) * (double)blocks[j])
            continue;
        const mik_deal deal = mik_deal_out(c->tiles, c->steps, blocks[j] < steps ? blocks[j] : steps);
        if (deal.share == before || !mik_can_share(set, v, q, c->tiles, c->steps, deal.blocks))
            continue;
        before = deal.share;
        plan.blocks[0] = deal.blocks;
        plan.cost = c->copying + mik_deal_cost(set, v, &q->d, &deal, memory);
        mik_enter(best, &plan);
    }
}
