/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Plans that cut the output in two. */
#pragma once
#include "choose_whole.cuh"

/* The twin that does kernel i, then kernel j; -1: there is none. */
static int mik_find_twin(const mik_set *set, const mik_device *d, int i, int j)
{
    for (int t = 0; t < set->twin_count; t++)
        if (set->twins[t].first == i && set->twins[t].second == j && set->twins[t].shared <= d->shared_block)
            return t;
    return -1;
}

/* Two parts, in one launch or in two. */
static double mik_two_cost(const mik_set *set, const mik_request *q, const mik_plan *plan)
{
    const mik_variant *const v = &set->variants[plan->kernel[0]], *const u = &set->variants[plan->kernel[1]];
    const int64_t batch = q->p.batch, cut = plan->split;
    const int64_t m1 = plan->pattern == 2 ? cut : q->p.m, n1 = plan->pattern == 2 ? q->p.n : cut;
    const int64_t m2 = plan->pattern == 2 ? q->p.m - cut : q->p.m, n2 = plan->pattern == 2 ? q->p.n : q->p.n - cut;
    if (plan->twin < 0)
        return mik_cost(set, v, &q->d, batch, m1, n1, q->p.k, 0) + mik_cost(set, u, &q->d, batch, m2, n2, q->p.k, 0) +
               (v->tma || u->tma ? q->copying : 0);
    const mik_twin *const t = &set->twins[plan->twin];
    const int resident = mik_resident_twin(t, &q->d);
    const double cost1 = mik_block_cost(v, &q->d, resident, mik_steps(v, q->p.k));
    const double cost2 = mik_block_cost(u, &q->d, resident, mik_steps(u, q->p.k));
    const double work = mik_makespan(cost1, mik_tiles(v, batch, m1, n1), cost2, mik_tiles(u, batch, m2, n2), mik_slots(v, &q->d, resident),
                                     v->tma) +
                        (v->tma ? q->copying : 0);
    return q->d.launch + mik_larger(work, mik_memory_cost(set, &q->d, batch, q->p.m, q->p.n, q->p.k));
}

/* Cuts the output after as many whole rows (columns) of tiles of kernel i as fill its last, or last but one,
   full wave, and gives the rest to another kernel. A first part that, with the least that any kernel takes for the rest, costs
   more than the best so far is dropped. */
static void mik_cut(const mik_set *set, const mik_request *q, const mik_candidate *all, int count, int pattern, int i, double least,
                    int *budget, int keep, mik_plan best[2])
{
    const mik_candidate *const c = &all[i];
    const mik_variant *const v = &set->variants[c->kernel];
    const mik_problem *const p = &q->p;
    const int64_t side = pattern == 2 ? v->m : v->n, extent = pattern == 2 ? p->m : p->n;
    const int64_t across = c->tiles / mik_ceil(extent, side), waves = c->tiles / c->slots;
    for (int64_t w = waves; w > 0 && w > waves - 2; w--) {
        const int64_t cut = w * c->slots / across * side;
        if (cut == 0 || cut >= extent)
            continue;
        const double rest = least * (double)(extent - cut) / (double)extent, start = (double)w * c->full + q->d.launch;
        if (start + rest >= best[keep - 1].cost)
            continue;
        for (int j = 0; j < count && *budget > 0; j++) {
            const double both = start + all[j].work * (double)(extent - cut) / (double)extent;
            if (j == i || both >= best[keep - 1].cost)
                continue;
            mik_plan plan = {pattern, {c->kernel, all[j].kernel}, mik_find_twin(set, &q->d, c->kernel, all[j].kernel), cut, {0, 0}, 0};
            if (plan.twin < 0 && both + q->d.launch >= best[keep - 1].cost)
                continue;
            --*budget;
            plan.cost = mik_two_cost(set, q, &plan);
            mik_enter(best, &plan);
        }
    }
}
