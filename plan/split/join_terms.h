/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms of a sum that differ in numbers alone are one term of a further loop, if an operand's elements then follow each other:
 *
 *     for (i < 16) {                                           for (t < 2)
 *         s += x[b][i] * (q[n][b][i] & 15);                        for (i < 16)
 *         s += x[b][i + 16] * (q[n][b][i] >> 4);      =>               s += x[b][i + 16 * t] * (q[n][b][i] >> 4 * t & 15);
 *     }
 */
#ifndef MIKGEN_PLAN_SPLIT_JOIN_TERMS_H
#define MIKGEN_PLAN_SPLIT_JOIN_TERMS_H

#include "plan/split/gather_sums.h"

/* The chain with one term for each accumulator, and one more loop around its innermost one. False: it stays as it is. */
bool join_terms(Ir *ir, Sums *s);

#endif
