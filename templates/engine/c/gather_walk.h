/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Walking through a gathered operand, whatever its elements are: the runs of elements that a side selects, and which of them the
   conditions leave. */
#pragma once
#include "gathered.h"

/* The loops of a group, `count` from `first`, of which the innermost, or two that read on where the inner one ends, are
   seen as one run of `extent` elements; the conditions change every `unit` of them, by slope. */
typedef struct {
    int first, outer;                             /* loops outside the run */
    int64_t unit, extent, move, slope[MIK_CONDITIONS];
} mik_side;

/* Counters of some loops, the offset that they make and what they add to the conditions. */
typedef struct {
    int64_t digit[MIK_LOOPS], at, value[MIK_CONDITIONS];
} mik_walk;

/* Elements from .. from + length - 1 of a run; its element `from` lies at `at`, `value` belongs to its element 0. */
typedef struct {
    int64_t at, from, length, value[MIK_CONDITIONS];
} mik_run;

static void mik_side_of(const mik_gather *g, int first, int count, mik_side *s)
{
    const int last = first + count - 1;
    *s = (mik_side){first, 0, 1, 1, 0, {0}};
    if (count == 0)
        return;
    int two = count > 1 && g->move[last - 1] == g->extent[last] * g->move[last];
    for (int c = 0; c < g->conditions; c++)
        two = two && g->along[c][last] == 0;
    for (int c = 0; c < g->conditions; c++)
        s->slope[c] = g->along[c][last - two];
    s->outer = count - 1 - two;
    s->unit = two ? g->extent[last] : 1;
    s->extent = g->extent[last] * (two ? g->extent[last - 1] : 1);
    s->move = g->move[last];
}

/* Iteration `at` of `count` loops from `first`. */
static void mik_walk_to(const mik_gather *g, int first, int count, int64_t at, mik_walk *w)
{
    memset(w, 0, sizeof *w);
    for (int i = first + count - 1; i >= first; i--) {
        const int64_t t = i > first ? at % g->extent[i] : at;
        at /= g->extent[i];
        w->digit[i] = t;
        w->at += t * g->move[i];
        for (int c = 0; c < g->conditions; c++)
            w->value[c] += t * g->along[c][i];
    }
}

/* The next iteration. */
static void mik_walk_on(const mik_gather *g, int first, int count, mik_walk *w)
{
    for (int i = first + count - 1; i >= first; i--) {
        const int64_t t = ++w->digit[i] < g->extent[i] || i == first ? 1 : 1 - g->extent[i];
        w->at += t * g->move[i];
        for (int c = 0; c < g->conditions; c++)
            w->value[c] += t * g->along[c][i];
        if (t == 1)
            return;
        w->digit[i] = 0;
    }
}

/* The runs of a side from element *start until `end`, at most `most`; *start becomes where they end. low: the least that
   they add to each condition. */
static int mik_runs(const mik_gather *g, const mik_side *s, int64_t *start, int64_t end, mik_run *runs, int most, int64_t *low)
{
    int n = 0;
    mik_walk w;
    int64_t from = *start % s->extent;
    mik_walk_to(g, s->first, s->outer, *start / s->extent, &w);
    while (*start < end && n < most) {
        mik_run *r = runs + n;
        r->at = w.at + from * s->move;
        r->from = from;
        r->length = mik_min(s->extent - from, end - *start);
        for (int c = 0; c < g->conditions; c++) {
            const int64_t a = w.value[c] + s->slope[c] * (from / s->unit);
            const int64_t b = w.value[c] + s->slope[c] * ((from + r->length - 1) / s->unit);
            r->value[c] = w.value[c];
            low[c] = mik_min(n ? low[c] : a, mik_min(a, b));
        }
        *start += r->length;
        from = 0;
        n++;
        mik_walk_on(g, s->first, s->outer, &w);
    }
    return n;
}

