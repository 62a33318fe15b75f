/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two targets of `mikgen tune` share: the profile that a run begins with and writes, and its messages. */
#ifndef MIKGEN_GEN_TUNE_TUNE_FILE_H
#define MIKGEN_GEN_TUNE_TUNE_FILE_H

#include "gen/driver/options.h"
#include "plan/profile/profile.h"
#include "tune/tune.h"

enum { INTERRUPTED = 128 }; /* and the signal's number: the exit status of a run that one ended */

/* "mikgen: error: tune: WHAT", and the help. */
void tune_complain(const char *what, const char *help);

/* What opt->out.file has measured already, unless --fresh. NULL after a message. Arena-owned. */
Profile *tune_begin(Arena *arena, const Options *opt);

/* Writes the profile to opt->out.file, if there is one; `user` are the Options. False after a message. */
bool tune_save(void *user, const Profile *profile);

/* The exit status of measuring that ended so; number: the signal that interrupted it. */
int tune_outcome(TuneResult result, int number);

/* Writes the profile at the end, to standard output if there is no file. The exit status. */
int tune_finish(Arena *arena, const Options *opt, const Profile *profile);

/* The exit status of a run that a signal ended. */
int tune_interrupted(int number);

/* That it was interrupted, what is kept, and what the same command would do. */
void tune_say_interrupted(const Options *opt);

#endif
