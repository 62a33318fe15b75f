/* Which loops may run their iterations in any order, and how many iterations there are. Conservative: a loop is
 * parallel only when every array it writes is written, and read, in a slice that belongs to one iteration. */
#ifndef MIKGEN_PLAN_PARALLEL_H
#define MIKGEN_PLAN_PARALLEL_H

#include "ir/node.h"

/* True when
 *   - the loop declares its variable and its bounds do not change while it runs,
 *   - every scalar assigned in the body is declared in it,
 *   - for every array stored to there is a dimension in which all its accesses in the body have the same subscript
 *     c * variable + (something that does not change in the loop), c a constant other than 0.
 * Arrays are taken not to overlap (mikgen's contract), and subscripts to stay inside their dimension (C's rule). */
bool loop_is_parallel(Ir *ir, Node *loop);

/* Number of iterations as T_INDEX, at least 0; NULL when the loop has another form than ir/node.h's Bounds or a
 * `!=` bound that its step may miss or that it may reach only after its variable has wrapped around. */
Node *trip_count(Ir *ir, Node *loop);

/* The same where the loop is known to run at all: what it says of one that does not may be negative. */
Node *trip_count_of_running(Ir *ir, Node *loop);

#endif
