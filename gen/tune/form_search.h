/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of one nest's space: --search says how, and what a configuration takes is measured beside what is planned. The same for both
 * targets. */
#ifndef MIKGEN_GEN_TUNE_FORM_SEARCH_H
#define MIKGEN_GEN_TUNE_FORM_SEARCH_H

#include "gen/driver/options.h"
#include "tune/search/constraint_chain.h"

/* How many configurations are measured side by side, at most. */
enum { FORM_BATCH = 16 };

typedef struct FormSearch {
    Arena *arena;
    const Options *opt;
    const TuneChain *chain;
    const TunePoint *planned;
    const TunePoint *usual; /* what is done where nothing is measured; NULL: as planned */
    double deadline; /* on measure_clock; no more are measured then. 0: none */
    bool knows_others; /* predictions come of other nests: fewer first measurements are needed, of which fewer are sampled */
    double (*predict)(const TunePoint *point, void *user); /* as SearchInput has it */
    void (*learn)(void *user);                             /* likewise */
    /* Measures n <= FORM_BATCH configurations in at least so many rounds; speeds: how many times as fast as planned each is, 0: it does not
     * run. Asked for one again, `confirms` is set. False: that is all. */
    bool (*measure)(const TunePoint *points, int n, int least, double *speeds, void *user);
    void (*show)(int more, void *user); /* so many more are measured; NULL: nobody looks */
    void *user;
    /* What came of it, and has come so far: */
    TunePoint best;
    double best_speed; /* 1: it stays as planned */
    int measured;
    bool confirms;
} FormSearch;

/* How many configurations of a space of that size will be measured. */
int search_measurements(const TuneOptions *tuning, int64_t size);

/* Configurations of a space. */
int64_t space_size(Arena *arena, const TuneChain *chain);

/* Is it later than that? 0: never. */
bool is_over(double deadline);

/* Searches. The best is measured once more, beside what is usual, and has to be worth it. False: measuring ended, or time before anything was measured. */
bool form_search(FormSearch *search);

#endif
