/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nest's loops gone through with numbers, once: how often each loop runs, what its iterations do, and where in memory. A loop stands for
 * all its iterations by the one halfway; one whose vectors are masked by that and the last one. */
#ifndef MIKGEN_TUNE_NESTS_REPLAY_H
#define MIKGEN_TUNE_NESTS_REPLAY_H

#include "plan/plan.h"
#include "tune/nests/dual.h"
#include "tune/nests/machine.h"

typedef struct FeatureValue {
    const Sym *sym; /* an integer parameter of the operator */
    int64_t value;
} FeatureValue;

/* A configuration, which vectorize_nest() has made a form of, and a shape. */
typedef struct FeatureInput {
    Ir *ir;
    const Plan *plan;
    const HostNest *nest;
    VectorSetId set;
    const FeatureValue *values;
    int nvalues;
    Machine machine;
} FeatureInput;

/* How often, in all. An instruction of a vector counts as one, as does one of a scalar that the loops compute with. */
typedef struct Work {
    double arithmetic;  /* in terms of an addition: a division is DIVISION of them, a function CALL */
    double calls, loads, stores, prefetches;
    double gathered, scattered; /* lanes of gathers and scatters, each a load or a store, too */
    double far_lanes; /* of gathers, so many times as they take loads besides their own: far apart, narrow, stored by the nest */
    double scalars; /* of addresses, counters, branches */
    double guesses; /* branches of which nobody knows which way they go */
    double wanted, lanes; /* over statements: lanes that count, all lanes that there are */
    double in_main; /* of `wanted`: in loops that no other one leaves something to */
} Work;

enum { DIVISION = 8, CALL = 20, START = 2 /* cycles until a loop runs */ };

typedef struct ReplayLoop {
    const Node *loop; /* NULL: the first, which is the nest as a whole and runs once */
    const Node *body;
    int parent, depth; /* its number; loops around, -1 of the first */
    double runs; /* how often it is begun, */
    double trips; /* its iterations each time, */
    double at; /* and the one that stands for them */
    bool innermost, is_main;
    bool is_guess; /* nobody knows its iterations: UNKNOWN_TRIPS */
    Work work; /* of its own iterations, without loops inside, with what these do not change */
} ReplayLoop;

typedef struct ReplayAccess {
    const Sym *array;
    int loop; /* number of the innermost loop that it changes in */
    double times;
    Dual place; /* elements */
    int element; /* bytes */
    double run; /* so many elements are neighbours, */
    double lanes; /* of so many of these runs, */
    double apart; /* which begin so many elements apart; NAN: nobody knows how many */
    bool stores, non_temporal; /* non-temporal stores */
} ReplayAccess;

typedef struct Replay {
    Vec loops; /* ReplayLoop *, after those around */
    Vec accesses; /* ReplayAccess * */
    Numbers numbers; /* as the nest ends */
    double iterations; /* of innermost loops, in all */
} Replay;

enum { UNKNOWN_TRIPS = 16 }; /* of a loop of which nobody knows */

/* Of `body`, one of the nest's. An expression counts once in an iteration until something that it reads changes, and outside of loops that
 * do not change it: compilers share and move it. What a condition leaves open counts half on each side. */
Replay *replay_nest(const FeatureInput *in, Arena *arena, const Node *body);

#endif
