/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source of C or CUDA is read as a compiler reads it: with its headers, macros and standard. */
#ifndef MIKGEN_GEN_DRIVER_AS_COMPILED_H
#define MIKGEN_GEN_DRIVER_AS_COMPILED_H

#include "gen/driver/compile_line.h"
#include "gen/driver/options.h"
#include "gen/driver/system_headers.h"
#include "gen/front/source.h"
#include "gen/front/spec.h"

/* `opt` becomes what the compiler of `line`, which says this of itself, does with a source. What opt has beside that comes last. */
void as_compiled(Arena *arena, const CompileLine *line, const CompilerSays *says, Options *opt);

/* How the text, CUDA or C, is read: as `opt` knows it of its command, else with the headers of --cc or of CUDA's toolkit. False after a
 * message. */
bool source_options(Arena *arena, const Options *opt, const SpecText *text, bool cuda, SourceOptions *how);

#endif
