/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A space of configurations as a chain of constraints: DynaChain's constraint dependency chain ("Constraint-Driven Auto-Tuning of
 * GEMM-like Operators for MT-3000 Many-core Processor", section 3.4).
 *
 *     parameters   tile in {16, 24, 32}, block in {64, 96}
 *     constraints  hard: block mod tile = 0      soft: larger tiles
 *     edges        tile -> block
 *
 * Parameters get an order that edges allow. A hard constraint is asked as soon as all parameters that it reads are known: what it
 * breaks is never completed. Soft constraints say what comes first; they exclude nothing. All of it is data: what a constraint means
 * only its function knows. tune/search/constraint_walk.h goes through the configurations that survive. */
#ifndef MIKGEN_TUNE_SEARCH_CONSTRAINT_CHAIN_H
#define MIKGEN_TUNE_SEARCH_CONSTRAINT_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "tune/search/topological.h"

typedef struct TuneParameter {
    const char *name;
    const int64_t *values; /* its domain, in the order that makes neighbours of values; all different */
    int count;             /* > 0 */
} TuneParameter;

typedef enum { TUNE_HARD, TUNE_SOFT } TuneKind;

typedef struct TuneConstraint {
    const char *name;
    TuneKind kind;
    const int *reads; /* parameters, all different: the function must look at no other, whose values may be anything */
    int nreads;       /* > 0 */
    /* Of the parameters' values, by parameter, and `user`. The same arguments, the same answer. */
    union {
        bool (*holds)(const int64_t *values, void *user);     /* TUNE_HARD */
        double (*prefers)(const int64_t *values, void *user); /* TUNE_SOFT: the more the better */
    };
    void *user;
    double weight; /* TUNE_SOFT: of its preference in a sum; > 0 */
    bool is_cheap; /* TUNE_HARD: asked ahead, of values of parameters that are not known yet */
} TuneConstraint;

/* Parameters that belong together: DynaChain's strategies (split, reorder, unroll ...). */
typedef struct TuneStrategy {
    const char *name;
    const int *parameters;
    int count;
} TuneStrategy;

typedef struct TuneSpace {
    const TuneParameter *parameters;
    int nparameters; /* > 0 */
    const TuneConstraint *constraints;
    int nconstraints;
    const TuneEdge *edges; /* between parameters */
    int nedges;
    const TuneStrategy *strategies;
    int nstrategies;
    const TuneEdge *strategy_edges; /* all parameters of `from`, and of what comes before it, come before those of `to` */
    int nstrategy_edges;
} TuneSpace;

/* One end of a hard constraint that is cheap: whether each value of `parameter` agrees with some values of the others it reads. */
typedef struct TuneArc {
    int constraint, parameter;
} TuneArc;

/* A space with its order. Nothing in it changes after tune_chain(): threads may share it. */
typedef struct TuneChain {
    TuneSpace space;
    int *order; /* order[level]: the parameter that becomes known there */
    /* Constraints that become known at a level, as they were declared: known[begin[level]] .. known[begin[level + 1] - 1]. */
    int *known, *begin;
    TuneArc *arcs;    /* as constraints, and in them reads, were declared */
    int narcs;
    int *first_value; /* of each parameter in one line of all parameters' values; one more: their number */
} TuneChain;

/* A configuration, by parameter: the values and their places in the domains. */
typedef struct TunePoint {
    int *places;
    int64_t *values;
} TunePoint;

/* Orders the space: Kahn's algorithm, of several free parameters the one declared first. What the space points to is borrowed and
 * must outlive the chain, which the arena owns. NULL, and *error says in one line of the arena what is wrong, where edges or strategies
 * form a cycle (which is named) or the space is not as declared above. */
const TuneChain *tune_chain(Arena *arena, const TuneSpace *space, const char **error);

/* Number of configurations without constraints. */
double tune_raw_size(const TuneChain *chain);

/* Room for a configuration, with every parameter at its first value. Owned by the arena. */
TunePoint tune_point(Arena *arena, const TuneChain *chain);

/* The same point in arrays of its own. Arena-owned. */
TunePoint tune_copy(Arena *arena, const TuneChain *chain, const TunePoint *point);

/* Gives `parameter` the value at `place` of its domain. */
void tune_set(const TuneChain *chain, TunePoint *point, int parameter, int place);

/* Whether the hard constraints hold that become known at this level of the order, and all of its parameters up to there are known.
 * They are asked as declared, up to the first that is broken, and counted; without those that are cheap if `cheap` is false. */
bool tune_level_holds(const TuneChain *chain, const int64_t *values, int level, bool cheap, int64_t *evaluations);

/* Whether all hard constraints hold. */
bool tune_survives(const TuneChain *chain, const int64_t *values);

/* Preferences of the soft constraints that become known at this level, times their weights: their sum. */
double tune_level_preference(const TuneChain *chain, const int64_t *values, int level);

/* The same of all. */
double tune_preference(const TuneChain *chain, const int64_t *values);

/* Calls `visit` with each configuration that survives and differs from `from` in exactly `hops` parameters, in each by one place of its
 * domain, until it returns false: the steps of the dynamic gradient descent of Ansor-AF-DS, of one, two and three hops. In the order of
 * the chain, unchanged before a place less before a place more. The point lasts until visit returns. False if visit did. */
typedef bool TuneVisit(const TunePoint *point, void *user);
bool tune_neighbours(const TuneChain *chain, const TunePoint *from, int hops, TuneVisit *visit, void *user);

#endif
