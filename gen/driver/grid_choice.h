/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels of nests are to be like on GPUs. */
#ifndef MIKGEN_GEN_DRIVER_GRID_CHOICE_H
#define MIKGEN_GEN_DRIVER_GRID_CHOICE_H

#include "plan/plan.h"
#include "plan/profile/profile.h"

/* For `mikgen tune`: what becomes of nests while their configurations are compared. */
typedef struct GridSearch {
    const GridForms *forms; /* of these nests, which are as planned besides */
    int nforms;
    /* Told of each nest of an operator; NULL: nobody asks. What it is told lasts as long as the call. */
    void (*meet)(void *user, Ir *ir, const Func *func, const GridInput *in);
    void *user;
} GridSearch;

typedef struct GridChooser {
    const Profile *profile; /* NULL: there is none */
    int gpu;                /* the kind that the file is compiled for (plan/targets.h); -1: nobody says */
    const Func *func;       /* the operator */
    const GridSearch *search; /* NULL: nothing is compared */
} GridChooser;

/* PlanOptions.grid_knobs; `chooser` is a GridChooser. What the profile says of the nest; else, where hints and constants say how many
 * iterations loops have, what features promise clearly more of for the least, the greatest and a middle call; else as planned. */
GridKnobs choose_grid(const void *chooser, Ir *ir, const GridInput *in);

#endif
