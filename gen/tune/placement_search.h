/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an operator's local arrays are computed, searched on this machine. */
#ifndef MIKGEN_GEN_TUNE_PLACEMENT_SEARCH_H
#define MIKGEN_GEN_TUNE_PLACEMENT_SEARCH_H

#include "gen/tune/nest_search.h"

/* How many ways to place them will be measured of the operator, besides the planned one; 0: it has no choice. */
int placement_measurements(const NestTuner *t, const Operator *op);

/* Measures whole calls of operator number `op` on its t->shapes: as planned, with each array placed otherwise, one at a time, and with all that
 * gained by this. What is best is measured once more, has to be worth it, and becomes the operator's line in the profile, which is saved; so
 * is that nothing is. False when that is all. */
bool search_placements(NestTuner *t, int op);

#endif
