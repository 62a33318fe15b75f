/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops may run their iterations in any order, and how many iterations there are. */
#ifndef MIKGEN_DEPEND_PARALLEL_H
#define MIKGEN_DEPEND_PARALLEL_H

#include "depend/carry.h"

/* False is certain, true may be wrong. A loop's iterations need no order when
 *   - the loop declares its variable and its bounds do not change while it runs,
 *   - every scalar assigned in the body is declared in it,
 *   - for every array stored to there is a dimension in which all its accesses in the body have the same subscript
 *     c * variable + (something that does not change in the loop), c a constant other than 0; or isl proves that
 *     iterations do not meet (depend/carry.h), which is asked only about the others.
 * Arrays are taken not to overlap (mikgen's contract), and subscripts to stay inside their dimension (C's rule).
 * True fills *why. */
bool loop_is_ordered(Ir *ir, Node *loop, Carried *why);

/* May the iterations of `loop` run in any order in all of `region`, which is the loop itself or one around it with
 * nothing but loops in between (as if `loop` were the outermost)? Scalars in `reduced` are no obstacle. */
bool iterations_are_independent(Ir *ir, Node *region, Node *loop, Sym *const *reduced, int nreduced);

/* The contrary; also of what is no loop: false. */
bool loop_is_parallel(Ir *ir, Node *loop);

/* Number of iterations as T_INDEX, at least 0; NULL when the loop has another form than ir/node.h's Bounds or a
 * `!=` bound that its step may miss or that it may reach only after its variable has wrapped around. */
Node *trip_count(Ir *ir, Node *loop);

/* The same where the loop is known to run at all: what it says of one that does not may be negative. */
Node *trip_count_of_running(Ir *ir, Node *loop);

#endif
