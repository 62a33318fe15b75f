/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for the fastest configuration of a chain. A search asks for measurements and is told what came of them; it measures nothing,
 * and what to expect of a configuration says a function that it is given.
 *
 *     SearchInput input = search_defaults(chain, SEARCH_DESCENT, seed);
 *     input.predict = ..., input.learn = ..., input.user = ...;
 *     Search *search = search_begin(arena, &input);
 *     for (int n; measured < budget && (n = search_ask(search, points, 8)) > 0; measured += n) {
 *         ... speeds[i] of points[i] ...
 *         search_tell(search, points, speeds, n);
 *     }
 *     ... search_best(search)->point ...
 *
 * SEARCH_DESCENT: the dynamic gradient descent of Ansor-AF-DS ("Accelerated Auto-Tuning of GPU Kernels for Tensor Computations", ICS
 * 2024). Neighbours of a base, of one and two hops, are measured in windows, first those that are predicted to be the fastest. As soon
 * as one beats the base, its window's best is the next base. Neighbours are given up when what is next falls below `threshold` of
 * the base, both as predicted, or when at least SEARCH_ENOUGH are measured and a window's best falls below `threshold` of the best
 * there is; then those of three hops are tried in the same way. At a dead end the next window are those of the pool that are
 * predicted to be the fastest; the next base is the fastest of all that are measured and have not been one. Beyond the paper: a base
 * is left when `patience` comes to an end.
 *
 * SEARCH_RANDOM: draws, as tune_draw() has them. */
#ifndef MIKGEN_TUNE_SEARCH_SEARCH_H
#define MIKGEN_TUNE_SEARCH_SEARCH_H

#include "tune/search/constraint_chain.h"

typedef enum { SEARCH_DESCENT, SEARCH_RANDOM } SearchKind;

/* SEARCH_WHOLE: with no more survivors than that, the pool is the whole space; else it is SEARCH_POOL draws, and all that was met. */
enum { SEARCH_WHOLE = 20000, SEARCH_POOL = 2048, SEARCH_ENOUGH = 9 };

typedef struct SearchInput {
    const TuneChain *chain;
    SearchKind kind;
    uint64_t seed;
    /* The logarithm of the speed to expect, but for a constant; NULL: soft constraints say what comes first. */
    double (*predict)(const TunePoint *point, void *user);
    void (*learn)(void *user); /* called when predictions may become better, by all that was told; NULL: they stay as they are */
    void *user;
    int batch;        /* so many results between two calls of learn, or as soon as `first` are told; > 0 */
    int first;        /* so many are measured before the search goes its way; told ones count */
    int drawn;        /* so many of them, the last, are drawn at random, the others predicted to be the fastest */
    int window;       /* SEARCH_DESCENT: neighbours measured at once, > 0 */
    double threshold; /* SEARCH_DESCENT: 0 to 1, of a speed */
    int patience;     /* SEARCH_DESCENT: neighbours of one base that may be measured without one that beats it, > 0 */
    double diversity; /* how often, 0 to 1, a configuration drawn at random takes the place of another (not in SEARCH_RANDOM) */
} SearchInput;

/* What was told, in that order. */
typedef struct SearchResult {
    TunePoint point;
    double speed; /* 0: it failed */
    double best;  /* of the results up to here */
} SearchResult;

typedef struct Search Search;

/* Nothing is predicted or learnt, and `first` are all drawn: where predictions know other shapes, draw 4.
 *
 * What replays say, of a synthetic product, 12 shapes one after the other with one model of boosted trees and 1 % noise: share of the
 * optimum after 24 and 64 measurements, of 23,112 configurations and of 2,218,752, mean of 8 to 40 orders (16 orders: 0.003 off):
 *
 *     descent                     0.959  0.984    0.900  0.945
 *     descent without patience    0.961  0.976    0.891  0.938
 *     random                      0.836  0.882    0.778  0.830
 *
 * Without patience it stays where it is: a good base has more neighbours above 0.6 of it than anyone measures; 9 is a little worse. No
 * difference make thresholds from 0.6 to 0.9, diversity from 0.1 to 0.3, patience from 3 to 6, and promising ones kept apart. */
SearchInput search_defaults(const TuneChain *chain, SearchKind kind, uint64_t seed);

/* Where what is measured has to be compiled, as many at once as may be: a window of 8, which on 23 measured spaces was as good as one of 3
 * (bench/tune.sh search) and takes a third of the compiling. knows_others: predictions come of other spaces; fewer first measurements are
 * needed, of which fewer are drawn. */
SearchInput search_compiled(const TuneChain *chain, SearchKind kind, uint64_t seed, bool knows_others);

/* Begins a search, which the arena owns; so it does what the search needs later: linear in the configurations met. What the input points
 * to is borrowed and must outlive it. The same input, and the same told: the same is asked. Walks through the space as far as the pool
 * needs it. */
Search *search_begin(Arena *arena, const SearchInput *input);

/* What to measure now: up to `most` > 0 configurations, written to `points`, whose memory is the search's and lasts as long. All survive
 * and are different from all that were asked or told before. Returns their number: 0 when there are no others. What is asked and
 * not told by the next call is not waited for. */
int search_ask(Search *search, TunePoint *points, int most);

/* How fast they are, in any unit, the same throughout; 0 or less: it failed. They may come in any order, and need not have been asked for:
 * so a search goes on where another has ended. What is told again takes the old result's place. */
void search_tell(Search *search, const TunePoint *points, const double *speeds, int n);

/* The fastest, of equals the first; NULL: none was told that did not fail. Until search_tell(). */
const SearchResult *search_best(const Search *search);

/* All, and their number. Until search_tell(). */
const SearchResult *search_results(const Search *search, int *n);

#endif
