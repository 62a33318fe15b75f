/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Plans as JSON on standard output, with the terms of their cost and the runner-up: for the program of templates/explain.cu.j2 alone.
   Nanoseconds. */
#pragma once
#include "explain.cuh"

#if MIK_DRAWS

/* Parts of a cost: launches, and of each part the greatest of work, memory and reading, sums that meet; copies of operands. */
typedef struct {
    double launch, work, memory, reading, reduction;
} mik_terms;

/* A part of the output, which mik_say_part() tells of as text; adds its terms, those of twins' work apart. */
static void mik_draw_part(const mik_set *set, const mik_request *q, const mik_plan *plan, int part, mik_terms *terms)
{
    const mik_variant *const v = &set->variants[plan->kernel[part]];
    const int64_t m0 = plan->pattern == 2 && part == 1 ? plan->split : 0, m1 = plan->pattern == 2 && part == 0 ? plan->split : q->p.m;
    const int64_t n0 = plan->pattern == 3 && part == 1 ? plan->split : 0, n1 = plan->pattern == 3 && part == 0 ? plan->split : q->p.n;
    const int64_t tiles = mik_tiles(v, q->p.batch, m1 - m0, n1 - n0), steps = mik_steps(v, q->p.k);
    const int twin = plan->twin >= 0, resident = twin ? mik_resident_twin(&set->twins[plan->twin], &q->d) : mik_resident(v, &q->d);
    const mik_deal deal = mik_deal_out(tiles, steps, plan->blocks[part]);
    const int64_t slots = mik_slots(v, &q->d, resident);
    printf("%s{\"m0\": %lld, \"m1\": %lld, \"n0\": %lld, \"n1\": %lld, \"kernel\": \"%s\", \"tile\": [%d, %d], \"step\": %d",
           part ? ", " : "", (long long)m0, (long long)m1, (long long)n0, (long long)n1, v->name, v->m, v->n, v->k);
    printf(", \"tiles\": %lld, \"steps\": %lld, \"blocks\": %lld, \"share\": %lld, \"parts\": %lld, \"threads\": %d, \"shared\": %d",
           (long long)tiles, (long long)steps, (long long)deal.blocks, (long long)deal.share, (long long)deal.parts, v->threads, v->shared);
    printf(", \"cluster\": %d, \"tensor_maps\": %s, \"resident\": %d, \"slots\": %lld, \"waves\": %lld, \"step_ns\": %.9g}", v->cluster,
           v->tma ? "true" : "false", resident, (long long)slots, (long long)mik_ceil(deal.blocks, slots),
           (mik_block_cost(v, &q->d, resident, 1) - v->rates[q->d.gpu].fixed) * 1e-3);
    terms->launch += twin && part == 1 ? 0 : q->d.launch;
    terms->work += twin ? 0 : mik_waves_cost(v, &q->d, resident, &deal);
    terms->memory += mik_memory_cost(set, &q->d, q->p.batch, m1 - m0, n1 - n0, q->p.k);
    terms->reading += mik_reading_cost(set, v, &q->d, &deal);
    terms->reduction += mik_reduction_cost(set, v, &q->d, &deal);
}

static void mik_draw_plan(const mik_set *set, const mik_request *q, const mik_plan *plan)
{
    static const char *const name[] = {"none", "I: whole", "II: two bands of rows", "III: two bands of columns"};
    const double copies = mik_uses_tma(set, plan) ? q->copying : 0;
    const int two = plan->pattern > 1;
    mik_terms terms = {};
    printf("{\"summary\": \"%s, by %s%s%s\", \"pattern\": %d, \"cost_ns\": %.9g, \"launches\": %d, \"regions\": [", name[plan->pattern],
           set->variants[plan->kernel[0]].name, two ? " and " : "", two ? set->variants[plan->kernel[1]].name : "", plan->pattern,
           plan->cost * 1e-3, two && plan->twin < 0 ? 2 : 1);
    for (int part = 0; part < (two ? 2 : 1); part++)
        mik_draw_part(set, q, plan, part, &terms);
    if (plan->twin >= 0) {
        terms.memory = mik_memory_cost(set, &q->d, q->p.batch, q->p.m, q->p.n, q->p.k);
        terms.work = plan->cost - q->d.launch - copies;
    }
    printf(
        "], \"terms_ns\": {\"launch\": %.9g, \"work\": %.9g, \"memory\": %.9g, \"reading\": %.9g, \"reduction\": %.9g, \"copies\": %.9g}",
        terms.launch * 1e-3, terms.work * 1e-3, terms.memory * 1e-3, terms.reading * 1e-3, terms.reduction * 1e-3, copies * 1e-3);
    printf(", \"workspace\": %lld}", (long long)mik_scratch_bytes(set, plan, q));
}

/* Members of a JSON object about how q would be computed: with operands at aligned addresses and as much scratch memory as it likes. */
static void mik_draw(const mik_set *set, const mik_request *q)
{
    mik_plan best[2], more[2];
    printf(", \"batch\": %lld, \"m\": %lld, \"n\": %lld, \"k\": %lld", (long long)q->p.batch, (long long)q->p.m, (long long)q->p.n,
           (long long)q->p.k);
    if (q->p.batch <= 0 || q->p.m <= 0 || q->p.n <= 0) {
        printf(", \"way\": \"no outputs: nothing to do\"");
        return;
    }
    mik_choose(set, q, 1, best);
    if (best[0].pattern == 0) {
        printf(", \"way\": \"too large for any device\"");
        return;
    }
    printf(", \"plan\": ");
    mik_draw_plan(set, q, &best[0]);
    mik_choose(set, q, 2, more);
    const mik_plan *const next = mik_runner_up(more, &best[0]);
    if (next) {
        printf(", \"runner_up\": ");
        mik_draw_plan(set, q, next);
    }
}
#endif
