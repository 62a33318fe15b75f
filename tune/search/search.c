/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking and being told: the first measurements, which of the kinds goes on, results, and when there is something to learn. */
#include "tune/search/search_state.h"

#include <string.h>

SearchInput search_defaults(const TuneChain *chain, SearchKind kind, uint64_t seed)
{
    return (SearchInput){.chain = chain,
                         .kind = kind,
                         .seed = seed,
                         .batch = 8,
                         .first = 16,
                         .drawn = 16,
                         .window = 3,
                         .threshold = 0.6,
                         .patience = 6,
                         .diversity = 0.2};
}

SearchInput search_compiled(const TuneChain *chain, SearchKind kind, uint64_t seed, bool knows_others)
{
    SearchInput input = search_defaults(chain, kind, seed);
    input.window = 8;
    if (knows_others) {
        input.first = 8;
        input.drawn = 2;
    }
    return input;
}

/* All that survive if they are few, else some. A walk that comes to nothing is not gone on with for ever. */
static void fill_pool(Search *s)
{
    enum { NODES = 100 * SEARCH_WHOLE };
    TuneWalk *walk = tune_walk(s->arena, s->in.chain, TUNE_AC3);
    const TunePoint *point = tune_next(walk);
    while (point && s->set.count < SEARCH_WHOLE && tune_counts(walk)->nodes < NODES) {
        search_meet(s, point->places);
        point = tune_next(walk);
    }
    s->is_whole = !point;
    if (s->is_whole)
        return;
    point_set_clear(&s->set); /* the first of a walk are all alike */
    for (int i = 0; i < SEARCH_POOL && tune_draw(s->in.chain, &s->seed, &s->scratch); i++)
        search_meet(s, s->scratch.places);
}

Search *search_begin(Arena *arena, const SearchInput *input)
{
    Search *s = arena_new_array(arena, Search, 1);
    s->in = *input;
    s->arena = arena;
    s->seed = input->seed;
    point_set_init(&s->set, arena, input->chain->space.nparameters);
    s->scratch = tune_point(arena, input->chain);
    s->best = -1;
    s->descent.base = -1;
    fill_pool(s);
    return s;
}

/* ---------------------------------------------------------------- asking */

static void first_ask(Search *s, int most)
{
    int predicted = s->in.first - s->in.drawn;
    while (s->asked.count < most && s->taken < s->in.first) {
        int number = s->taken < predicted ? search_promising(s) : search_draw(s);
        if (number < 0)
            return;
        search_take(s, number);
    }
}

static void random_ask(Search *s, int most)
{
    for (int number; s->asked.count < most && (number = search_draw(s)) >= 0;)
        search_take(s, number);
}

int search_ask(Search *s, TunePoint *points, int most)
{
    s->asked.count = 0;
    if (s->in.kind == SEARCH_RANDOM)
        random_ask(s, most);
    else if (s->taken < s->in.first)
        first_ask(s, most);
    else
        descent_ask(s, most);
    for (int i = 0; i < s->asked.count; i++) {
        points[i] = tune_point(s->arena, s->in.chain);
        search_load(s, s->asked.items[i], &points[i]);
    }
    return s->asked.count;
}

/* ---------------------------------------------------------------- being told */

static void add_result(Search *s, int number)
{
    if (s->nresults == s->capacity) {
        s->capacity = 2 * s->capacity + 16;
        SearchResult *results = arena_new_array(s->arena, SearchResult, s->capacity);
        if (s->nresults)
            memcpy(results, s->results, sizeof(SearchResult) * (size_t)s->nresults);
        s->results = results;
    }
    s->met[number].result = s->nresults;
    s->results[s->nresults] = (SearchResult){.point = tune_point(s->arena, s->in.chain)};
    search_load(s, number, &s->results[s->nresults++].point);
    numbers_add(s->arena, &s->told, number);
}

/* The best up to each result, from the first of which something else is known. */
static void update_best(Search *s, int from)
{
    if (s->best >= from)
        s->best = -1;
    for (int i = s->best < 0 ? 0 : from; i < s->nresults; i++) {
        if (s->results[i].speed > search_best_speed(s))
            s->best = i;
        s->results[i].best = search_best_speed(s);
    }
}

static void tell(Search *s, const TunePoint *point, double speed)
{
    int number = search_meet(s, point->places);
    Met *met = &s->met[number];
    s->taken += !met->is_taken;
    met->is_taken = true;
    met->speed = speed > 0 ? speed : 0;
    if (met->result < 0)
        add_result(s, number);
    s->results[met->result].speed = met->speed;
    update_best(s, met->result);
}

void search_tell(Search *s, const TunePoint *points, const double *speeds, int n)
{
    bool was_first = s->nresults < s->in.first;
    for (int i = 0; i < n; i++)
        tell(s, &points[i], speeds[i]);
    s->unlearnt += n;
    bool is_first = was_first && s->nresults >= s->in.first; /* what comes now goes by predictions */
    if (!s->in.learn || s->unlearnt == 0 || (s->unlearnt < s->in.batch && !is_first))
        return;
    s->in.learn(s->in.user);
    s->learnt++;
    s->unlearnt = 0;
}

const SearchResult *search_best(const Search *s) { return s->best < 0 ? NULL : &s->results[s->best]; }

const SearchResult *search_results(const Search *s, int *n)
{
    *n = s->nresults;
    return s->results;
}
