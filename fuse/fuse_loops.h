/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of an operator put together, and where its local arrays are computed: in the loops that read them, which merging gives
 * (fuse/merge.h), and then perhaps as scalars (fuse/array_contraction.h); anew wherever they are read (fuse/rematerialize.h); or before. As planned an array
 * is computed anew only if merging leaves it and that is little work:
 *
 *     for (i ...) A[i] = X[i] + 1;
 *     for (i ...) B[i] = A[i] * s;                   =>    for (i ...) { float A; A = X[i] + 1; B = A * s; ... }
 *     for (i ...) Y[i] = B[N - 1 - i];
 */
#ifndef MIKGEN_FUSE_FUSE_LOOPS_H
#define MIKGEN_FUSE_FUSE_LOOPS_H

#include "ir/node.h"
#include "ir/placement.h"

typedef struct FuseInput {
    bool strict, for_threads; /* as merge_loops() has them */
    const Vec *arrays;        /* Sym *: local arrays, which the body does not declare, each holding nothing when it begins */
    const Placement *placed;  /* of each; NULL: all as planned */
} FuseInput;

/* What is decided about the arrays before any loop changes. */
typedef struct FusePlan {
    Vec anew;  /* Sym *: their elements are computed where they are read, in this order, */
    int asked; /* those of so many, the first, because that is asked */
    Vec kept;  /* Sym *: the others, */
    Vec left;  /* and which of these stay behind the steps below */
} FusePlan;

/* An array that cannot be placed as asked is as planned. `body` stays; the lists are in ir's arena. */
FusePlan plan_fusion(Ir *ir, Node *body, const FuseInput *in);

/* The steps, each of the body that the one before it gives: without the arrays plan->anew; */
Node *rematerialize(Ir *ir, Node *body, const FuseInput *in, const FusePlan *plan);

/* with loops put together; then shrink_arrays() (fuse/array_contraction.h) with plan->kept, and drop_unused() (depend/scope.h). */
Node *merge_planned(Ir *ir, Node *body, const FuseInput *in);

/* All of that. */
Node *fuse_planned(Ir *ir, Node *body, const FuseInput *in, const FusePlan *plan);

#endif
