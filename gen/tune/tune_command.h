/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen tune`: from specs to a profile of this machine. */
#ifndef MIKGEN_GEN_TUNE_TUNE_COMMAND_H
#define MIKGEN_GEN_TUNE_TUNE_COMMAND_H

#include "gen/front/spec.h"
#include "gen/driver/options.h"

/* Emits the specs' operators with a measuring program behind them (templates/tune.c.j2), compiles it in a temporary
 * folder, has it measure what the profile opt->out.file lacks, and writes that again after each group of measurements; C: then
 * searches the spaces of their nests (gen/tune/tune_nests.h). specs: opt->in.nspecs of them.
 * The exit status: 0, 1 after a message, or 128 + the number of the signal that ended it early. */
int tune_run(Ir *ir, const Options *opt, const SpecText *specs);

#endif
