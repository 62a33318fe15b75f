/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a space as declared to the order of its parameters and what becomes known where; the neighbours of a configuration. */
#include "tune/search/constraint_chain.h"

#include <string.h>

/* ---------------------------------------------------------------- faults of a space: what is wrong, or NULL */

static const char *parameter_fault(Arena *arena, const TuneParameter *p)
{
    if (p->count <= 0)
        return arena_printf(arena, "parameter %s has no values", p->name);
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < i; j++)
            if (p->values[i] == p->values[j])
                return arena_printf(arena, "parameter %s has the value %lld twice", p->name, (long long)p->values[i]);
    return NULL;
}

/* Of a list of parameters that `whose` names. */
static const char *list_fault(Arena *arena, const char *whose, const int *list, int count, int nparameters)
{
    if (count <= 0)
        return arena_printf(arena, "%s names no parameter", whose);
    for (int i = 0; i < count; i++) {
        if (list[i] < 0 || list[i] >= nparameters)
            return arena_printf(arena, "%s names parameter %d of %d", whose, list[i], nparameters);
        for (int j = 0; j < i; j++)
            if (list[i] == list[j])
                return arena_printf(arena, "%s names parameter %d twice", whose, list[i]);
    }
    return NULL;
}

static const char *constraint_fault(Arena *arena, const TuneConstraint *c, int nparameters)
{
    if (c->kind == TUNE_HARD ? !c->holds : !c->prefers)
        return arena_printf(arena, "constraint %s has no function", c->name);
    if (c->kind == TUNE_SOFT && !(c->weight > 0))
        return arena_printf(arena, "soft constraint %s has no weight", c->name);
    return list_fault(arena, arena_printf(arena, "constraint %s", c->name), c->reads, c->nreads, nparameters);
}

static const char *edge_fault(Arena *arena, const char *what, const TuneEdge *edges, int nedges, int n)
{
    for (int e = 0; e < nedges; e++)
        if (edges[e].from < 0 || edges[e].from >= n || edges[e].to < 0 || edges[e].to >= n)
            return arena_printf(arena, "an edge joins %s %d and %d of %d", what, edges[e].from, edges[e].to, n);
    return NULL;
}

static const char *space_fault(Arena *arena, const TuneSpace *s)
{
    const char *fault = s->nparameters > 0 ? NULL : "a space without parameters";
    for (int i = 0; !fault && i < s->nparameters; i++)
        fault = parameter_fault(arena, &s->parameters[i]);
    for (int i = 0; !fault && i < s->nconstraints; i++)
        fault = constraint_fault(arena, &s->constraints[i], s->nparameters);
    for (int i = 0; !fault && i < s->nstrategies; i++) {
        const TuneStrategy *strategy = &s->strategies[i];
        if (strategy->count > 0)
            fault = list_fault(arena, arena_printf(arena, "strategy %s", strategy->name), strategy->parameters, strategy->count,
                               s->nparameters);
    }
    if (!fault)
        fault = edge_fault(arena, "parameters", s->edges, s->nedges, s->nparameters);
    return fault ? fault : edge_fault(arena, "strategies", s->strategy_edges, s->nstrategy_edges, s->nstrategies);
}

/* ---------------------------------------------------------------- the order */

/* Strategies are things to be ordered, too, each before its parameters: an edge leads from a strategy and its parameters to the other
 * strategy. They come first, so that one that is free keeps no parameter waiting. Returns the number of edges. */
static int all_edges(const TuneSpace *s, TuneEdge *edges)
{
    int n = 0;
    for (int i = 0; i < s->nstrategies; i++)
        for (int k = 0; k < s->strategies[i].count; k++)
            edges[n++] = (TuneEdge){i, s->nstrategies + s->strategies[i].parameters[k]};
    for (int e = 0; e < s->nstrategy_edges; e++) {
        const TuneStrategy *from = &s->strategies[s->strategy_edges[e].from];
        edges[n++] = s->strategy_edges[e];
        for (int k = 0; k < from->count; k++)
            edges[n++] = (TuneEdge){s->nstrategies + from->parameters[k], s->strategy_edges[e].to};
    }
    for (int e = 0; e < s->nedges; e++)
        edges[n++] = (TuneEdge){s->nstrategies + s->edges[e].from, s->nstrategies + s->edges[e].to};
    return n;
}

