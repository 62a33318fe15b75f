/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that iterations only set to one constant, or combine by && and ||, become reductions by |, which vectors and threads reduce:
 *
 *     for (...) if (x[i] > 0) any = true;      int hit = 0;
 *     for (...) all = all && x[i] > 0;         for (...) hit = hit | (x[i] > 0);
 *                                              if (hit) any = true;
 *
 * What && and || would have left out is computed as well: only where that can neither trap nor leave an array. */
#ifndef MIKGEN_PLAN_FLAG_REDUCTION_H
#define MIKGEN_PLAN_FLAG_REDUCTION_H

#include "ir/node.h"

/* The operator's body; the same when nothing changed. */
Node *reduce_flags(Ir *ir, const Func *f);

#endif
