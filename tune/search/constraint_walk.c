/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk with a stack of its own, so that it can stop anywhere and go on; what arc consistency leaves of domains lies on it, too. */
#include "tune/search/constraint_walk.h"

#include <string.h>

/* The parameter at one place of the order, while those before it keep their values. */
typedef struct Level {
    int *places; /* still to be tried: places[next] .. places[count - 1] */
    double *preferences;
    int count, next;
    bool is_fertile; /* a survivor came of one of them */
} Level;

struct TuneWalk {
    const TuneChain *chain;
    TuneLook look;
    uint64_t *seed; /* shuffles values; NULL: in order */
    Level *levels;
    int level; /* of the next value to try; -1: there is none */
    bool is_begun;
    TunePoint point;
    bool *rows; /* row l, of all parameters' values: those left in the domains when l parameters are known */
    int64_t *trial;
    int *queue, head, queued; /* arcs, in a ring */
    bool *is_queued;
    TuneCounts counts;
};

static bool *row(const TuneWalk *w, int level) { return w->rows + (size_t)level * w->chain->first_value[w->chain->space.nparameters]; }

/* ---------------------------------------------------------------- arc consistency */

/* Whether values that are left agree with the trial's value of `fixed`; of the constraint's parameters from the k-th on. */
static bool is_supported(TuneWalk *w, const bool *left, const TuneConstraint *c, int fixed, int k)
{
    if (k == c->nreads) {
        w->counts.evaluations++;
        return c->holds(w->trial, c->user);
    }
    int parameter = c->reads[k];
    if (parameter == fixed)
        return is_supported(w, left, c, fixed, k + 1);
    const TuneParameter *p = &w->chain->space.parameters[parameter];
    for (int i = 0; i < p->count; i++) {
        w->trial[parameter] = p->values[i];
        if (left[w->chain->first_value[parameter] + i] && is_supported(w, left, c, fixed, k + 1))
            return true;
    }
    return false;
}

typedef enum { EMPTY, CHANGED, UNCHANGED } Revised;

/* Takes out of the domain at this end of the arc what nothing at its other ends agrees with. */
static Revised revise(TuneWalk *w, bool *left, TuneArc arc)
{
    const TuneParameter *p = &w->chain->space.parameters[arc.parameter];
    bool *domain = left + w->chain->first_value[arc.parameter];
    int kept = 0, removed = 0;
    for (int i = 0; i < p->count; i++) {
        if (!domain[i])
            continue;
        w->trial[arc.parameter] = p->values[i];
        domain[i] = is_supported(w, left, &w->chain->space.constraints[arc.constraint], arc.parameter, 0);
        kept += domain[i];
        removed += !domain[i];
    }
    return kept == 0 ? EMPTY : removed ? CHANGED : UNCHANGED;
}

/* AC-1. False: a domain is empty. */
static bool sweep(TuneWalk *w, bool *left)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int a = 0; a < w->chain->narcs; a++) {
            Revised revised = revise(w, left, w->chain->arcs[a]);
            if (revised == EMPTY)
                return false;
            is_changed |= revised == CHANGED;
        }
    }
    return true;
}

static void enqueue(TuneWalk *w, int arc)
{
    if (w->is_queued[arc])
        return;
    w->is_queued[arc] = true;
    w->queue[(w->head + w->queued++) % w->chain->narcs] = arc;
}

/* The domain of `parameter` has become smaller, by constraint `by` (-1: by none): its other parameters lose nothing by that. */
static void enqueue_concerned(TuneWalk *w, int parameter, int by)
{
    for (int a = 0; a < w->chain->narcs; a++) {
        TuneArc arc = w->chain->arcs[a];
        const TuneConstraint *c = &w->chain->space.constraints[arc.constraint];
        for (int k = 0; arc.constraint != by && arc.parameter != parameter && k < c->nreads; k++)
            if (c->reads[k] == parameter)
                enqueue(w, a);
    }
}

/* AC-3, of what is in the queue, which is empty afterwards. False: a domain is empty. */
static bool settle(TuneWalk *w, bool *left)
{
    Revised revised = UNCHANGED;
    while (w->queued && revised != EMPTY) {
        int a = w->queue[w->head];
        w->head = (w->head + 1) % w->chain->narcs;
        w->queued--;
        w->is_queued[a] = false;
        revised = revise(w, left, w->chain->arcs[a]);
        if (revised == CHANGED)
            enqueue_concerned(w, w->chain->arcs[a].parameter, w->chain->arcs[a].constraint);
    }
    memset(w->is_queued, 0, sizeof(bool) * (size_t)w->chain->narcs);
    w->queued = 0;
    return revised != EMPTY;
}

/* ---------------------------------------------------------------- the walk */

/* Before anything is known: row 0. */
static bool look_first(TuneWalk *w)
{
    memset(w->rows, true, sizeof(bool) * (size_t)w->chain->first_value[w->chain->space.nparameters]);
    if (w->look == TUNE_AC1)
        return sweep(w, w->rows);
    for (int a = 0; w->look == TUNE_AC3 && a < w->chain->narcs; a++)
        enqueue(w, a);
    return settle(w, w->rows);
}

