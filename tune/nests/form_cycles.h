/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What forms of a nest take at a shape, by ports, latency and branches, if memory were no matter. */
#ifndef MIKGEN_TUNE_NESTS_FORM_CYCLES_H
#define MIKGEN_TUNE_NESTS_FORM_CYCLES_H

#include "tune/nests/replay.h"

/* Cycles of `body`, vectors or scalars of in->nest. */
double form_cycles(const FeatureInput *in, Arena *arena, const Node *body);

/* Of `body`, loops as they are, of which compilers make vectors of the set: innermost loops that suit them, in lanes as narrow as the values,
 * elements a few apart by shuffles. INFINITY: nobody knows how often these loops run. */
double compiled_cycles(const FeatureInput *in, Arena *arena, Node *body);

#endif
