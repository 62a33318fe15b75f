/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations met; draws and choices among them. */
#include "tune/search/search_state.h"

#include <string.h>

/* ---------------------------------------------------------------- lists of numbers */

void numbers_add(Arena *arena, Numbers *numbers, int number)
{
    if (numbers->count == numbers->capacity) {
        numbers->capacity = 2 * numbers->capacity + 16;
        int *items = arena_new_array(arena, int, numbers->capacity);
        if (numbers->count)
            memcpy(items, numbers->items, sizeof(int) * (size_t)numbers->count);
        numbers->items = items;
    }
    numbers->items[numbers->count++] = number;
}

void numbers_shuffle(Numbers *numbers, uint64_t *seed)
{
    for (int i = numbers->count - 1; i > 0; i--) {
        int other = tune_random(seed, i + 1), number = numbers->items[i];
        numbers->items[i] = numbers->items[other];
        numbers->items[other] = number;
    }
}

/* ---------------------------------------------------------------- configurations */

void search_load(const Search *s, int number, TunePoint *point)
{
    for (int i = 0; i < s->set.nparameters; i++)
        tune_set(s->in.chain, point, i, point_set_places(&s->set, number)[i]);
}

int search_meet(Search *s, const int *places)
{
    int count = s->set.count, number = point_set_add(&s->set, places);
    if (number < count)
        return number;
    if (number == s->met_capacity) {
        s->met_capacity = 2 * s->met_capacity + 64;
        Met *met = arena_new_array(s->arena, Met, s->met_capacity);
        if (number)
            memcpy(met, s->met, sizeof(Met) * (size_t)number);
        s->met = met;
    }
    s->met[number] = (Met){.learnt = -1, .result = -1};
    return number;
}

double search_score(Search *s, int number)
{
    Met *met = &s->met[number];
    if (met->learnt != s->learnt) {
        search_load(s, number, &s->scratch);
        met->predicted = s->in.predict ? s->in.predict(&s->scratch, s->in.user) : tune_preference(s->in.chain, s->scratch.values);
        met->learnt = s->learnt;
    }
    return met->predicted;
}

bool search_chance(Search *s, double often) { return tune_random(&s->seed, 1 << 30) < often * (1 << 30); }

double search_best_speed(const Search *s) { return s->best < 0 ? 0 : s->results[s->best].speed; }

void search_take(Search *s, int number)
{
    s->met[number].is_taken = true;
    s->taken++;
    numbers_add(s->arena, &s->asked, number);
}

/* ---------------------------------------------------------------- choices */

enum { TRIES = 64 };

/* Of those met, each as likely as the others. */
static int draw_met(Search *s)
{
    int drawn = -1, left = 0;
    for (int i = 0; i < TRIES && s->set.count > 0; i++) {
        int number = tune_random(&s->seed, s->set.count);
        if (!s->met[number].is_taken)
            return number;
    }
    for (int i = 0; i < s->set.count; i++)
        if (!s->met[i].is_taken && tune_random(&s->seed, ++left) == 0)
            drawn = i;
    return drawn;
}

int search_draw(Search *s)
{
    if (s->is_whole)
        return draw_met(s);
    for (int i = 0; i < TRIES && !s->rest && tune_draw(s->in.chain, &s->seed, &s->scratch); i++) {
        int number = search_meet(s, s->scratch.places);
        if (!s->met[number].is_taken)
            return number;
    }
    if (!s->rest)
        s->rest = tune_walk(s->arena, s->in.chain, TUNE_AC3);
    for (const TunePoint *point; (point = tune_next(s->rest));) {
        int number = search_meet(s, point->places);
        if (!s->met[number].is_taken)
            return number;
    }
    return -1;
}

int search_favourite(Search *s, const Numbers *numbers)
{
    int best = -1;
    for (int i = 0; i < numbers->count; i++) {
        int number = numbers->items[i];
        if (!s->met[number].is_taken && (best < 0 || search_score(s, number) > search_score(s, best)))
            best = number;
    }
    return best;
}

int search_promising(Search *s)
{
    int best = -1, equals = 0;
    for (int i = 0; i < s->set.count; i++) {
        if (s->met[i].is_taken || (best >= 0 && search_score(s, i) < search_score(s, best)))
            continue;
        equals = best >= 0 && search_score(s, i) == search_score(s, best) ? equals + 1 : 1;
        if (tune_random(&s->seed, equals) == 0)
            best = i;
    }
    return best;
}
