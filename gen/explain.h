/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain=M,N,K: ask the emitted dispatcher itself, so that the answer cannot differ from what will run. */
#ifndef MIKGEN_GEN_EXPLAIN_H
#define MIKGEN_GEN_EXPLAIN_H

#include "gen/driver/options.h"
#include "gen/driver/pipeline.h"

/* Compile `source` (the emitted file) with $CC (default cc), for CUDA with $NVCC (default nvcc), in a temporary
 * folder, run the NAME_explain of each operator that has as many integer parameters as --explain gives values,
 * and print what it says. False after one message on stderr. */
bool explain_run(Arena *arena, const Options *opt, const Program *program, const Text *source);

#endif
