/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of one nest's spaces on a GPU. */
#ifndef MIKGEN_GEN_TUNE_GRID_SEARCH_H
#define MIKGEN_GEN_TUNE_GRID_SEARCH_H

#include <stdio.h>

#include "gen/tune/grid_spaces.h"
#include "gen/tune/tune_report.h"
#include "tune/cuda.h"
#include "tune/progress.h"

/* A run of `mikgen tune` over the nests of a spec. */
typedef struct GridTuner {
    Arena *arena;
    const Options *opt;
    Session *session;  /* of the measuring program (templates/tune_grids.cu.j2) */
    CudaDevice device;
    Vec choices;       /* const char *: its forms by number, in words */
    Profile *profile;
    FILE *table;       /* of --measurements; NULL: none */
    TuneReport *report;
    Progress progress;
    double deadline;   /* on measure_clock; 0: none */
    int status;        /* the exit status, as soon as it is not 0 */
} GridTuner;

/* How many configurations of it will be measured. */
int grid_measurements(Arena *arena, const Options *opt, const GridNest *nest);

/* All configurations of a part but the planned one, in the order of its chain; *n: how many. Arena-owned. */
GridKnobs *grid_configurations(Arena *arena, const GridPart *part, int *n);

/* Searches the nest's parts, one after the other, and puts its line into the profile. False when that is all. */
bool search_grid(GridTuner *t, const GridNest *nest);

#endif
