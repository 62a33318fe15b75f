/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over a variable of an outer scope get one of their own, and the outer one its value behind them, so that later passes see loops
 * that count as any other.
 *
 *     for (; i < n; i++)                 for (int i' = i; i' < n; i'++)
 *         y[i] = x[i];                       y[i'] = x[i'];
 *                                        i = max(i, n);
 *
 * A loop whose condition tests its variable one step back counts by what is tested, as unsigned numbers that count down to 0 need it:
 *
 *     for (i = n - 1; i + 1 != 0; i--)   for (unsigned t = n; t > 0; t--)
 *         y[i] = x[i];                       y[t - 1] = x[t - 1];
 *                                        i = min(n, 0) - 1;
 *
 * Values are C's, those that wrap included. A loop whose bounds its body changes, or that nobody can count, stays. */
#ifndef MIKGEN_PLAN_OWN_COUNTERS_H
#define MIKGEN_PLAN_OWN_COUNTERS_H

#include "ir/node.h"

/* A function's body, its conditions solved (plan/solve.h); `body` itself when nothing changed. */
Node *own_counters(Ir *ir, Node *body);

#endif
