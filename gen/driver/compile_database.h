/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -p DIR: what compile_commands.json says of how a source is compiled. */
#ifndef MIKGEN_GEN_DRIVER_COMPILE_DATABASE_H
#define MIKGEN_GEN_DRIVER_COMPILE_DATABASE_H

#include "gen/driver/options.h"
#include "gen/front/database.h"

/* The command of opt->in.specs[0] in the compile_commands.json of the folder that -p names, or of the next one above it, as with Clang's tools. False
 * after one message. */
bool database_command(Arena *arena, const Options *opt, DatabaseCommand *command);

/* `opt` becomes one whose source, C or CUDA, is read as that command compiles it; what opt has of its own comes on top. The command's paths are
 * taken relative to its own folder. `inputs` gets the database's path (const char *). False after one message. */
bool database_options(Arena *arena, bool cuda, Vec *inputs, Options *opt);

#endif
