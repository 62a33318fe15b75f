/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be chosen about the kernel that runs of a nest on a GPU, as a chain: the knobs that its form looks at, hard constraints of
 * threads, registers and shared memory, and which is preferred: the one that the features (tune/nests/device_features.h) promise most of.
 * Nothing is measured. */
#ifndef MIKGEN_TUNE_NESTS_GRID_SPACE_H
#define MIKGEN_TUNE_NESTS_GRID_SPACE_H

#include "tune/nests/device_counts.h"
#include "tune/search/constraint_chain.h"

/* Calls that count: each has a value for every scalar. */
typedef struct GridCalls {
    const ScalarValue *const *scalars; /* by call */
    int ncalls, nscalars;
} GridCalls;

typedef struct GridCounts GridCounts;

typedef struct GridSpace {
    const TuneChain *chain;    /* its soft constraint: the least of gains, over planned, over calls and kinds of GPU, in logarithms */
    GridKnob knob[GRID_KNOBS]; /* by parameter */
    TunePoint planned;
    const GridCounts *counts;  /* what every configuration takes */
} GridSpace;

/* Of the form that the emitted file chooses for these calls, if that is the same one, on a kind of GPU (plan/targets.h; -1: on all of them
 * at once). NULL: it is not, or extents depend on other scalars, or what is planned breaks a constraint. */
const GridSpace *grid_space(Ir *ir, const GridInput *in, const GridCalls *calls, int gpu);

GridKnobs grid_space_knobs(const GridSpace *space, const TunePoint *point);

/* What the features are made of, for a call: a configuration that survives. */
const DeviceNumbers *grid_space_numbers(const GridSpace *space, const TunePoint *point, int call);

/* As planned, unless another configuration promises more than a tenth for each call on each kind: then the best of those. */
GridKnobs grid_by_features(Ir *ir, const GridInput *in, const GridCalls *calls, int gpu);

#endif
