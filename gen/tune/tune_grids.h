/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen tune --target=cuda` for non-GEMM loops. */
#ifndef MIKGEN_GEN_TUNE_TUNE_GRIDS_H
#define MIKGEN_GEN_TUNE_TUNE_GRIDS_H

#include "gen/tune/nvcc.h"
#include "gen/tune/tune_report.h"
#include "gen/driver/tune_specs.h"

/* May the program have nests with something to choose on a GPU? */
bool tune_has_grids(const Program *program);

/* How many forms of nests has the measuring program at tuning->program? 0: it is one of products. Negative after a message. */
int tune_grids_in(Arena *arena, const TuneOptions *tuning);

/* Searches the spaces of the nests of opt->in.nspecs specs, or of those of --shard, on the specs' shapes, and adds a `grid` line for each to the
 * profile, which is saved after each, as the report is. All configurations of a spec are forms of one measuring program
 * (templates/tune_grids.cu.j2), which is compiled unless --program names it. The exit status: 0, 1 after a message, 128 and more when a
 * signal ended it. */
int tune_grids_run(Ir *ir, const Options *opt, const TuneSpec *specs, Nvcc *nvcc, Profile *profile, TuneReport *report);

#endif
