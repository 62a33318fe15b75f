/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose bounds memory holds, as those over the rows of a sequence among others:
 *
 *                                                           int first = off[g];
 *     for (m = off[g]; m < off[g + 1]; m++)        =>       int end = off[g + 1];
 *         ...                                               for (m = first; m < end; m++)
 *                                                               ...
 */
#ifndef MIKGEN_PLAN_SPLIT_READ_BOUNDS_H
#define MIKGEN_PLAN_SPLIT_READ_BOUNDS_H

#include "ir/node.h"

/* The loop with every element that its bounds, or those of loops in it, read in a scalar of its own, pushed to `declarations` (N_DECL),
 * wherever it reads them. Bounds of inner loops are read only if these are reached. NULL: no bounds read memory, or what they read changes
 * while the loop runs. */
Node *read_bounds(Ir *ir, Node *loop, Vec *declarations);

#endif
