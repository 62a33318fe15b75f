/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The search for the cheapest plan, by branch and bound, with a cap. */
#pragma once
#include "choose_cut.cuh"

/* The cheapest plan and, where `keep` is 2, its runner-up, which takes longer; pattern 0 stands for none: no kernel runs, or the
   problem is too large. Cuts are tried when the best plan for the whole is further than a launch from what the machine could
   do at best. */
static void mik_choose(const mik_set *set, const mik_request *q, int keep, mik_plan best[2])
{
    mik_candidate all[MIK_KERNELS];
    const int count = mik_is_too_large(&q->p) ? 0 : mik_consider(set, q, all);
    const double memory = mik_memory_cost(set, &q->d, q->p.batch, q->p.m, q->p.n, q->p.k);
    double least = 1e300;
    int budget = 24;
    best[0] = best[1] = mik_plan{0, {0, 0}, -1, 0, {0, 0}, 1e300};
    for (int i = 0; i < count; i++)
        least = all[i].work < least ? all[i].work : least;
    for (int i = 0; i < count; i++)
        if (q->d.launch + mik_larger(all[i].work, memory) < best[keep - 1].cost)
            mik_choose_whole(set, q, &all[i], memory, keep, best);
    if (best[0].cost <= mik_larger(least, memory) + 1.2 * q->d.launch)
        return;
    for (int pattern = 2; pattern <= 3; pattern++)
        for (int i = 0; i < count; i++)
            if (all[i].work + q->d.launch < best[keep - 1].cost && all[i].tiles > all[i].slots)
                mik_cut(set, q, all, count, pattern, i, least, &budget, keep, best);
}

/* Is a plan that the caller forces one that can run? It must name kernels that the device and the operands allow, a cut inside
   the output, and no more sharing than there is memory for. Finds its twin. */
static int mik_plan_fits(mik_plan *plan, const mik_set *set, const mik_request *q)
{
    const int64_t extent = plan->pattern == 2 ? q->p.m : q->p.n;
    const int parts = plan->pattern == 1 ? 1 : 2;
    if (mik_is_too_large(&q->p) || plan->pattern < 1 || plan->pattern > 3 || (parts == 2 && (plan->split <= 0 || plan->split >= extent)))
        return 0;
    for (int i = 0; i < parts; i++) {
        if (plan->kernel[i] < 0 || plan->kernel[i] >= set->count || !mik_usable(&set->variants[plan->kernel[i]], q))
            return 0;
        const mik_variant *const v = &set->variants[plan->kernel[i]];
        if (v->align > 1 && plan->split % 16 != 0)
            return 0;
        const int64_t m = plan->pattern != 2 ? q->p.m : i == 0 ? plan->split : q->p.m - plan->split;
        const int64_t n = plan->pattern != 3 ? q->p.n : i == 0 ? plan->split : q->p.n - plan->split;
        if (!mik_can_share(set, v, q, mik_tiles(v, q->p.batch, m, n), mik_steps(v, q->p.k), plan->blocks[i]))
            return 0;
    }
    plan->twin = parts == 2 && plan->blocks[0] == 0 && plan->blocks[1] == 0 ? mik_find_twin(set, &q->d, plan->kernel[0], plan->kernel[1])
                                                                            : -1;
    return 1;
}
