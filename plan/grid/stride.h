/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well neighbouring threads reach memory when they take neighbouring iterations of a loop. */
#ifndef MIKGEN_PLAN_GRID_STRIDE_H
#define MIKGEN_PLAN_GRID_STRIDE_H

#include "ir/node.h"
#include "ir/sym_map.h"

/* The sum over all accesses in `body`: above 0 for those whose address moves by one or two elements with `var` by `step`,
 * below 0 for those that it moves otherwise, 0 for those that it does not move. Stores count twice, and what stands in
 * loops four times for each. `defs`: as from find_defs(). */
int coalescing(Ir *ir, Node *body, Sym *var, int64_t step, const Map *defs);

/* Of one access: 1 for near, -1 for far, 0 for the same element. */
int nearness_of(Ir *ir, Node *access, Sym *var, int64_t step, const Map *defs);
#endif