static const char *order_parameters(Arena *arena, const TuneSpace *s, int *order)
{
    int n = s->nstrategies + s->nparameters, most = s->nedges + s->nstrategy_edges;
    for (int i = 0; i < s->nstrategies; i++)
        most += s->strategies[i].count;
    for (int e = 0; e < s->nstrategy_edges; e++)
        most += s->strategies[s->strategy_edges[e].from].count;
    const char **names = arena_new_array(arena, const char *, n);
    for (int i = 0; i < n; i++)
        names[i] = i < s->nstrategies ? s->strategies[i].name : s->parameters[i - s->nstrategies].name;
    TuneEdge *edges = arena_new_array(arena, TuneEdge, most);
    int *all = arena_new_array(arena, int, n), nedges = all_edges(s, edges), at = 0;
    const char *cycle = topological_order(arena, names, n, edges, nedges, all);
    for (int i = 0; !cycle && i < n; i++)
        if (all[i] >= s->nstrategies)
            order[at++] = all[i] - s->nstrategies;
    return cycle ? arena_printf(arena, "each of these comes before the next: %s", cycle) : NULL;
}

static void place_constraints(Arena *arena, TuneChain *chain)
{
    const TuneSpace *s = &chain->space;
    int *level_of = arena_new_array(arena, int, s->nparameters), at = 0;
    for (int level = 0; level < s->nparameters; level++)
        level_of[chain->order[level]] = level;
    int *known_at = arena_new_array(arena, int, s->nconstraints);
    for (int i = 0; i < s->nconstraints; i++)
        for (int k = 0; k < s->constraints[i].nreads; k++) {
            int level = level_of[s->constraints[i].reads[k]];
            known_at[i] = level > known_at[i] ? level : known_at[i];
        }
    chain->known = arena_new_array(arena, int, s->nconstraints);
    chain->begin = arena_new_array(arena, int, s->nparameters + 1);
    for (int level = 0; level < s->nparameters; level++) {
        for (int i = 0; i < s->nconstraints; i++)
            if (known_at[i] == level)
                chain->known[at++] = i;
        chain->begin[level + 1] = at;
    }
}

static void list_arcs(Arena *arena, TuneChain *chain)
{
    const TuneSpace *s = &chain->space;
    int most = 0;
    for (int i = 0; i < s->nconstraints; i++)
        most += s->constraints[i].nreads;
    chain->arcs = arena_new_array(arena, TuneArc, most);
    for (int i = 0; i < s->nconstraints; i++)
        for (int k = 0; k < s->constraints[i].nreads; k++)
            if (s->constraints[i].kind == TUNE_HARD && s->constraints[i].is_cheap)
                chain->arcs[chain->narcs++] = (TuneArc){i, s->constraints[i].reads[k]};
}

const TuneChain *tune_chain(Arena *arena, const TuneSpace *space, const char **error)
{
    *error = space_fault(arena, space);
    if (*error)
        return NULL;
    TuneChain *chain = arena_new_array(arena, TuneChain, 1);
    chain->space = *space;
    chain->order = arena_new_array(arena, int, space->nparameters);
    *error = order_parameters(arena, space, chain->order);
    if (*error)
        return NULL;
    place_constraints(arena, chain);
    list_arcs(arena, chain);
    chain->first_value = arena_new_array(arena, int, space->nparameters + 1);
    for (int i = 0; i < space->nparameters; i++)
        chain->first_value[i + 1] = chain->first_value[i] + space->parameters[i].count;
    return chain;
}

