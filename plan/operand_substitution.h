/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In loops that do nothing but add to several sums, names of operands give way to what they stand for. The sums then have nothing in common, and may
 * have loops of their own.
 *
 *     for (k) {                                        for (k) {
 *         float a = A[m][k];                               s += A[m][k] * B[k][n];
 *         s += a * B[k][n];                                t += A[m][k] * C[k][n];
 *         t += a * C[k][n];                            }
 *     }
 */
#ifndef MIKGEN_PLAN_OPERAND_SUBSTITUTION_H
#define MIKGEN_PLAN_OPERAND_SUBSTITUTION_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. */
Node *substitute_operands(Ir *ir, Node *body);

#endif