/* The row behind the value just given at `level`. False: a cheap constraint cannot hold any more. */
static bool look_ahead(TuneWalk *w, int level)
{
    int parameter = w->chain->order[level], first = w->chain->first_value[parameter], others = 0;
    bool *left = row(w, level + 1);
    memcpy(left, row(w, level), sizeof(bool) * (size_t)w->chain->first_value[w->chain->space.nparameters]);
    for (int i = 0; i < w->chain->space.parameters[parameter].count; i++) {
        bool is_it = i == w->point.places[parameter];
        others += left[first + i] && !is_it;
        left[first + i] = is_it;
    }
    if (w->look == TUNE_AC1)
        return sweep(w, left);
    if (others)
        enqueue_concerned(w, parameter, -1);
    return settle(w, left);
}

static bool admits(TuneWalk *w, int level)
{
    bool is_check = w->look == TUNE_CHECK;
    return (is_check || look_ahead(w, level)) && tune_level_holds(w->chain, w->point.values, level, is_check, &w->counts.evaluations);
}

/* Into its place among those before it, behind equals. */
static void insert(Level *l, int place, double preference)
{
    int at = l->count++;
    for (; at > 0 && preference > l->preferences[at - 1]; at--) {
        l->places[at] = l->places[at - 1];
        l->preferences[at] = l->preferences[at - 1];
    }
    l->places[at] = place;
    l->preferences[at] = preference;
}

static void open_level(TuneWalk *w, int level)
{
    Level *l = &w->levels[level];
    int parameter = w->chain->order[level];
    const bool *domain = row(w, w->look == TUNE_CHECK ? 0 : level) + w->chain->first_value[parameter];
    l->count = l->next = 0;
    l->is_fertile = false;
    for (int i = 0; i < w->chain->space.parameters[parameter].count; i++) {
        if (!domain[i])
            continue;
        tune_set(w->chain, &w->point, parameter, i);
        insert(l, i, w->seed ? 0 : tune_level_preference(w->chain, w->point.values, level));
    }
    for (int i = l->count - 1; w->seed && i > 0; i--) {
        int other = tune_random(w->seed, i + 1), place = l->places[i];
        l->places[i] = l->places[other];
        l->places[other] = place;
    }
    w->level = level;
}

/* All values at this level are tried: what was said of them is said of the value one level up. */
static void close_level(TuneWalk *w)
{
    bool is_fertile = w->levels[w->level--].is_fertile;
    if (w->level < 0)
        return;
    w->counts.dead += !is_fertile;
    w->levels[w->level].is_fertile |= is_fertile;
}

TuneWalk *tune_walk(Arena *arena, const TuneChain *chain, TuneLook look)
{
    TuneWalk *w = arena_new_array(arena, TuneWalk, 1);
    int n = chain->space.nparameters, nvalues = chain->first_value[n];
    w->chain = chain;
    w->look = look;
    w->point = tune_point(arena, chain);
    w->trial = arena_new_array(arena, int64_t, n);
    w->rows = arena_new_array(arena, bool, (size_t)(look == TUNE_CHECK ? 1 : n + 1) * (size_t)nvalues);
    w->queue = arena_new_array(arena, int, chain->narcs);
    w->is_queued = arena_new_array(arena, bool, chain->narcs);
    w->levels = arena_new_array(arena, Level, n);
    for (int level = 0; level < n; level++) {
        int count = chain->space.parameters[chain->order[level]].count;
        w->levels[level].places = arena_new_array(arena, int, count);
        w->levels[level].preferences = arena_new_array(arena, double, count);
    }
    return w;
}

const TunePoint *tune_next(TuneWalk *w)
{
    if (!w->is_begun) {
        w->is_begun = true;
        w->level = -1;
        if (look_first(w))
            open_level(w, 0);
    }
    while (w->level >= 0) {
        Level *l = &w->levels[w->level];
        if (l->next == l->count) {
            close_level(w);
            continue;
        }
        w->counts.nodes++;
        tune_set(w->chain, &w->point, w->chain->order[w->level], l->places[l->next++]);
        if (!admits(w, w->level)) {
            w->counts.dead++;
        } else if (w->level + 1 < w->chain->space.nparameters) {
            open_level(w, w->level + 1);
        } else {
            l->is_fertile = true;
            w->counts.survivors++;
            return &w->point;
        }
    }
    return NULL;
}

const TuneCounts *tune_counts(const TuneWalk *w) { return &w->counts; }

/* ---------------------------------------------------------------- at random */

int tune_random(uint64_t *seed, int n)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

/* Draws value after value, up to the first broken constraint. */
static bool draw_once(const TuneChain *chain, uint64_t *seed, TunePoint *point)
{
    int64_t evaluations = 0;
    for (int level = 0; level < chain->space.nparameters; level++) {
        int parameter = chain->order[level];
        tune_set(chain, point, parameter, tune_random(seed, chain->space.parameters[parameter].count));
        if (!tune_level_holds(chain, point->values, level, true, &evaluations))
            return false;
    }
    return true;
}

bool tune_draw(const TuneChain *chain, uint64_t *seed, TunePoint *point)
{
    for (int start = 0; start < TUNE_STARTS; start++)
        if (draw_once(chain, seed, point))
            return true;
    Arena *arena = arena_new();
    TuneWalk *walk = tune_walk(arena, chain, TUNE_AC3);
    walk->seed = seed;
    const TunePoint *found = tune_next(walk);
    for (int i = 0; found && i < chain->space.nparameters; i++)
        tune_set(chain, point, i, found->places[i]);
    arena_free(arena);
    return found != NULL;
}
