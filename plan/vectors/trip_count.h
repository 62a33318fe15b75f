/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trip counts of a nest's loops, roughly, as far as they are known where the nest begins: those whose bounds depend on others' variables are taken
 * at the middle of these. */
#ifndef MIKGEN_PLAN_VECTORS_TRIP_COUNT_H
#define MIKGEN_PLAN_VECTORS_TRIP_COUNT_H

#include "ir/sym_map.h"
#include "plan/plan.h"

typedef struct TripCounts {
    Ir *ir;
    const NestCut *cut;
    Node *body; /* of the nest's loops */
    Map tiles; /* by symbol id: the loop over tiles */
    Map middle; /* by symbol id: Node *, T_INDEX: a loop's variable halfway, a constant of the nest */
} TripCounts;

/* Of a nest's loops as a whole, whatever is cut of them. */
TripCounts trip_counts_begin(Ir *ir, const NestCut *cut, const Func *loops);

/* What is inside the loop, or behind the constant, may ask for more. Loops come after those around them. */
void trip_counts_enter(TripCounts *t, Node *loop);
void trip_counts_note_constant(TripCounts *t, const Node *decl);

/* T_INDEX over what the nest is told; NULL: what it computes says how many. */
Node *trip_count_of(const TripCounts *t, Node *loop);

#endif
