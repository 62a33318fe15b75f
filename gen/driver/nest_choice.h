/* What loops of nests are to be like on CPUs where no profile says so: what the built-in model expects to be clearly faster than planned. */
#ifndef MIKGEN_GEN_NEST_CHOICE_H
#define MIKGEN_GEN_NEST_CHOICE_H

#include "plan/plan.h"
#include "plan/profile/profile.h"
#include "tune/search/trees.h"

/* The model that tune/models/nests.trees has, whose text is in the executable; NULL: it is of another instruction set. Owned by the arena. */
const Trees *built_in_model(Arena *arena, VectorSetId set);

/* The text of tune/models/nests.trees, and a NULL (cmake/EmbedTexts.cmake). */
extern const char *const built_in_models[];

/* For a run: what it has chosen so far. Zero-initialise but for the model and the profile. */
typedef struct NestChooser {
    const Trees *trees; /* NULL: all is as planned */
    const Profile *profile; /* NULL: there is none */
    Vec chosen; /* of its own */
} NestChooser;

/* Sets HostNest.knobs and expected of the plan's nests for the instruction set that the model is of, unless the profile has a line about the
 * nest and the set: on extents within hints, else drawn (gen/driver/nest_shapes.h). Loops that compute the same are chosen once. What it tries takes
 * no memory afterwards. */
void choose_by_model(NestChooser *chooser, Ir *ir, Plan *plan, const PlanOptions *opt);

/* What it would choose for this nest of the plan, whatever the profile says; NULL: as planned. Owned by the Ir's arena. */
const NestKnobs *chosen_by_model(NestChooser *chooser, Ir *ir, const Plan *plan, const HostNest *nest, const PlanOptions *opt);

#endif
