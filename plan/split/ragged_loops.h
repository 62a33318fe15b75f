/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA: which of an operator's loops become ragged batches (plan/split/find_ragged.h). Memory bounds their products, whose loops are
 * contractions there and nowhere else: the host, which launches all others, could not read how many rows they have. */
#ifndef MIKGEN_PLAN_SPLIT_RAGGED_LOOPS_H
#define MIKGEN_PLAN_SPLIT_RAGGED_LOOPS_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* Variables (Sym *) of loops of the body, for NestContext.ragged. Each is taken apart on trial: it is one if that leaves a loop around
 * declarations and contractions, all of which the device can do by itself. */
Vec find_ragged_loops(const NestContext *context, const PlanOptions *opt, Node *body);

#endif
