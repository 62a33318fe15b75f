/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From specs to the texts that a run writes. */
#ifndef MIKGEN_GEN_GENERATE_H
#define MIKGEN_GEN_GENERATE_H

#include "gen/driver/options.h"
#include "gen/driver/run_outputs.h"
#include "gen/front/spec.h"

/* Reads opt->in.specs; their texts go to *specs, the names of what they include will go to `included`, which may be NULL. NULL after a
 * message. Owned by the arena. */
Ir *read_specs(Arena *arena, const Options *opt, Vec *included, SpecText **specs);

/* Adds what the options ask for to the outputs, with --depfile also what it depends on; with --explain prints it. False after messages. */
bool generate_run(const Options *opt, Outputs *outputs);

#endif
