/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: the two outermost loops of a nest as one, so that the third can be cut:
 *
 *     for (g = begin; g < end; g++)                    for (i = begin; i < end; i++) {
 *         for (r = first; r < last; r++)        =>         g = i / R, r = i % R;
 *             for (t = 0; t < T; t++)                      for (t = first; t < last; t++)
 *                 ...                                          ...
 */
#ifndef MIKGEN_PLAN_NESTS_MERGE_LOOPS_H
#define MIKGEN_PLAN_NESTS_MERGE_LOOPS_H

#include "plan/plan.h"

/* May it be done: are the first two loops those that are cut, and a third, whose iterations may run at once, is all of their body? */
bool loops_can_merge(const HostNest *nest);

/* Does it: nest->loops, count and cut are those of the new loops. */
void merge_outer_loops(Ir *ir, HostNest *nest);

#endif
