/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums in the place of their names in subscripts:
 *
 *     for (s = 0; s < S; s++) {                     for (s = 0; s < S; s++)
 *         int w = q + s - pad;             =>           sum += x[q + s - pad] * k[s];
 *         sum += x[w] * k[s];
 *     }
 *
 * What an offset is a sum of is then seen: part of it does not change in a loop, and the rest grows by a stride. */
#ifndef MIKGEN_PLAN_NESTS_SUBSCRIPTS_H
#define MIKGEN_PLAN_NESTS_SUBSCRIPTS_H

#include "ir/node.h"

/* Of signed integers that are declared once, as sums of variables of loops and what does not change. */
Node *spell_subscripts(Ir *ir, Node *body);

#endif
