/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times several ways of computing the same thing, in turns: in each round every entry makes as many calls as take a few
 * milliseconds, after one untimed call if calls are short; the order rotates from round to round, and the best turn counts.
 * One thread's time is its processor time, several threads' the clock's. A turn during which somebody else used one of the
 * cores, as a short loop of multiply-adds before and behind it tells, is repeated, for at most a second in all.
 */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include <stdbool.h>

#include "pool.h"

enum { MAX_ENTRIES = 16 };

typedef struct Race {
    Pool *pool;    /* as many threads as every entry uses; its own use is to ask whether cores are free */
    double budget; /* seconds that all turns together should take; between 3 and 10 rounds */
    int entries;   /* entry 0 is in every round; others that take three times as long as the best are in the first only */
    void (*run)(void *ctx, int entry, int calls);
    void *ctx;
    int turns, busy; /* counted up: turns, and those among them during which somebody else used a core */
    double free_fma; /* multiply-adds when all cores are free, the highest seen; 0 at first */
} Race;

/* seconds[e]: of one call of entry e; skip[e]: it does not take part, and seconds[e] is 0. */
void race(Race *race, const bool *skip, double *seconds);
/* Lets the threads of other libraries go to sleep, if there are any: before a call whose time or result matters. */
void race_settle(const Race *race);

#endif
