/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of loops that compare more than the loop's variable, solved for it, so that for_bounds() knows how often
 * they run:
 *
 *     i + 1 < N            i < N - 1
 *     2 * i < N            i < N / 2 + (N % 2 > 0)
 *     i < N - i            the same
 *     i < N && i <= M      i < min(N, M + 1)
 *     i <= N - 1           i < N
 *
 * for all values, in 64 bits where 32 might overflow. What cannot be solved stays, and is tested before each iteration. */
#ifndef MIKGEN_PLAN_SOLVE_H
#define MIKGEN_PLAN_SOLVE_H

#include "ir/node.h"

/* The operator's body; what its entry checks prove is known (plan/entry.h). */
Node *solve_conditions(Ir *ir, Node *body);

#endif
