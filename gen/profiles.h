/* The profiles of a run: those that --profile names. */
#ifndef MIKGEN_GEN_PROFILES_H
#define MIKGEN_GEN_PROFILES_H

#include "gen/options.h"
#include "plan/profile.h"

/* What the options ask for: of several the last one wins, line by line; NULL, for analytical terms, when there is none.
 * False after one located message. */
bool profiles_load(Arena *arena, const Options *opt, const Profile **profile);

/* There are no profiles of GPUs yet: false after a message if the options name one. */
bool profiles_refuse(const Options *opt);

/* Reads one file; NULL after one located message. */
Profile *profiles_read(Arena *arena, const char *path, const Profile *below);

#endif
