/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's C compiler, as `mikgen tune` calls it. */
#ifndef MIKGEN_GEN_TUNE_COMPILE_H
#define MIKGEN_GEN_TUNE_COMPILE_H

#include "gen/driver/options.h"

/* What child_run_watched() asks while a compiler runs: says how long it has taken; false when the run was interrupted. */
bool compile_goes_on(void);

/* Compiles `source` to `program` with the command of --cc, which progress calls "compiling WHAT"; `more`: further options, ended by NULL. The
 * exit status: 0, 1 after a message, 128 and more when a signal ended it. */
int compile_program(Arena *arena, const Options *opt, const char *what, const char *source, const char *program, const char *const *more);

/* How it was compiled, for a comment: the command's options without folders. Arena-owned. */
const char *compile_words(Arena *arena, const Options *opt);

#endif
