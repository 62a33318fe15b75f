/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ansor's evolutionary search. It draws its parents by a roulette wheel of predicted speeds; without predictions, by tournaments of
 * measured ones. */
#include "tune/search/search_state.h"

#include <math.h>

enum { POPULATION = 256, MEASURED = POPULATION / 5, GENERATIONS = 4, TOURNAMENT = 3, TRIES = 32 };
#define MUTATIONS 0.85 /* of the children: the others are crossed */

/* The mother with another value for one parameter, or with some of the father's. -1: what survives was not found. */
static int breed(Search *s, int mother, int father)
{
    const TuneSpace *space = &s->in.chain->space;
    bool is_mutation = search_chance(s, MUTATIONS);
    for (int try = 0; try < TRIES; try++) {
        search_load(s, mother, &s->scratch);
        int changed = tune_random(&s->seed, space->nparameters), count = space->parameters[changed].count;
        if (is_mutation && count > 1)
            tune_set(s->in.chain, &s->scratch, changed, (s->scratch.places[changed] + 1 + tune_random(&s->seed, count - 1)) % count);
        for (int i = 0; i < space->nparameters && !is_mutation; i++)
            if (tune_random(&s->seed, 2))
                tune_set(s->in.chain, &s->scratch, i, search_places(s, father)[i]);
        if (tune_survives(s->in.chain, s->scratch.values))
            return search_meet(s, s->scratch.places);
    }
    return -1;
}

/* ---------------------------------------------------------------- with predictions */

/* The fastest of those told, and others drawn. */
static void found(Search *s, Arena *arena, Numbers *population)
{
    bool *is_in = arena_new_array(arena, bool, s->told.count);
    while (population->count < MEASURED) {
        int best = -1;
        for (int i = 0; i < s->told.count; i++)
            if (!is_in[i] && s->results[i].speed > (best < 0 ? 0 : s->results[best].speed))
                best = i;
        if (best < 0)
            break;
        is_in[best] = true;
        numbers_add(arena, population, s->told.items[best]);
    }
    for (int number; population->count < POPULATION && (number = search_draw(s)) >= 0;)
        numbers_add(arena, population, number);
}

/* sums[i]: predicted speeds up to i, relative to the highest. */
static void spin(Search *s, const Numbers *population, double *sums)
{
    double highest = -INFINITY, sum = 0;
    for (int i = 0; i < population->count; i++)
        highest = fmax(highest, search_score(s, population->items[i]));
    for (int i = 0; i < population->count; i++)
        sums[i] = sum += exp(search_score(s, population->items[i]) - highest);
}

static int roulette(Search *s, const Numbers *population, const double *sums)
{
    double at = tune_random(&s->seed, 1 << 30) * sums[population->count - 1] / (1 << 30);
    int i = 0;
    while (i + 1 < population->count && sums[i] <= at)
        i++;
    return population->items[i];
}

/* All that were in a generation. */
static void evolve(Search *s, Arena *arena, Numbers *all)
{
    Numbers population = {0};
    double sums[POPULATION];
    found(s, arena, &population);
    for (int generation = 0; generation <= GENERATIONS; generation++) {
        Numbers children = {0};
        for (int i = 0; i < population.count; i++)
            numbers_add(arena, all, population.items[i]);
        spin(s, &population, sums);
        for (int i = 0; i < population.count && generation < GENERATIONS; i++) {
            int mother = roulette(s, &population, sums), father = roulette(s, &population, sums), child = breed(s, mother, father);
            numbers_add(arena, &children, child >= 0 ? child : mother);
        }
        population = children;
    }
}

/* ---------------------------------------------------------------- without */

static int tournament(Search *s)
{
    int winner = s->told.items[tune_random(&s->seed, s->told.count)];
    for (int i = 1; i < TOURNAMENT; i++) {
        int other = s->told.items[tune_random(&s->seed, s->told.count)];
        winner = s->met[other].speed > s->met[winner].speed ? other : winner;
    }
    return winner;
}

static int child_of_measured(Search *s)
{
    for (int try = 0; try < TRIES && s->told.count; try++) {
        int mother = tournament(s), father = tournament(s), child = breed(s, mother, father);
        if (child >= 0 && !s->met[child].is_taken)
            return child;
    }
    return -1;
}

void genetic_ask(Search *s, int most)
{
    Arena *arena = arena_new();
    Numbers all = {0};
    int want = most < s->in.batch ? most : s->in.batch;
    if (s->in.predict)
        evolve(s, arena, &all);
    while (s->asked.count < want) {
        int number = -1;
        if (!search_chance(s, s->in.diversity))
            number = s->in.predict ? search_favourite(s, &all) : child_of_measured(s);
        if (number < 0)
            number = search_draw(s);
        if (number < 0)
            break;
        search_take(s, number);
    }
    arena_free(arena);
}
