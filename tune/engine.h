/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine's blocking parameters, which belong to a machine (plan/engine_knobs.def), chosen by whole calls on a few shapes that show each. */
#ifndef MIKGEN_TUNE_ENGINE_H
#define MIKGEN_TUNE_ENGINE_H

#include "tune/tune.h"

/* Is there any that the profile lacks, of families whose operands are in place and sets whose kernels it knows? */
bool engine_lacks(const TuneInput *in, const Profile *profile);

/* One number after the other: its values take turns on its shapes; one that is a hundredth faster than the usual value, in two series of
 * measurements, and slower on none of them nor of others of all sorts, is taken, and the next number is chosen beside it. Numbers that are
 * measured get a field of the profile's `engine` records, usual values, too. in->program plans by the profile's times. Results and *number as of
 * tune_measure. */
TuneResult engine_measure(Arena *arena, const TuneInput *in, Profile *profile, int *number);

/* The fastest value: times[s * nvalues + v] are nanoseconds of shape s under value v. `usual` unless another one takes 1 % less time, as a
 * geometric mean over the first nshapes, and 2 % more on none of them nor of the nguards behind them. */
int engine_choose(const double *times, int nshapes, int nguards, int nvalues, int usual);

#endif
