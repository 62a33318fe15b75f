/* The command that makes a file, as its banner says it. */
#ifndef MIKGEN_GEN_COMMAND_H
#define MIKGEN_GEN_COMMAND_H

#include "gen/driver/options.h"

/* The options that shape the output, in a canonical order: no file names but the specs' own, no path. Arena-owned. */
const char *canonical_command(Arena *arena, const Options *opt);

#endif
