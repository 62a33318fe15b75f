/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dynamic gradient descent: bases, windows of their neighbours, dead ends. What came of a window is judged when the next is asked
 * for. */
#include "tune/search/search_state.h"

#include <math.h>

static bool add_neighbour(const TunePoint *point, void *user)
{
    Search *s = user;
    int number = search_meet(s, point->places);
    if (!s->met[number].is_taken)
        numbers_add(s->arena, &s->descent.neighbours, number);
    return true;
}

/* Those of one and two hops, or of three; of equal predictions one at random comes first. */
static void gather(Search *s, bool is_far)
{
    Descent *d = &s->descent;
    Arena *arena = arena_new();
    TunePoint base = tune_point(arena, s->in.chain);
    search_load(s, d->base, &base);
    d->neighbours.count = d->near = 0;
    d->is_far = is_far;
    for (int hops = is_far ? 3 : 1; hops <= (is_far ? 3 : 2); hops++)
        tune_neighbours(s->in.chain, &base, hops, add_neighbour, s);
    arena_free(arena);
    numbers_shuffle(&d->neighbours, &s->seed);
}

static void move(Search *s, int base)
{
    s->descent.base = base;
    s->descent.measured = 0;
    s->met[base].was_base = true;
    gather(s, false);
}

/* These neighbours are given up. */
static void give_up(Search *s)
{
    if (s->descent.is_far)
        s->descent.base = -1;
    else
        gather(s, true);
}

/* The fastest of the list that has not been a base; -1: there is none that did not fail. */
static int fastest(const Search *s, const Numbers *numbers)
{
    int best = -1;
    for (int i = 0; i < numbers->count; i++) {
        const Met *met = &s->met[numbers->items[i]];
        if (met->speed > (best < 0 ? 0 : s->met[best].speed) && !met->was_base)
            best = numbers->items[i];
    }
    return best;
}

static void judge(Search *s)
{
    Descent *d = &s->descent;
    int best = fastest(s, d->base < 0 ? &s->told : &d->window);
    double speed = best < 0 ? 0 : s->met[best].speed;
    d->measured += d->window.count;
    d->near += d->window.count;
    if (best >= 0 && (d->base < 0 || speed > s->met[d->base].speed))
        move(s, best);
    else if (d->measured >= s->in.patience)
        d->base = -1;
    else if (d->base >= 0 && d->near >= SEARCH_ENOUGH && speed < s->in.threshold * search_best_speed(s))
        give_up(s);
}

/* The next neighbour to measure; -1: they are given up. */
static int next_neighbour(Search *s)
{
    Descent *d = &s->descent;
    int best = search_favourite(s, &d->neighbours);
    bool is_slow = best >= 0 && s->in.predict && search_score(s, best) < search_score(s, d->base) + log(s->in.threshold);
    return is_slow ? -1 : best;
}

/* With the chance of something else in its place. */
static void take(Search *s, int number)
{
    int drawn = search_chance(s, s->in.diversity) ? search_draw(s) : -1;
    search_take(s, drawn >= 0 ? drawn : number);
}

void descent_ask(Search *s, int most)
{
    Descent *d = &s->descent;
    int number, want = most < s->in.window ? most : s->in.window;
    judge(s);
    while (d->base >= 0 && s->asked.count == 0) {
        while (s->asked.count < want && (number = next_neighbour(s)) >= 0)
            take(s, number);
        if (s->asked.count == 0)
            give_up(s);
    }
    while (d->base < 0 && s->asked.count < want && (number = search_promising(s)) >= 0)
        take(s, number);
    if (s->asked.count == 0 && (number = search_draw(s)) >= 0)
        search_take(s, number);
    d->window.count = 0;
    for (int i = 0; i < s->asked.count; i++)
        numbers_add(s->arena, &d->window, s->asked.items[i]);
}
