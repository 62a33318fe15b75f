/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several versions of an operator are planned, and the best one is taken:
 *
 *     for (m) for (n) C[m][n] = sum over k;                  one array less, if the contraction is found in it as well
 *     for (m) for (n) Y[m][n] = relu(C[m][n]);        =>     for (m) for (n) Y[m][n] = relu(sum over k);
 */
#ifndef MIKGEN_GEN_DRIVER_PLAN_VERSIONS_H
#define MIKGEN_GEN_DRIVER_PLAN_VERSIONS_H

#include "gen/driver/pipeline.h"

/* A body, and what becomes of it by one step after the other. */
typedef struct Version {
    Node *body;
    Node *fused;   /* elementwise loops are part of the reduction before them; `body` where that does not pay, */
    Node *merged;  /* and its arrays are scalars; likewise */
    Node *planned; /* with contractions, */
    Plan *plan;    /* of `merged` */
    Text steps;    /* what --dump-after prints about them */
} Version;

typedef struct Versions {
    Ir *ir;
    const PlanOptions *plan;
    bool fuse_off;
} Versions;

/* That of f->body, which is any of the first three; planned if it is not yet. */
const Version *version_of(const Versions *c, Operator *op, Func *f);

/* In f->body, arrays that are made of another one's, element by element, take their place, where that hides no contraction. */
void reuse_storage(const Versions *c, Operator *op, Func *f);

/* In f->body, contractions read scalars that the host does not know from memory. */
void cells_of_scalars(const Versions *c, Operator *op, Func *f);

#endif
