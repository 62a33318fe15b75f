/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that the device computes and hands from one loop to another: through memory, so that each loop is a launch of its own, of as
 * many blocks as it has work for:
 *
 *     s = 0;                                       { s = 0; for (i ...) s += x[i]; at[0] = s / n; }
 *     for (i ...) s += x[i];                 =>    --
 *     mean = s / n;                                for (i ...) y[i] = x[i] - at[0];
 *     for (i ...) y[i] = x[i] - mean;
 */
#ifndef MIKGEN_PLAN_GRID_DEVICE_SCALARS_H
#define MIKGEN_PLAN_GRID_DEVICE_SCALARS_H

#include "ir/node.h"

/* Statements that follow one another and declare all scalars that they share, cut into such groups, in order. A group that is no block
 * is a loop without scalars of its own. *cells: the arrays, of one element each, that have to be there for all of them. One group, the
 * statements as they are: nothing is gained. */
Vec cut_at_loops(Ir *ir, const Vec *statements, bool strict, Vec *cells, Loc loc);

/* A group that is a block, with loops in it that gather something up as one each (plan/collapse.h). */
Node *collapse_gathers(Ir *ir, Node *group, bool strict);

#endif
