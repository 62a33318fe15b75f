/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Independent loops in the order in which vectors reach memory best:
 *
 *     for (n) for (m) Y[m][n] = 2 * X[m][n];      =>    for (m) for (n) ...        neighbours in memory are neighbours in the loop
 *     for (n) for (m) Y[n][m] = X[m][n];          =>    for (m) for (n) ...        m vectorized, although there is a loop inside: what
 *                                                                                  one array has along m another has along n
 *     for (c, 3) for (n) Y[n][c] = X[c][n];       =>    for (n) for (c, 3) ...     the few members of an element stay together
 */
#ifndef MIKGEN_PLAN_NESTS_INTERCHANGE_H
#define MIKGEN_PLAN_NESTS_INTERCHANGE_H

#include "ir/node.h"

/* Of loops with nothing between them; others are as they were. Around sums the loop moves inside along which all accesses are neighbours:
 *
 *     for (c) for (q) { s = 0; for (t) s += x[q + t][c]; y[q][c] = s; }      =>    for (q) for (c) ...
 */
Node *interchange(Ir *ir, Node *nest);

/* cost[i]: what memory costs where neighbours in loop[i] follow one another, the less the better; of `n` loops, outermost first, with
 * nothing between them, that do `body`. */
void order_costs(Ir *ir, Node *const *loop, int n, Node *body, int *cost);

/* Sums whose terms are neighbours, one after the other; each adds up in the order that it had:
 *
 *     for (k) for (j) c[j] += a[j][k];            =>    for (j) for (k) c[j] += a[j][k];
 */
Node *turn_sums(Ir *ir, Node *nest);

#endif
