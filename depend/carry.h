/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop carries from one iteration to another, found by isl.
 *
 * Memory-based dependences (Feautrier's, without the flow analysis: any two accesses to one element, one of them a
 * store) between different iterations of one loop, iterators outside of it being equal. Subscripts, bounds, steps and
 * conditions that are affine in loop variables become constraints; what does not change in the loop (products of
 * parameters, elements of arrays that it does not write) is a parameter; anything else leaves its subscript or
 * condition out, so that "carries nothing" is certain and the contrary may be wrong. Two accesses meet when isl finds an integer
 * point; the number of operations it may spend on that is bounded, and running out counts as meeting.
 * Scalars are the caller's concern. Arrays do not overlap (mikgen's contract), and subscripts stay inside their
 * dimension (C's rule).
 *
 *     for (i = 1; i < n; i++)             the loop carries: from = A[i] (the store), to = A[i-1]
 *         A[i] = A[i - 1];
 *     for (i = 0; i < n; i++)             it does not: i and j + n never meet
 *         for (j = 0; j < i; j++)
 *             B[i][j] = B[j][i];
 */
#ifndef MIKGEN_DEPEND_CARRY_H
#define MIKGEN_DEPEND_CARRY_H

#include "ir/node.h"

/* Why a loop's iterations need their order. All NULL and false: they do not. */
typedef struct Carried {
    Node *from, *to;           /* N_LOAD or N_STORE; what `from` touches in an iteration, `to` touches in a later one */
    Node *from_stmt, *to_stmt; /* the statements they stand in                                                        */
    const Sym *scalar;         /* or: a scalar that outlives the iteration                                            */
    const char *other;         /* or: a phrase that says what else                                                    */
} Carried;

/* Does `loop` carry a dependence through arrays, in all of `region`? `region` is the loop itself, or a loop around it
 * with nothing but loops in between: then their iterations count as part of `loop`'s, as if it were the outermost.
 * `region` has no N_CONTRACT. True fills *why. */
bool carries_through_arrays(Ir *ir, Node *region, Node *loop, Carried *why);

/* May one of the accesses in some iteration of `loop`, which both are in, touch what the other one touches in another iteration? */
bool meet_across_iterations(Ir *ir, Node *loop, const Node *x, const Node *y);

/* May anything in `loop` touch the element that `store`, a statement in it, writes, if it spells its subscripts otherwise?
 * They do not change in the loop. around: loops around it, Node *, whose bounds count as well. */
bool touched_otherwise(Ir *ir, const Vec *around, Node *loop, Node *store);

/* "A[i-1][j] at line 8": a load or store in a statement, as the spec spells it. Owned by the arena. */
const char *place_text(Ir *ir, const Node *access, const Node *stmt);

/* "A[i][j] at line 8 writes what A[i-1][j] at line 8 reads in a later iteration". Owned by the arena. */
const char *carried_text(Ir *ir, const Carried *why);

/* The isl that this program runs: "isl-0.25-GMP". LLVM brings one of its own, which is not meant. */
const char *isl_in_use(void);

#endif
