/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loops of nests are to be like on CPUs where no profile says so: what the built-in model expects to be clearly faster than planned. */
#ifndef MIKGEN_GEN_DRIVER_NEST_CHOICE_H
#define MIKGEN_GEN_DRIVER_NEST_CHOICE_H

#include "plan/plan.h"
#include "plan/profile/profile.h"
#include "tune/search/trees.h"

/* The texts of tune/models, ended by a NULL (cmake/EmbedTexts.cmake). */
extern const char *const built_in_models[];

/* The models that such texts have, by the instruction set that each is about; NULL: none is about that. Owned by the arena. */
void models_read(Arena *arena, const char *const *texts, const Trees *models[SET_COUNT]);

/* For a run: what it has chosen so far. Zero-initialise but for the models and the profile. */
typedef struct NestChooser {
    const Trees *const *models; /* SET_COUNT of them, as models_read() has them */
    const Profile *profile; /* NULL: there is none */
    Vec chosen; /* of its own */
} NestChooser;

/* Sets HostNest.chosen.knobs and expected of the plan's nests for the instruction sets that there is a model of, unless the profile has a line about
 * the nest and the set: on extents within hints, else sampled (gen/driver/nest_shapes.h). Loops that compute the same are chosen once. What it
 * tries takes no memory afterwards. */
void choose_by_model(NestChooser *chooser, Ir *ir, Plan *plan, const PlanOptions *opt);

/* What it would choose for this nest of the plan and this set, whatever the profile says; NULL: as planned. Owned by the Ir's arena. */
const NestKnobs *chosen_by_model(NestChooser *chooser, Ir *ir, const Plan *plan, const HostNest *nest, VectorSetId set,
                                 const PlanOptions *opt);

#endif