/* The elements *from .. *to - 1 of a run's `length` at which all conditions hold, the other side having the given values. */
static inline void mik_run_within(const mik_gather *g, const mik_side *s, const mik_run *r, const int64_t *values, int64_t *from,
                                  int64_t *to)
{
    int64_t lo = 0, hi = s->extent / s->unit, none = 0;
    for (int c = 0; c < g->conditions; c++) {
        const int64_t v = values[c] + r->value[c], slope = s->slope[c];
        if (slope == 0)
            none |= v;
        else if (slope > 0)
            lo = mik_max(lo, slope == 1 ? -v : (slope - 1 - v) / slope);
        else
            hi = mik_min(hi, slope == -1 ? v + 1 : v < 0 ? 0 : v / -slope + 1);
    }
    hi = none < 0 ? 0 : hi;
    *from = mik_min(mik_max(lo * s->unit - r->from, 0), r->length);
    *to = mik_max(mik_min(hi * s->unit - r->from, r->length), *from);
}

/* Of the loops along k, the first so many make groups of steps: the conditions that leave lines without some of these groups, and the
   most that the loops inside them add to each. */
static int mik_binding(const mik_gather *g, int outer, int *binding, int64_t *reach)
{
    const int inner = g->lines + outer;
    int count = 0;
    for (int c = 0; c < g->conditions; c++) {
        int64_t low = 0;
        reach[c] = 0;
        for (int i = 0; i < inner; i++)
            low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
        for (int i = inner; i < g->lines + g->steps; i++)
            reach[c] += mik_max(g->along[c][i] * (g->extent[i] - 1), 0);
        if (g->least[c] + reach[c] + low < 0)
            binding[count++] = c;
    }
    return count;
}

/* How many of the loops along k make the groups of a block of kc steps: those on which a condition depends, the outermost alone if they make
   too many groups. 0: there are no groups. */
static int mik_live_loops(const mik_gather *g, int64_t kc, int64_t *each)
{
    int64_t inner = 1;
    for (int i = g->steps - 1; i >= 0; inner *= g->extent[g->lines + i--]) {
        int depends = 0;
        for (int c = 0; c < g->conditions; c++)
            depends |= g->along[c][g->lines + i] != 0;
        *each = inner;
        if (depends && kc / inner + 2 <= MIK_LIVE_GROUPS)
            return i + 1;
    }
    return 0;
}

/* What conditions say about the groups of a block's steps, to each of which the lines add a value: those that depend on the innermost
   loop of the lines, or those that do not. */
typedef struct {
    int count, groups, binding[MIK_CONDITIONS];
    int64_t low[MIK_CONDITIONS], at[MIK_CONDITIONS][MIK_LIVE_GROUPS]; /* what groups add: the least, each */
} mik_live_side;

/* The groups that hold at iteration i of the innermost loop of the lines, w being the first. */
static inline uint32_t mik_live_mask(const mik_gather *g, const mik_live_side *s, const mik_walk *w, int64_t i)
{
    uint32_t mask = ((uint32_t)1 << s->groups) - 1;
    for (int b = 0; b < s->count; b++) {
        const int c = s->binding[b];
        const int64_t value = w->value[c] + i * g->along[c][g->lines - 1];
        for (int j = 0; j < s->groups && s->low[b] + value < 0; j++)
            mask &= ~((uint32_t)(s->at[b][j] + value < 0) << j);
    }
    return mask;
}

/* The iterations *from .. *to - 1 of `run` of the innermost loop of the lines from w on, at which all groups hold. */
static void mik_live_within(const mik_gather *g, const mik_live_side *s, const mik_walk *w, int64_t run, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = run;
    for (int b = 0; b < s->count; b++) {
        const int c = s->binding[b];
        const int64_t value = s->low[b] + w->value[c], slope = g->along[c][g->lines - 1];
        if (slope > 0)
            *from = mik_max(*from, value < 0 ? mik_ceil_div(-value, slope) : 0);
        else
            *to = mik_min(*to, value < 0 ? 0 : value / -slope + 1);
    }
    *to = mik_max(*to, 0);
    *from = mik_min(*from, *to);
}

