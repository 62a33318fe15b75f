/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nests of which compilers make better vectors than this generator has. */
#ifndef MIKGEN_PLAN_VECTORS_BY_COMPILER_H
#define MIKGEN_PLAN_VECTORS_BY_COMPILER_H

#include "ir/sym_map.h"
#include "plan/plan.h"

/* What became of the loops of a nest, for one instruction set. */
typedef struct VectorizedLoops {
    int all;     /* loops by vectors, */
    int tiny;    /* of these: constant trip counts that fill at most one vector, */
    int strided; /* or mainly elements that are a few apart, which gathers load and scatters store, */
    int apart;   /* or elements that are far apart, or are looked up */
    int refused; /* loops whose iterations need no order, without vectors: they might fill some, of neighbours or elements a few apart */
} VectorizedLoops;

/* Adds a loop that is vectorized with so many lanes. names: by symbol id, Node *: what constants of the nest stand for. */
void note_vectorized(Ir *ir, VectorizedLoops *loops, Node *loop, int lanes, const Map *names);

/* Adds one that is not: `apart`, as its elements are no neighbours. */
void note_refused(Ir *ir, VectorizedLoops *loops, Node *loop, bool apart, const Map *names);

/* The reason why the nest is left to compilers; NULL: the generator's vectors are at least as good, or compilers have none. */
const char *compiler_is_better(Ir *ir, Node *body, const VectorizedLoops *loops, VectorSetId set, bool strict);

#endif
