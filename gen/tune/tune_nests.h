/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen tune` for non-GEMM loops. */
#ifndef MIKGEN_GEN_TUNE_TUNE_NESTS_H
#define MIKGEN_GEN_TUNE_TUNE_NESTS_H

#include "gen/tune/tune_report.h"
#include "gen/driver/tune_specs.h"
#include "plan/profile/profile.h"

/* Do the specs have nests with something to choose, for the instruction set of --isa or any? */
bool tune_has_nests(Ir *ir, const Options *opt, const TuneSpec *specs);

/* First finds where local arrays of each operator are computed best (gen/tune/placement_search.h), unless the nests are shared out among
 * shards, and plans the specs so: which nests they have depends on it. Then searches the space of every nest of the specs, or of those of --shard, on this machine, and adds a line for each to the profile, which is
 * saved after each, as the report is; one model learns from all. Loops that several specs have are searched once. Specs have their
 * shapes. The exit status: 0, 1 after a message, 128 and more when a signal ended it. Progress goes to stderr. */
int tune_nests_run(Ir *ir, const Options *opt, TuneSpec *specs, Profile *profile, TuneReport *report);

#endif
