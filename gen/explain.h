/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain=M,N,K: ask the emitted dispatcher itself, so that the answer cannot differ from what will run. */
#ifndef MIKGEN_GEN_EXPLAIN_H
#define MIKGEN_GEN_EXPLAIN_H

#include "gen/driver/program.h"

/* Of each operator that has as many integer parameters as --explain gives values: what its dispatcher says, as --format wants it, goes to `out`;
 * it is compiled with $CC (default cc), of a CUDA file with $NVCC (default nvcc), in a temporary folder.
 * False after one message on stderr. */
bool explain_run(Ir *ir, const Options *opt, const Program *program, Text *out);

#endif
