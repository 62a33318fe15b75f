/*
 * Operands whose elements lie, under conditions, where sums of multiples of loop counters say: an image under its padding. A stage
 * fills a mik_gather; what can be decided about it for the extents at hand is decided by mik_simplify_gather, after which the operand
 * may turn out to have plain strides. Here is what no element's type matters to: which elements a run of loops selects.
 */
#pragma once
#include "runtime.h"

enum { MIK_LOOPS = 12, MIK_CONDITIONS = 8, MIK_RUNS = 16, MIK_LINES = 8 };

/* Loops: first those of the lines (rows of A, columns of B), then those of the steps along k, each group from the outermost
   to the innermost. Their counters t select the element base + sum move[i] t[i] of the array where, for every condition c,
   least[c] + sum along[c][i] t[i] >= 0; elsewhere the operand is 0. */
typedef struct {
    const void *array;
    int lines, steps, conditions;
    int64_t extent[MIK_LOOPS], move[MIK_LOOPS], least[MIK_CONDITIONS], along[MIK_CONDITIONS][MIK_LOOPS];
} mik_gather;

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

/* Moves `count` loops from `from` down to `to`, without those of one iteration, and adjacent ones as one where they walk as
   one; the end of what is written. */
static int mik_fold_loops(mik_gather *g, int from, int count, int to)
{
    const int start = to;
    for (int i = from; i < from + count; i++) {
        if (g->extent[i] == 1)
            continue;
        int folds = to > start && g->move[to - 1] == g->extent[i] * g->move[i];
        for (int c = 0; folds && c < g->conditions; c++)
            folds = g->along[c][to - 1] == g->extent[i] * g->along[c][i];
        to -= folds;
        g->extent[to] = folds ? g->extent[to] * g->extent[i] : g->extent[i];
        g->move[to] = g->move[i];
        for (int c = 0; c < g->conditions; c++)
            g->along[c][to] = g->along[c][i];
        to++;
    }
    return to;
}

/* Drops conditions that always hold and folds loops, unless some loop does not run at all. */
static void mik_simplify_gather(mik_gather *g)
{
    const int loops = g->lines + g->steps;
    int kept = 0;
    for (int i = 0; i < loops; i++)
        if (g->extent[i] <= 0)
            return;
    for (int c = 0; c < g->conditions; c++) {
        int64_t low = g->least[c];
        for (int i = 0; i < loops; i++)
            low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
        if (low >= 0)
            continue;
        g->least[kept] = g->least[c];
        memmove(g->along[kept++], g->along[c], sizeof g->along[c]);
    }
    g->conditions = kept;
    const int lines = mik_fold_loops(g, 0, g->lines, 0);
    g->steps = mik_fold_loops(g, g->lines, g->steps, lines) - lines;
    g->lines = lines;
}

/* The strides of a simplified gather that needs no packing; else whether its lines are contiguous along k in parts. */
static void mik_place_gather(const mik_gather *g, int64_t *line, int64_t *step, int *in_place, int *rows)
{
    for (int i = 0; i < g->lines + g->steps; i++)
        if (g->extent[i] <= 0)
            return;
    *in_place = g->conditions == 0 && g->lines <= 1 && g->steps <= 1;
    if (rows)
        *rows = !*in_place && g->steps > 0 && g->move[g->lines + g->steps - 1] == 1;
    if (*in_place) {
        *line = g->lines ? g->move[0] : 0;
        *step = g->steps ? g->move[g->lines] : 0;
    }
}

static void mik_side_of(const mik_gather *g, int first, int count, mik_side *s)
{
    const int last = first + count - 1;
    *s = (mik_side){ first, 0, 1, 1, 0, { 0 } };
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
