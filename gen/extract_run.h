/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mikgen --extract: functions of C files as specs. */
#ifndef MIKGEN_GEN_EXTRACT_RUN_H
#define MIKGEN_GEN_EXTRACT_RUN_H

#include "gen/driver/options.h"
#include "gen/driver/run_outputs.h"
#include "gen/front/spec.h"

/* Adds the spec of opt->source.extract, or the list of functions, to the outputs. False after messages on ir->diag. */
bool extract_run(Ir *ir, const Options *opt, const SpecText *text, Outputs *outputs);

#endif
