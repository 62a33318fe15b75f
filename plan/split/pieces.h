/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of a loop's body, brought into an order in which contractions lie together:
 *
 *     g = 0; u = 0;                                    g = 0;
 *     for (d) { g += x[d] * G[d][f];                   for (d) g += x[d] * G[d][f];
 *               u += x[d] * U[d][f]; }         =>      --
 *     y[f] = g * u;                                    u = 0;
 *                                                      for (d) u += x[d] * U[d][f];
 *                                                      y[f] = g * u;
 */
#ifndef MIKGEN_PLAN_SPLIT_PIECES_H
#define MIKGEN_PLAN_SPLIT_PIECES_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* A local array, and the one that stands for it, which has the loop's variable as its first subscript. */
typedef struct ArrayExpansion {
    Sym *from, *to;
} ArrayExpansion;

typedef struct Pieces {
    Vec statements; /* Node *; no declarations of scalars */
    int *piece;     /* of each statement, counted from 0 */
    bool *product;  /* of each statement: is its piece a contraction? */
    int count;
    Vec scalars;    /* Sym *: declared in the body */
} Pieces;

/* The same loop around other statements. Pieces of one loop share its variable. */
Node *loop_around(Ir *ir, Node *loop, Node *const *statements, int n);

/* False: no part of the loop's body, which is `list`, would be a contraction if it stood alone. `loosely`: nor would one with loops
 * around it, as a row's inner products are none, but matrices' are. `expansions`: ArrayExpansion *, of arrays of the body. */
bool find_pieces(const NestContext *context, const PlanOptions *opt, Node *loop, const Vec *list, const Vec *expansions, bool loosely,
                 Pieces *out);

/* How many iterations a loop from 0 has, as an array's extent; NULL: no such loop, or no expression of parameters. */
Node *iterations_of(const NestContext *context, Node *loop);

/* An array's extent that its variable stays below, as an expression of parameters, while the loop runs: so many iterations, or that of an
 * array which it stores to, in `rank` loops within. NULL: none is known. */
Node *room_for(const NestContext *context, Node *loop, int rank);

#endif
