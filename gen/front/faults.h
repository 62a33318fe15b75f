/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a spec's and a source text's front ends share: running Clang and telling the faults it found. */
#ifndef MIKGEN_GEN_FRONT_FAULTS_H
#define MIKGEN_GEN_FRONT_FAULTS_H

#include "gen/front/spec_clang.h"

/* Can `len` bytes be a text at all? False after a message if there are too many of them or a zero among them. */
bool front_takes(Front *front, const char *text, size_t len);

/* The folder that the file `name` is in. Owned by the arena. */
const char *folder_of(Arena *arena, const char *name);

/* front_parse() with a stack that is large enough for any text that DepthGuard lets through. */
void front_run(Front *front);

/* Reads a spec up to the checks of what its functions mean; `front` has what came of it. Faults are noted, not reported. */
void spec_look(Ir *ir, const SpecText *spec, Front *front);

/* The same of a file of source-to-source mode, or for `extract` (or NULL): all but the trees is read alike. */
void source_look(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *opt, Extraction *extract, Kept *kept,
                 Front *front);

/* What a fault's message says. */
const char *fault_words(const Front *front, const Fault *fault);

/* Report the faults in the order of their places and forget them. */
void front_report(Front *front);

/* A remark for each function of source-to-source mode that is left as it is. */
void front_report_left(const Front *front);

/* A remark for each loop of that mode that is left as text, and for each function with loops how many are understood. */
void front_report_loops(const Front *front);

#endif
