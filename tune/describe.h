/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a profile comes from. */
#ifndef MIKGEN_TUNE_DESCRIBE_H
#define MIKGEN_TUNE_DESCRIBE_H

#include "plan/profile/profile.h"
#include "tune/session.h"

/* Adds the comment that tells machine and compiler, as the measuring program answers; words: how that was compiled. False after a message
 * if the profile holds another such comment, or the conversation ended. */
bool describe_machine(Arena *arena, Session *session, const char *words, Profile *profile);

/* The first such comment of the profile; NULL: it has none. */
const char *machine_line(const Profile *profile);

#endif
