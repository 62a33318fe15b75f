/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that only the GPU knows and that a contraction reads go to it through memory, as arrays of one element:
 *
 *     for (i ...) q += x[i] * x[i];              for (i ...) q += x[i] * x[i];
 *     k = 1 / sqrtf(q);                          k = 1 / sqrtf(q);
 *                                                cell[0] = k;
 *     for (...) y[j] = k * (sum of products)     for (...) y[j] = cell[0] * (sum of products)
 */
#ifndef MIKGEN_PLAN_GRID_SCALAR_CELLS_H
#define MIKGEN_PLAN_GRID_SCALAR_CELLS_H

#include "plan/plan.h"

/* `body`, of which `plan` has been made, with such cells in front of the loops of plan's contractions; `body` itself where none is needed. */
Node *scalars_in_cells(Ir *ir, const Plan *plan, Node *body);

#endif
