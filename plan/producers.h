/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local arrays that loops make and loops read: where each is computed can be chosen (ir/placement.h). */
#ifndef MIKGEN_PLAN_PRODUCERS_H
#define MIKGEN_PLAN_PRODUCERS_H

#include "plan/plan.h"

/* Sets plan->producers, all as planned, and plan->fingerprint: of plan->source and those plan->temporaries that no contraction touches. */
void find_producers(Ir *ir, Plan *plan);

/* Does the last of the loops use an array that another one stores, or the other way round, which is to be whole before it is read? Then they
 * do not go by rows together, and Producer.by_rows is set of each such array. */
bool meets_whole(Plan *plan, Node *const *loops, int n);

/* Sets Producer.by_rows of the arrays that one of the loops, which go by rows together, stores, and another one uses. */
void note_by_rows(Plan *plan, Node *const *loops, int n);

#endif
