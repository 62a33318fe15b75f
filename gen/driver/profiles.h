/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiles of a run: those that --profile names, and the built-in ones. */
#ifndef MIKGEN_GEN_DRIVER_PROFILES_H
#define MIKGEN_GEN_DRIVER_PROFILES_H

#include "gen/driver/options.h"
#include "plan/profile/profile.h"

/* Sets both profiles to what the options ask for: of several the last one wins, line by line; "none" forgets those before it,
 * the built-in ones too. False after one located message. */
bool profiles_load(Arena *arena, const PlannerOptions *planner, KernelOptions *kernels);

/* The texts of tune/profiles, ended by a NULL (cmake/EmbedTexts.cmake). */
extern const char *const built_in_profiles[];

/* Reads one file; NULL after one located message. */
Profile *profiles_read(Arena *arena, const char *path, const Profile *below);

#endif
