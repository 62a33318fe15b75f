/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls of a class gain by a configuration of their own: of those that a search has measured, the best of each class is measured once
 * more beside the best of all. */
#ifndef MIKGEN_GEN_TUNE_CLASS_SEARCH_H
#define MIKGEN_GEN_TUNE_CLASS_SEARCH_H

#include "tune/nests/class_choice.h"
#include "tune/nests/space.h"

/* A configuration that was measured: how many times as fast as planned at each shape; 0: it does not run. */
typedef struct NestTrial {
    TunePoint point;
    NestKnobs knobs;
    double *speeds;
} NestTrial;

typedef struct ClassSearch {
    Arena *arena;
    const NestSpace *space;
    ClassShapes shapes;
    TunePoint best;    /* of all calls */
    const Vec *trials; /* NestTrial *: whatever has been measured, in that order */
    int searched;      /* the first so many of these are the search's, the others were measured once more */
    /* Measures n <= CLASS_COUNT configurations and adds their trials, in their order. False: that is all. */
    bool (*measure)(const TunePoint *points, int n, void *user);
    void *user;
} ClassSearch;

/* What a class gets instead of the best of all. */
typedef struct ClassBest {
    NestKnobs knobs;
    double speed, gain; /* beside what is planned, and the best of all; 0: it has nothing of its own */
} ClassBest;

/* bests[CLASS_COUNT], zeroes before: of each class but CLASS_ALL. Measures nothing where no class seems to gain CLASS_WORTH. False: measuring
 * ended. */
bool class_search(const ClassSearch *search, ClassBest *bests);

#endif
