/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a nest is told, at a shape. */
#ifndef MIKGEN_TUNE_NESTS_NEST_NUMBERS_H
#define MIKGEN_TUNE_NESTS_NEST_NUMBERS_H

#include "tune/nests/replay.h"

/* Values of parameters, of scalars that the operator's body hands over, and of the parameters of the nest's functions: all iterations of
 * what may be cut for threads; non-temporal stores from NON_TEMPORAL_BYTES on. */
Numbers nest_numbers(const FeatureInput *in, Arena *arena);

/* The loop's iterations and, at the one halfway, its variable, as if there were no loop around; UNKNOWN_TRIPS where nobody knows. */
double trips_of(const Numbers *numbers, const Node *loop);
/* Or does nobody know them? */
bool trips_are_known(const Numbers *numbers, const Node *loop);

#endif
