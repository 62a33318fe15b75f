/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of the pass `fuse` with what has been chosen about producers, and what can be. */
#ifndef MIKGEN_GEN_DRIVER_PLACE_PRODUCERS_H
#define MIKGEN_GEN_DRIVER_PLACE_PRODUCERS_H

#include "gen/driver/pipeline.h"

/* Decides op->fusion, for op->apart with each of plan->producers where it is placed. Sets Producer.fits. */
void place_producers(Ir *ir, Operator *op, const PlanOptions *opt);

/* The steps that do so, each of the body that the one before it gives: elements are computed where they are read; */
Node *compute_anew(Ir *ir, const Operator *op, const PlanOptions *opt, Node *body);

/* loops are put together, but for arrays that are to be whole; */
Node *merge_around_producers(Ir *ir, const Operator *op, const PlanOptions *opt, Node *body);

/* arrays of which an iteration uses one element are scalars. The plan loses all arrays that are gone. */
Node *contract_producers(Ir *ir, const Operator *op, Node *body);

/* Bit p: producer number i of op->plan->producers placed so, p being a Placement, makes other code than planned, and than an earlier
 * placement that is set. PLACE_PLANNED is; PLACE_INLINED is not where no array is left anyway. C target, after the pass `nests`. What is
 * tried takes no memory afterwards. */
unsigned placements_offered(const Ir *ir, const Operator *op, int i, const PlanOptions *opt);

/* As --dump-after=nests prints it:  // f, 8c5b3e6a1f20d497: 0 A planned, whole; 1 B planned, inlined; nothing without a choice. */
void print_producers(const Ir *ir, const Operator *op, const PlanOptions *opt, Text *out);

#endif