/* ---------------------------------------------------------------- configurations */

double tune_raw_size(const TuneChain *chain)
{
    double size = 1;
    for (int i = 0; i < chain->space.nparameters; i++)
        size *= chain->space.parameters[i].count;
    return size;
}

void tune_set(const TuneChain *chain, TunePoint *point, int parameter, int place)
{
    point->places[parameter] = place;
    point->values[parameter] = chain->space.parameters[parameter].values[place];
}

TunePoint tune_copy(Arena *arena, const TuneChain *chain, const TunePoint *point)
{
    TunePoint own = tune_point(arena, chain);
    for (int i = 0; i < chain->space.nparameters; i++)
        tune_set(chain, &own, i, point->places[i]);
    return own;
}

TunePoint tune_point(Arena *arena, const TuneChain *chain)
{
    int n = chain->space.nparameters;
    TunePoint point = {arena_new_array(arena, int, n), arena_new_array(arena, int64_t, n)};
    for (int i = 0; i < n; i++)
        tune_set(chain, &point, i, 0);
    return point;
}

bool tune_level_holds(const TuneChain *chain, const int64_t *values, int level, bool cheap, int64_t *evaluations)
{
    for (int i = chain->begin[level]; i < chain->begin[level + 1]; i++) {
        const TuneConstraint *c = &chain->space.constraints[chain->known[i]];
        if (c->kind != TUNE_HARD || (c->is_cheap && !cheap))
            continue;
        ++*evaluations;
        if (!c->holds(values, c->user))
            return false;
    }
    return true;
}

bool tune_survives(const TuneChain *chain, const int64_t *values)
{
    int64_t evaluations = 0;
    for (int level = 0; level < chain->space.nparameters; level++)
        if (!tune_level_holds(chain, values, level, true, &evaluations))
            return false;
    return true;
}

double tune_level_preference(const TuneChain *chain, const int64_t *values, int level)
{
    double sum = 0;
    for (int i = chain->begin[level]; i < chain->begin[level + 1]; i++) {
        const TuneConstraint *c = &chain->space.constraints[chain->known[i]];
        if (c->kind == TUNE_SOFT)
            sum += c->weight * c->prefers(values, c->user);
    }
    return sum;
}

double tune_preference(const TuneChain *chain, const int64_t *values)
{
    double sum = 0;
    for (int level = 0; level < chain->space.nparameters; level++)
        sum += tune_level_preference(chain, values, level);
    return sum;
}

/* ---------------------------------------------------------------- neighbours */

typedef struct Stroll {
    const TuneChain *chain;
    const TunePoint *from;
    TunePoint to;
    TuneVisit *visit;
    void *user;
} Stroll;

/* The parameters before `level` are chosen; `hops` are still to be changed. */
static bool stroll(Stroll *s, int level, int hops)
{
    static const int steps[] = {0, -1, 1};
    int64_t evaluations = 0;
    if (level == s->chain->space.nparameters)
        return s->visit(&s->to, s->user);
    int parameter = s->chain->order[level], left = s->chain->space.nparameters - level;
    for (int i = hops < left ? 0 : 1; i < (hops ? 3 : 1); i++) {
        int place = s->from->places[parameter] + steps[i];
        if (place < 0 || place >= s->chain->space.parameters[parameter].count)
            continue;
        tune_set(s->chain, &s->to, parameter, place);
        if (tune_level_holds(s->chain, s->to.values, level, true, &evaluations) && !stroll(s, level + 1, hops - (i > 0)))
            return false;
    }
    return true;
}

bool tune_neighbours(const TuneChain *chain, const TunePoint *from, int hops, TuneVisit *visit, void *user)
{
    if (hops < 0 || hops > chain->space.nparameters)
        return true;
    Arena *arena = arena_new();
    Stroll s = {chain, from, tune_point(arena, chain), visit, user};
    bool is_whole = stroll(&s, 0, hops);
    arena_free(arena);
    return is_whole;
}
