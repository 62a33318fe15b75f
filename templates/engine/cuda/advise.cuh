/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What would be faster, by the cost model: for explanations. There is no line for what gains less than 3 %. */
#pragma once
#include "choose.cuh"
#include "say.cuh"

static const double mik_worth_saying = 0.97, mik_as_long = 1.01;

/* Picoseconds of the best plan; 1e300: there is none. */
static double mik_expected(const mik_set *set, const mik_request *q)
{
    mik_plan best[2];
    mik_choose(set, q, 1, best);
    return best[0].cost;
}

static void mik_say_times(mik_text *text, double cost, double other)
{
    mik_say(text, "%.1f us, %.2f times as fast\n", other * 1e-6, cost / other);
}

/* An extent nearby that takes less, or else the last that takes no longer: a quarter larger at most. which: of m, n, k. */
static void mik_say_extent(mik_text *text, const mik_set *set, const mik_request *q, int which, double cost)
{
    mik_request other = *q;
    int64_t *const extent = which == 0 ? &other.p.m : which == 1 ? &other.p.n : &other.p.k;
    const int64_t now = *extent, most = now + (now > 32 ? now / 4 : 8), step = (most - now) / 32 / 8 * 8 + 8;
    int64_t last = now, best = now;
    double least = cost;
    for (*extent = now / 8 * 8 + 8; *extent <= most; *extent += step) {
        const double there = mik_expected(set, &other);
        if (there > mik_as_long * cost)
            break;
        last = *extent;
        best = there < least ? *extent : best;
        least = there < least ? there : least;
    }
    if (least < mik_worth_saying * cost) {
        mik_say(text, "  advice: %c %lld: ", "mnk"[which], (long long)best);
        mik_say_times(text, cost, least);
    } else if (100 * last >= 103 * now) {
        mik_say(text, "  advice: %c up to %lld takes no longer than %lld\n", "mnk"[which], (long long)last, (long long)now);
    }
}

/* What the best plan owes to a workspace; what others would gain. */
static void mik_say_advice(mik_text *text, const mik_set *set, const mik_request *q, const mik_plan *plan)
{
    mik_request other = *q;
    if (plan->pattern == 0)
        return;
    other.scratch = 0;
    const double without = mik_expected(set, &other);
    if (plan->cost < mik_worth_saying * without && without < 1e300)
        mik_say(text, "  advice: a workspace, as this plan has: without one it takes %.1f us\n", without * 1e-6);
    other = *q;
    other.align = 16;
    other.copies = 0;
    other.copying = 0;
    const double aligned = mik_expected(set, &other);
    if (aligned < mik_worth_saying * plan->cost) {
        mik_say(text, "  advice: operands whose lines begin at multiples of 16 bytes: ");
        mik_say_times(text, plan->cost, aligned);
    }
    for (int which = 0; which < 3; which++)
        mik_say_extent(text, set, q, which, plan->cost);
}
