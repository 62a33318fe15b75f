/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The specs of a run of `mikgen tune`. */
#ifndef MIKGEN_GEN_DRIVER_TUNE_SPECS_H
#define MIKGEN_GEN_DRIVER_TUNE_SPECS_H

#include "gen/front/spec.h"
#include "gen/driver/pipeline.h"
#include "plan/profile/profile.h"

/* A spec by itself: what is emitted to measure its nests has none of the others' operators. */
typedef struct TuneSpec {
    const SpecText *text;
    Program program;
    Vec shapes; /* NestShape *, of gen/driver/nest_shapes.h: the extents on which its nests are measured; empty until these are read */
} TuneSpec;

/* Reads opt->in.nspecs specs and runs all passes over them. An operator whose name an earlier spec has, too, gets another one here, which
 * a note tells. NULL after located messages: specs are wrong, or for different targets. Arena-owned. */
TuneSpec *tune_specs(Ir *ir, const Options *opt, const SpecText *texts);

/* Reads the spec again and runs all passes over it, by another profile; operators keep their names of this run. False after a message. */
bool tune_plan_again(Ir *ir, const Options *opt, TuneSpec *spec, const Profile *profile);

/* The operators that have contractions, of all the specs, as one program. False after a located message: they cannot be in one file. */
bool tune_contractions(Ir *ir, const Options *opt, const TuneSpec *specs, Program *program);

#endif
