/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spaces of a spec's nests on a GPU, as the extents make them that are measured. */
#ifndef MIKGEN_GEN_TUNE_GRID_SPACES_H
#define MIKGEN_GEN_TUNE_GRID_SPACES_H

#include "gen/front/spec.h"
#include "gen/driver/options.h"
#include "plan/profile/profile.h"
#include "tune/measure_forms.h"
#include "tune/nests/grid_space.h"

/* Knobs that kernels of one kind look at, and the extents on which kernels run that look at some of them. */
typedef struct GridPart {
    const char *name; /* unique in the file */
    const GridSpace *space;
    NestShape *shapes; /* the first ncalls of these are the space's calls */
    int nshapes, ncalls;
} GridPart;

/* A nest with something to choose. */
typedef struct GridNest {
    const DeviceNest *nest;
    Vec parts; /* GridPart *, no knob in two of them, the one of most extents first */
} GridNest;

typedef struct GridSpacesInput {
    const Options *opt; /* opt->tuning says which part of the nests, and whether what the profile has is measured again */
    const SpecText *spec;
    const Vec *shapes; /* NestShape * */
    const Profile *profile;
    int gpu; /* the kind */
} GridSpacesInput;

/* Adds GridNest * to `nests`, of nests that are alike the first one. *met: how many there are that have something to choose, known or not,
 * of whatever part. What comes of it is the Ir's. False after a message. */
bool grid_spaces(Ir *ir, const GridSpacesInput *in, Vec *nests, int *met);

#endif
