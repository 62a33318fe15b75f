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

/* The conditions that leave lines without some iterations of the outermost loop along k, and the most that its inner loops add to each. */
static int mik_binding(const mik_gather *g, int *binding, int64_t *reach)
{
    int count = 0;
    for (int c = 0; c < g->conditions; c++) {
        int64_t low = 0;
        reach[c] = 0;
        for (int i = 0; i <= g->lines; i++)
            low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
        for (int i = g->lines + 1; i < g->lines + g->steps; i++)
            reach[c] += mik_max(g->along[c][i] * (g->extent[i] - 1), 0);
        if (g->least[c] + reach[c] + low < 0)
            binding[count++] = c;
    }
    return count;
}

/* Of each of `lines` lines, and kc steps from k0: the iterations of the outermost loop along k, all of their inner ones, between those at
   which a condition holds nowhere: an image's first rows have nothing of the filter's first. 0: no line has steps without. */
MIK_UNUSED MIK_SHARED int mik_gather_live(const mik_gather *g, int64_t line, int64_t lines, int64_t k0, int64_t kc, mik_steps *live)
{
    const int outer = g->lines;
    int64_t inner = 1, reach[MIK_CONDITIONS];
    int binding[MIK_CONDITIONS], alike = outer > 0;
    const int count = g->steps && kc <= UINT16_MAX ? mik_binding(g, binding, reach) : 0;
    for (int i = 0; i < count; i++)
        alike = alike && g->along[binding[i]][outer - 1] == 0;
    for (int i = outer + 1; i < outer + g->steps; i++)
        inner *= g->extent[i];
    for (int64_t i = 0, run; i < lines && count; i += run) {
        mik_walk w;
        mik_walk_to(g, 0, outer, line + i, &w);
        int64_t from = 0, to = g->extent[outer];
        for (int b = 0; b < count; b++) {
            const int c = binding[b];
            const int64_t v = g->least[c] + reach[c] + w.value[c], along = g->along[c][outer];
            if (along > 0)
                from = mik_max(from, mik_ceil_div(-mik_min(v, 0), along));
            else if (v < 0)
                to = 0;
            else if (along < 0)
                to = mik_min(to, v / -along + 1);
        }
        /* Where the lines' innermost loop changes none of that, the lines up to its end have the same steps. */
        run = alike ? mik_min(g->extent[outer - 1] - w.digit[outer - 1], lines - i) : 1;
        from = mik_min(mik_max(from * inner - k0, 0), kc);
        to = mik_min(mik_max(to * inner - k0, from), kc);
        for (int64_t j = i; j < i + run; j++)
            live[j] = (mik_steps){(uint16_t)from, (uint16_t)to};
    }
    return count;
}
