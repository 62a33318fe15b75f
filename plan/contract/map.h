/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a matched nest to a contraction: the roles of its loops, its operands, its epilogue. The steps share
 * this. */
#ifndef MIKGEN_PLAN_CONTRACT_MAP_H
#define MIKGEN_PLAN_CONTRACT_MAP_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

typedef struct Mapping {
    Ir *ir;
    const PlanOptions *opt;
    Nest *nest;
    Contraction *c;
    Role role[MAX_LOOPS]; /* per loop of the nest */
    Node *sum_factor;     /* product of the factors that no reduction loop moves; NULL: 1 */
    Node *sum_guard;      /* the sum counts only where this holds; NULL: always */
    bool in_ragged;       /* it becomes part of a ragged batch: plan/split/ragged_loops.h */
} Mapping;

/* The contraction a loop nest is, or NULL when it is none or is better left as loops. Index and stem are not
 * set. */
Contraction *map_contraction(const NestContext *context, const PlanOptions *opt, Node *loop);

/* The context of what the statement has in it. */
NestContext context_in(const NestContext *context, const Node *stmt);

/* A product of matrices, perhaps a batch of them; not of a matrix and a vector. */
bool has_rows_and_columns(const Contraction *c);

/* Fills c->captured anew, after the epilogue changed. */
void capture_scalars(Ir *ir, Contraction *c);

#endif
