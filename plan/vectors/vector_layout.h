/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many vectors at a time a loop takes. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_LAYOUT_H
#define MIKGEN_PLAN_VECTORS_VECTOR_LAYOUT_H

#include "plan/nest_knobs.h"
#include "plan/vectors/loop_table.h"

/* Where a loop stands, and what it is. */
typedef struct LoopPlace {
    VectorSetId set;
    bool inner;     /* no loops are inside */
    bool over_rows; /* its iterations are rows, with a recurrence along each (plan/vectors/vector_rows.h) */
    bool blocks;    /* a loop around goes over parts of another */
    bool half;      /* half a vector of 32-bit lanes holds all its iterations, and it has such vectors */
    int sums;       /* scalars that it reduces into */
    int rows;       /* iterations of a loop around for which these stand; 0: none are done together */
    int depth;      /* loops around */
} LoopPlace;

Layout layout_of(Ir *ir, Node *loop, const LoopPlace *place, const NestKnobs *knobs);

/* Does the loop divide, or compute functions, which takes much longer than an element? */
bool loop_has_math(Node *loop);

/* Of a window's interior with its borders, of so many rows at a time. */
Layout layout_of_window(Ir *ir, Node *loop, VectorSetId set, int rows, const NestKnobs *knobs);

#endif
