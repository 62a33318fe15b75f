/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Through the configurations of a chain that survive its hard constraints, one after the other, or some at random.
 *
 *     TuneWalk *walk = tune_walk(arena, chain, TUNE_AC3);
 *     for (const TunePoint *p; (p = tune_next(walk));)
 *         ... p->values[parameter] ...
 */
#ifndef MIKGEN_TUNE_SEARCH_CONSTRAINT_WALK_H
#define MIKGEN_TUNE_SEARCH_CONSTRAINT_WALK_H

#include "tune/search/constraint_chain.h"

/* What becomes of cheap constraints while some parameters that they read are unknown (A. K. Mackworth, "Consistency in networks of
 * relations", 1977; of constraints on more than two parameters: generalized arc consistency). DynaChain's worked example, 144 of 1296:
 * 786 nodes and 1080 evaluations, 286 and 4527, 286 and 345. */
typedef enum {
    TUNE_CHECK, /* nothing: they are asked when all is known, as the others */
    TUNE_AC1,   /* values that no values of the others agree with leave the domains: all arcs again until nothing changes */
    TUNE_AC3,   /* the same domains, by a queue of the arcs that a change concerns */
} TuneLook;

typedef struct TuneCounts {
    int64_t survivors;
    int64_t nodes;       /* values given to parameters; nothing is counted for a value that is no longer in the domain */
    int64_t dead;        /* those of them that no survivor came of, as far as the walk has come */
    int64_t evaluations; /* of hard constraints */
} TuneCounts;

typedef struct TuneWalk TuneWalk;

/* Begins a walk in depth, parameters in the order of the chain. Of each parameter's values come first those that the soft constraints
 * known there prefer, of equals the first of the domain. Whatever `look` is, the same survivors come in the same order. Owned by the
 * arena; its size follows from the number of parameters times that of all values, not from the number of configurations. */
TuneWalk *tune_walk(Arena *arena, const TuneChain *chain, TuneLook look);

/* The next survivor, until the next call; NULL when there are no more. */
const TunePoint *tune_next(TuneWalk *walk);

/* What the walk took so far. */
const TuneCounts *tune_counts(const TuneWalk *walk);

/* A number below n > 0, and a new seed (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014). */
int tune_random(uint64_t *seed, int n);

/* A configuration that survives, at random; the same of the same seed, which it changes. False if there is none.
 *
 * All are equally likely as long as TUNE_STARTS values drawn for all parameters, in the order of the chain up to the first broken
 * constraint, are enough to find one: about where one configuration in that many survives. Where they are not, a walk that
 * shuffles every parameter's values finds one; then those are more likely whose neighbours are broken. */
enum { TUNE_STARTS = 4096 };
bool tune_draw(const TuneChain *chain, uint64_t *seed, TunePoint *point);

#endif
