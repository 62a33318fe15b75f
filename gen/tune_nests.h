/* `mikgen tune` for loops that are no contraction. */
#ifndef MIKGEN_GEN_TUNE_NESTS_H
#define MIKGEN_GEN_TUNE_NESTS_H

#include "gen/front/spec.h"
#include "gen/pipeline.h"
#include "gen/tune_report.h"
#include "plan/profile/profile.h"

/* Does the program have nests with something to choose, for the instruction set of --isa or any? */
bool tune_has_nests(Ir *ir, const Options *opt, Program *program);

/* Searches the space of every nest of the program, which came of this spec, or of those of --shard, on this machine, and adds a line for
 * each to the profile, which is saved after each, as the report is. The exit status: 0, 1 after a message, 128 and more when a signal ended
 * it. Progress goes to stderr. */
int tune_nests_run(Ir *ir, const Options *opt, const SpecText *spec, Program *program, Profile *profile, TuneReport *report);

#endif
