/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `nest` and `grid` lines of profiles. */
#ifndef MIKGEN_TUNE_NEST_LINES_H
#define MIKGEN_TUNE_NEST_LINES_H

#include "plan/plan.h"
#include "plan/profile/profile.h"

/* Sets HostNest.chosen.knobs and of_class of the plan's nests: as the profile's `nest` lines say (NULL: there are none), for each instruction set by
 * itself; else as planned. */
void choose_knobs(Ir *ir, Plan *plan, const Profile *profile);

/* Has the profile (NULL: there is none) a line about the nest and the instruction set, for some class or for all? */
bool knobs_speak(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set);

/* The nest's line for the instruction set and the class of calls, CLASS_ALL: that for those without one; false: the profile has none. */
bool knobs_get(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set, ShapeClass shape, NestKnobs *knobs);

/* On how many threads the line about all calls was found; 0: there is none. */
int knobs_threads(Arena *arena, const Profile *profile, const HostNest *nest, VectorSetId set);

/* What a call of the operator took: nanoseconds, on so many threads. */
typedef struct NestTime {
    double ns;
    int threads;
} NestTime;

/* Puts such a line there, in the place of one; for CLASS_ALL, in that of all about the nest and the set. time: with these knobs. */
void knobs_put(Arena *arena, Profile *profile, const HostNest *nest, VectorSetId set, ShapeClass shape, const NestKnobs *knobs,
               NestTime time);

/* The nest's line for a kind of GPU (plan/targets.h); false: the profile has none. */
bool grid_get(Arena *arena, const Profile *profile, const DeviceNest *nest, int gpu, GridKnobs *knobs);

/* Puts such a line there, as knobs_put does. */
void grid_put(Arena *arena, Profile *profile, const DeviceNest *nest, int gpu, const GridKnobs *knobs, double ns);

/* What the profile's `grid` lines (NULL: there are none) say of a nest on GPUs: the line for this kind (plan/targets.h; -1: none), where the
 * profile has it, else that for the newest kind it knows. False, and as planned: there is none. */
bool grid_choose(Arena *arena, const Profile *profile, const DeviceNest *nest, int gpu, GridKnobs *knobs);

#endif
