/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What would run, as text. */
#pragma once
#include "advise.cuh"

/* One part of the output: its kernel and the terms of its cost. */
static void mik_say_part(mik_text *text, const mik_set *set, const mik_request *q, const mik_plan *plan, int part)
{
    static const char *const along[] = {"", "all", "rows", "columns"};
    const mik_variant *const v = &set->variants[plan->kernel[part]];
    const int64_t extent = plan->pattern == 2 ? q->p.m : q->p.n;
    const int64_t from = part == 0 ? 0 : plan->split, to = plan->pattern > 1 && part == 0 ? plan->split : extent;
    const int64_t m = plan->pattern == 2 ? to - from : q->p.m, n = plan->pattern == 3 ? to - from : q->p.n;
    const int64_t tiles = mik_tiles(v, q->p.batch, m, n), steps = mik_steps(v, q->p.k);
    const mik_deal deal = mik_deal_out(tiles, steps, plan->blocks[part]);
    mik_say(text, "    %s", along[plan->pattern]);
    if (plan->pattern > 1)
        mik_say(text, " %lld to %lld", (long long)from, (long long)to - 1);
    mik_say(text, ": %s, %lld tiles of %lld steps", v->name, (long long)tiles, (long long)steps);
    if (deal.share != steps)
        mik_say(text, ", %lld blocks of %lld steps", (long long)deal.blocks, (long long)deal.share);
    if (mik_meets(&deal))
        mik_say(text, ", whose split-K reduction takes %.1f us", mik_reduction_cost(set, v, &q->d, &deal) * 1e-6);
    if (mik_reading_cost(set, v, &q->d, &deal) > 0)
        mik_say(text, ", which read for themselves in %.1f us", mik_reading_cost(set, v, &q->d, &deal) * 1e-6);
    if (v->split_k)
        mik_say(text, ", k split among %d blocks, whose split-K reduction takes %.1f us", v->cluster, v->exchange * 1e-6);
    mik_say(text, ", %d at a time, %.3f us a step: %.1f us of work, %.1f of memory\n", (int)mik_slots(v, &q->d, mik_resident(v, &q->d)),
            (mik_block_cost(v, &q->d, mik_resident(v, &q->d), 1) - v->rates[q->d.gpu].fixed) * 1e-6,
            mik_waves_cost(v, &q->d, mik_resident(v, &q->d), &deal) * 1e-6, mik_memory_cost(set, &q->d, q->p.batch, m, n, q->p.k) * 1e-6);
}

static void mik_say_plan(mik_text *text, const char *head, const mik_plan *plan, const mik_set *set, const mik_request *q)
{
    static const char *const name[] = {"none", "I", "II", "III"};
    mik_say(text, "  %s: pattern %s", head, name[plan->pattern]);
    if (plan->pattern != 0)
        mik_say(text, ", %.1f us%s", plan->cost * 1e-6, plan->pattern == 1 || plan->twin >= 0 ? " in one launch" : " in two launches");
    if (mik_uses_tma(set, plan) && q->copies > 0)
        mik_say(text, ", after copies of operands into aligned lines, %.1f us", q->copying * 1e-6);
    mik_say(text, "\n");
    for (int part = 0; part < (plan->pattern > 1 ? 2 : plan->pattern); part++)
        mik_say_part(text, set, q, plan, part);
}

/* How often a call computes a contraction that stands in loops; -1: more than its integers decides that. varies: its extents change. */
typedef struct {
    double times;
    int varies;
} mik_repeats;

static void mik_say_repeats(mik_text *text, const mik_repeats *repeats, double cost)
{
    if (repeats->times < 0)
        mik_say(text, "  repeated: as often as loops around it run, which its extents alone do not tell");
    else
        mik_say(text, "  repeated: %.0f times, by loops around it", repeats->times);
    if (repeats->varies)
        mik_say(text, "; its extents change on the way");
    else if (repeats->times >= 0)
        mik_say(text, "; cost of all: %.1f us", repeats->times * cost * 1e-6);
    mik_say(text, "\n");
}

/* Do two plans launch the same? */
static int mik_is_plan(const mik_plan *plan, const mik_plan *other)
{
    const int parts = plan->pattern > 1 ? 2 : plan->pattern;
    int same = plan->pattern == other->pattern && (parts < 2 || plan->split == other->split);
    for (int i = 0; i < parts; i++)
        same = same && plan->kernel[i] == other->kernel[i] && plan->blocks[i] == other->blocks[i];
    return same;
}

/* Of the best two plans that a wider search has found, the one that is not the choice and takes no less; NULL: there is none. */
static const mik_plan *mik_runner_up(const mik_plan more[2], const mik_plan *choice)
{
    for (int i = 0; i < 2; i++)
        if (more[i].pattern != 0 && more[i].cost >= choice->cost && !mik_is_plan(&more[i], choice))
            return &more[i];
    return NULL;
}

/* What would run with operands at aligned addresses and as much scratch memory as it likes, the terms of its modelled cost, the
   runner-up, and what would be faster. `note` tells of the device; repeats: NULL where it stands in no loop. Returns the length of the whole
   text; writes at most size bytes, a terminating zero among them. */
static int mik_explain(const mik_set *set, const mik_request *q, const char *note, const mik_repeats *repeats, char *buf, size_t size)
{
    mik_plan best[2], more[2];
    mik_text text = {buf, size, 0};
    mik_say(&text, "%s: batch %lld, m %lld, n %lld, k %lld on %d multiprocessors of sm_%d%s\n", set->what, (long long)q->p.batch,
            (long long)q->p.m, (long long)q->p.n, (long long)q->p.k, q->d.sms, q->d.cc, note);
    if (q->p.batch <= 0 || q->p.m <= 0 || q->p.n <= 0) {
        mik_say(&text, "  nothing to do\n");
        return (int)text.length;
    }
    if (mik_is_too_large(&q->p)) {
        mik_say(&text, "  too large for any device\n");
        return (int)text.length;
    }
    mik_choose(set, q, 1, best);
    mik_choose(set, q, 2, more);
    mik_say_plan(&text, "plan", &best[0], set, q);
    const mik_plan *const next = mik_runner_up(more, &best[0]);
    if (next)
        mik_say_plan(&text, "next", next, set, q);
    else
        mik_say(&text, "  next: none is known\n");
    if (repeats)
        mik_say_repeats(&text, repeats, best[0].cost);
    mik_say_advice(&text, set, q, &best[0]);
    return (int)text.length;
}
