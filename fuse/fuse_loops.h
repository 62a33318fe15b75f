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

/* `body` so; an array that cannot be placed as asked is as planned. *left: arrays that stay. `inlined`, if not NULL: by number in
 * in->arrays, whether it was asked to be computed anew and is. */
Node *fuse_loops(Ir *ir, Node *body, const FuseInput *in, Vec *left, bool *inlined);

#endif
