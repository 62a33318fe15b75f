/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nests that are contractions give way to them. */
#ifndef MIKGEN_PLAN_CONTRACT_REPLACE_H
#define MIKGEN_PLAN_CONTRACT_REPLACE_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* The body with N_CONTRACT in place of every contraction; they are pushed to `found` in order. A nest right
 * before or after one that only initialises or updates its output, element by element, goes into the epilogue.
 */
Node *replace_contractions(const NestContext *context, const PlanOptions *opt, Node *body, Vec *found);

#endif
