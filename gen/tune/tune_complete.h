/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile's word that a run of `mikgen tune` had nothing left to measure, so that the next one need not compile anything to see that. */
#ifndef MIKGEN_GEN_TUNE_TUNE_COMPLETE_H
#define MIKGEN_GEN_TUNE_TUNE_COMPLETE_H

#include "gen/driver/options.h"
#include "gen/driver/tune_specs.h"
#include "plan/profile/profile.h"

/* Does the profile say so of this command, these specs and extents, the compiler and the machine, and has nobody changed it since? Then it is
 * told, on stderr. Never where something is to be measured or written in any case. */
bool tune_is_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile);

/* Makes it say so, by a comment, in the place of others of the kind. */
void tune_mark_complete(Arena *arena, const Options *opt, const TuneSpec *specs, Profile *profile);

#endif
