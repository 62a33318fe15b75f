/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of sums that loops fill in front of all loops, for what a chain of loops and conditions sums up of a term that few of the loops
 * around it move:
 *
 *     for (p) for (k) for (r) for (c)               taps[r][k] = sum over c of w[r][c][k]
 *         if (0 <= p + r - 1 && p + r - 1 < H)  =>  sums[p][k] = sum over r of taps[r][k], where 0 <= p + r - 1 && p + r - 1 < H
 *             w[r][c][k]
 *         if (0 <= p + r - 1 && p + r - 1 < H)  =>  rows[i] = sum over c of x[i][c], for all i < H
 *             x[p + r - 1][c]                       sums[p] = sum over r of rows[p + r - 1], where the conditions hold
 *
 * Iterations of p alike in all conditions, which are neighbours, share an element of sums[p][k]. */
#ifndef MIKGEN_PLAN_SPLIT_SUM_TABLES_H
#define MIKGEN_PLAN_SPLIT_SUM_TABLES_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* What is summed up, and where. */
typedef struct SumChain {
    const NestContext *context;
    const PlanOptions *opt;
    const Vec *around; /* N_FOR: loops around the chain, outermost first */
    const Vec *path;   /* N_FOR, and N_IF without else: the chain */
} SumChain;

/* The sum, T_UINT, of the term, an integer or NULL for 1, over the chain, for an iteration of the loops around. What has to be summed up
 * before these goes to `before`. NULL: it cannot be told there, or takes as long as the chain itself. */
Node *sum_in_front(const SumChain *chain, Node *term, Vec *before);

#endif
