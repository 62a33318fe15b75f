/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass `fuse` with what has been chosen about producers, and what can be. */
#ifndef MIKGEN_GEN_DRIVER_PLACE_PRODUCERS_H
#define MIKGEN_GEN_DRIVER_PLACE_PRODUCERS_H

#include "gen/driver/pipeline.h"

/* op->apart with its loops put together, each of plan->producers where it is placed; the plan loses the arrays that are gone. Sets
 * Producer.fits. */
Node *place_producers(Ir *ir, Operator *op, const PlanOptions *opt);

/* Bit p: producer number i of op->plan->producers placed so, p being a Placement, makes other code than planned, and than an earlier
 * placement that is set. PLACE_PLANNED is; PLACE_INLINED is not where no array is left anyway. C target, after the pass `nests`. What is
 * tried takes no memory afterwards. */
unsigned placements_offered(const Ir *ir, const Operator *op, int i, const PlanOptions *opt);

/* As --dump-after=nests prints it:  // f, 8c5b3e6a1f20d497: 0 A planned, whole; 1 B planned, inlined; nothing without a choice. */
void print_producers(const Ir *ir, const Operator *op, const PlanOptions *opt, Text *out);

#endif
