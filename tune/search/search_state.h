/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kinds of search share: the configurations that they have met, by number, and what is known of each. */
#ifndef MIKGEN_TUNE_SEARCH_SEARCH_STATE_H
#define MIKGEN_TUNE_SEARCH_SEARCH_STATE_H

#include "tune/search/constraint_walk.h"
#include "tune/search/point_set.h"
#include "tune/search/search.h"

typedef struct Met {
    double speed;     /* 0: not told, or it failed */
    double predicted; /* when learn had been called `learnt` times; -1: never */
    int learnt;
    int result;    /* its place in results; -1: not told */
    bool is_taken; /* asked or told: never to be asked for again */
    bool was_base;
} Met;

/* Numbers of configurations. */
typedef struct Numbers {
    int *items, count, capacity;
} Numbers;

typedef struct Descent {
    int base;           /* -1: a dead end */
    bool is_far;        /* its neighbours are those of three hops */
    int measured, near; /* of its neighbours: all, and of those of `is_far` */
    Numbers neighbours, window;
} Descent;

struct Search {
    SearchInput in;
    Arena *arena;
    uint64_t seed;
    PointSet set;
    Met *met; /* by number in the set */
    int met_capacity;
    bool is_whole;       /* the set is the whole space */
    TuneWalk *rest;      /* through what draws do not meet any more; NULL: they do */
    TunePoint scratch;
    int taken;
    int learnt, unlearnt; /* calls of learn; results since the last */
    SearchResult *results;
    Numbers told; /* of results */
    int nresults, capacity, best; /* best: in results; -1: none */
    Numbers asked;
    Descent descent;
};

void numbers_add(Arena *arena, Numbers *numbers, int number);

/* Puts them into random order. */
void numbers_shuffle(Numbers *numbers, uint64_t *seed);

/* Copies a configuration. */
void search_load(const Search *s, int number, TunePoint *point);

/* The number of a configuration, which has been met from now on. */
int search_meet(Search *s, const int *places);

/* Prediction, or preference. */
double search_score(Search *s, int number);

/* One that is not taken, at random. -1: all are. */
int search_draw(Search *s);

/* The first of `numbers` with the best score that is not taken; -1: all are. */
int search_favourite(Search *s, const Numbers *numbers);

/* The one with the best score of all that were met and are not taken, of equals one at random. -1: all are taken. */
int search_promising(Search *s);

/* Asks for it. */
void search_take(Search *s, int number);

/* True so often. */
bool search_chance(Search *s, double often);

/* The fastest of those told; 0: none. */
double search_best_speed(const Search *s);

/* Take up to `most` configurations. None: all are taken. */
void descent_ask(Search *s, int most);

#endif
