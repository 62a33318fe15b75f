/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen cc`: a compiler whose sources in C go through source-to-source mode first. */
#ifndef MIKGEN_GEN_WRAPPER_H
#define MIKGEN_GEN_WRAPPER_H

#include "gen/driver/options.h"

/* Runs the compiler's command line opt->in.specs and ends as the compiler does.
 *
 * A source is rewritten by a child process, so that no fault of ours ends a build, into a file of its name in a folder of ours, where the
 * compiler reads it. What the compiler says of the rewritten text nobody sees: if it says anything, it is run on the source as well, whose
 * messages count. If it refuses the rewritten text alone, what it makes of the source counts, too. */
void wrapper_run(Arena *arena, const Options *opt) __attribute__((noreturn));

#endif