static int mik_ones(uint32_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* Which steps of `lines` lines, MIK_LIVE_ROWS at most, and kc steps from k0 are more than zeros: an image's first rows have nothing of the
   filter's first. 0: all of them, as far as groups of steps tell. */
MIK_UNUSED MIK_SHARED int mik_gather_live(const mik_gather *g, int64_t line, int64_t lines, int64_t k0, int64_t kc, mik_live *live)
{
    mik_live_side sides[2];
    int binding[MIK_CONDITIONS];
    int64_t reach[MIK_CONDITIONS], each = 1, dead = 0, lasting = 0;
    const int outer = g->lines && kc > 0 && kc <= UINT16_MAX ? mik_live_loops(g, kc, &each) : 0,
              count = outer ? mik_binding(g, outer, binding, reach) : 0;
    const int last = g->lines - 1;
    if (count == 0)
        return 0;
    live->each = each;
    live->first = mik_min(each - k0 % each, kc);
    live->groups = 1 + (int)mik_ceil_div(kc - live->first, each);
    sides[0].groups = sides[1].groups = live->groups;
    sides[0].count = sides[1].count = 0;
    mik_walk w, start;
    mik_walk_to(g, g->lines, outer, k0 / each, &start);
    for (int b = 0; b < count; b++) {
        const int c = binding[b];
        mik_live_side *const s = sides + (g->along[c][last] != 0);
        w = start;
        s->binding[s->count] = c;
        s->low[s->count] = INT64_MAX;
        for (int i = 0; i < live->groups; i++, mik_walk_on(g, g->lines, outer, &w)) {
            s->at[s->count][i] = g->least[c] + reach[c] + w.value[c];
            s->low[s->count] = mik_min(s->low[s->count], s->at[s->count][i]);
        }
        s->count++;
    }
    mik_walk_to(g, 0, g->lines, line, &w);
    live->run = sides[1].count ? g->extent[last] : 0;
    live->at = w.digit[last];
    for (int64_t i = 0, run; i < lines; i += run) {
        const uint32_t all = ((uint32_t)1 << live->groups) - 1, alike = mik_live_mask(g, sides, &w, 0);
        run = mik_min(g->extent[last] - w.digit[last], lines - i);
        lasting += run * mik_ones(all & ~alike);
        int64_t from, to;
        mik_live_within(g, sides + 1, &w, run, &from, &to);
        dead += (to - from) * mik_ones(all & ~alike);
        for (int64_t j = from; j < to; j++)
            live->rows[i + j] = (uint16_t)alike;
        for (int64_t j = from > 0 ? 0 : to; j < run; j = j + 1 == from ? to : j + 1) {
            const uint32_t mask = alike & mik_live_mask(g, sides + 1, &w, j);
            live->rows[i + j] = (uint16_t)mask;
            dead += mik_ones(all & ~mask);
        }
        for (int c = 0; c < g->conditions; c++)
            w.value[c] -= w.digit[last] * g->along[c][last];
        w.digit[last] = 0;
        mik_walk_on(g, 0, last, &w);
    }
    live->dead = (float)dead / (float)(lines * live->groups);
    live->lasting = (float)lasting / (float)(lines * live->groups);
    return dead > 0;
}

/* Have few lines many steps that are zeros, and so many that it matters? */
static int mik_gather_spares(const mik_gather *g)
{
    int64_t lines = 1, steps = 1;
    mik_live live;
    for (int i = 0; i < g->lines + g->steps; i++)
        *(i < g->lines ? &lines : &steps) *= g->extent[i];
    return g->conditions && lines <= MIK_LIVE_ROWS / 2 && steps >= 1024 && mik_gather_live(g, 0, lines, 0, steps, &live) &&
           live.dead > 0.0625f;
}

/* The strides of a simplified gather that needs no packing; else whether its lines are contiguous along k in parts, and
   whether tiles of few of them leave out much of what is zeros. (Zen 4, 7 x 7 images of 160 to 512 channels under filters of 3 x 3: tiles are
   1.2 times as fast as a sweep.) */
MIK_UNUSED MIK_SHARED void mik_place_gather(const mik_gather *g, int64_t *line, int64_t *step, int *in_place, int *rows)
{
    for (int i = 0; i < g->lines + g->steps; i++)
        if (g->extent[i] <= 0)
            return;
    *in_place = g->conditions == 0 && g->lines <= 1 && g->steps <= 1;
    if (rows)
        *rows = *in_place || !mik_gathers_rows(g) ? 0 : mik_gather_spares(g) ? MIK_ROWS_OF_ZEROS : 1;
    if (*in_place) {
        *line = g->lines ? g->move[0] : 0;
        *step = g->steps ? g->move[g->lines] : 0;
    }
}
