/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits loops around several statements where that makes contractions of some of them:
 *
 *     for (i) {                                    for (i) for (j) C[i][j] *= beta;
 *         for (j) C[i][j] *= beta;            =>   for (i) for (k) for (j) C[i][j] += ...;
 *         for (k) for (j) C[i][j] += ...;
 *     }
 */
#ifndef MIKGEN_PLAN_SPLIT_DISTRIBUTE_H
#define MIKGEN_PLAN_SPLIT_DISTRIBUTE_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* The body with loops split where it pays and no dependence forbids it. rest: gets the variables of loops that stay loops beside what they
 * were split into (NestContext.rest); NULL: nobody asks. */
Node *distribute(const NestContext *context, const PlanOptions *opt, Vec *rest, Node *body);

#endif
