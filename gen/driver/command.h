/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that makes a file, as its banner says it. */
#ifndef MIKGEN_GEN_DRIVER_COMMAND_H
#define MIKGEN_GEN_DRIVER_COMMAND_H

#include "gen/driver/options.h"

/* The options that shape the output, in a canonical order: file names without their folders, in quotes where a shell wants them. Arena-owned. */
const char *canonical_command(Arena *arena, const Options *opt);

/* Those of them that define macros: " -DTAPS=5 -UDEBUG", or "". Arena-owned. */
const char *definition_words(Arena *arena, const InputOptions *in);

/* What the files of a spec are named after with --output-dir: its name without folders and ending. Arena-owned. */
const char *output_stem(Arena *arena, const char *spec);

#endif
