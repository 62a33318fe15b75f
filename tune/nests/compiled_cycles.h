/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What loops take that compilers vectorize. */
#ifndef MIKGEN_TUNE_NESTS_COMPILED_CYCLES_H
#define MIKGEN_TUNE_NESTS_COMPILED_CYCLES_H

#include "tune/nests/replay.h"

/* Cycles of `body`, scalar loops of in->nest at in's shape, if memory were no matter: innermost loops that suit compilers go by vectors of
 * the set, in lanes as narrow as the values, elements a few apart by shuffles. */
double compiled_cycles(const FeatureInput *in, Arena *arena, Node *body);

#endif
