/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `fuse` lines of profiles: where local arrays of an operator are computed. Of the C target: on GPUs launches weigh otherwise. */
#ifndef MIKGEN_TUNE_FUSE_LINES_H
#define MIKGEN_TUNE_FUSE_LINES_H

#include "plan/plan.h"
#include "plan/profile/profile.h"

/* The line of the operator with that fingerprint; false, and all as planned: the profile (NULL: there is none) has none. */
bool placements_get(Arena *arena, const Profile *profile, uint64_t fingerprint, Placements *placements);

/* Puts such a line there, in the place of one. ns: what a call of the operator took so, nanoseconds. */
void placements_put(Arena *arena, Profile *profile, uint64_t fingerprint, const Placements *placements, double ns);

/* Sets Producer.placement of the plan's producers: as the profile's lines say (NULL: there are none), else as planned. */
void choose_placements(Ir *ir, Plan *plan, const Profile *profile);

#endif
