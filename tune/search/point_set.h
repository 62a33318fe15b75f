/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations of a chain, each once, by number in the order in which they came. */
#ifndef MIKGEN_TUNE_SEARCH_POINT_SET_H
#define MIKGEN_TUNE_SEARCH_POINT_SET_H

#include "tune/search/constraint_chain.h"

typedef struct PointSet {
    Arena *arena;
    int nparameters, count, capacity;
    int *places; /* configuration i: places[i * nparameters] and those behind it */
    int *slots;  /* a hash table of numbers + 1, 0 where it is empty; 2 * capacity, a power of two */
} PointSet;

/* An empty set, in the arena: its memory follows from the number of configurations times that of parameters. */
void point_set_init(PointSet *set, Arena *arena, int nparameters);

/* The places of configuration `number`, until the next one is added. */
const int *point_set_places(const PointSet *set, int number);

/* The same, but adds it if it is not there: then its number is what `count` was. */
int point_set_add(PointSet *set, const int *places);

/* Takes all out. */
void point_set_clear(PointSet *set);

#endif
