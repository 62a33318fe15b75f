/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --check and --regenerate: a generated file beside what the command in its banner gives today. */
#ifndef MIKGEN_GEN_AGAIN_H
#define MIKGEN_GEN_AGAIN_H

#include "gen/driver/options.h"

/* Runs the command of the file opt->again.check, or opt->again.regenerate. Files that it names are looked for among opt->in.specs, which are files and
 * folders, then beside the generated file, then in the current folder. --check prints a unified diff where the two differ,
 * --regenerate writes what is new. The exit status: DONE where they are equal, or have become so, else USER_FAULT, after messages. */
int again_run(Arena *arena, const Options *opt);

#endif
