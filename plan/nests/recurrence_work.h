/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work and latency of the statements of a loop's body, roughly: enough to say whether splitting the loop is worth its while. */
#ifndef MIKGEN_PLAN_NESTS_RECURRENCE_WORK_H
#define MIKGEN_PLAN_NESTS_RECURRENCE_WORK_H

#include "ir/node.h"

/* Operations of one iteration of the loop, in the body of which `n` is; index arithmetic and what does not change in the loop is none. */
double operations(const Node *loop, Node *n);

/* The most cycles that a value of the carried scalars waits for one of the iteration before, through the statements in order. */
double carried_latency(Ir *ir, Node *const *stmts, int nstmts, Sym *const *carried, int ncarried);

/* Can each access of the statement be done by vectors, in which neighbours of the loop are neighbours in memory? */
bool is_along(Ir *ir, Sym *var, Node *stmt);

#endif
