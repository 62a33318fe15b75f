/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops had better stay scalar, whatever could be done with vectors. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_PROFIT_H
#define MIKGEN_PLAN_VECTORS_VECTOR_PROFIT_H

#include "plan/vectors/vector_layout.h"

typedef struct Neighbours {
    bool found; /* accesses of which iterations have neighbours in memory */
    bool pays;  /* likewise, or operations that take much longer than an element */
} Neighbours;
Neighbours neighbours_of(Ir *ir, Node *loop);

/* Loops in the tree, itself included. */
int count_loops(Node *n);

/* Why a loop is scalar. */
#define FAR_APART    "its iterations' elements are far apart"
#define LARGE_STRIDE "large stride between iterations"

/* Of so few iterations that lanes would be idle in each. Where the set has masks, half of them may be. */
bool is_short(Ir *ir, Node *loop, VectorSetId set);

/* Of three iterations at least, and so few that half a vector holds them, whose elements have 32 bits: parts of narrower ones are stored one
 * by one. */
bool fits_half(Ir *ir, Node *loop, VectorSetId set);

/* Are its iterations' elements certainly no neighbours? Names of the body may stand for any place. */
bool is_far_apart(Ir *ir, Node *loop);

/* Integers reduced from elements each in a line of memory of its own: lanes are filled one by one, which takes as long as a scalar's
 * addition, and pays only where the loads of many lanes wait for memory together. */
bool sums_far_apart(Ir *ir, Node *loop, bool strict);

/* Loops inside that do nothing but store, for each lane somewhere else. */
bool only_scatters(Ir *ir, Node *loop);

/* Why the loop should not be vectorized; NULL: nothing speaks against it. wished: it is if it can be. apart: as sums_far_apart() says. */
const char *why_scalar(Ir *ir, Node *loop, const LoopPlace *place, bool wished, Neighbours neighbours, bool apart);

#endif
