/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far two loops that run over the same values must stay apart, so that they may run at once.
 *
 *     for (i = 0; i < n; i++) B[i] = A[i - 1] + A[i + 1];
 *     for (i = 0; i < n; i++) A[i] = B[i];                  distance 1: once the first has done i + 1, the second may do i
 */
#ifndef MIKGEN_DEPEND_DISTANCE_H
#define MIKGEN_DEPEND_DISTANCE_H

#include "depend/access.h"
#include "depend/carry.h"

enum { DISTANCE_MOST = 8 };

/* The least d >= 0 such that an iteration of `b` touches nothing that an iteration of `a` touches whose variable is greater by more
 * than d, one of the two writing. Both loops, or one of them twice, stand in the region of `in`, and are done for the same values of
 * what is around them. False: no d up to DISTANCE_MOST, certain or not; *why has the accesses. */
bool loop_distance(Accesses *in, const Node *a, const Node *b, int64_t *d, Carried *why);

/* Is every access of the region in one of these loops? */
bool accesses_are_within(const Accesses *in, Node *const *loops, int n);

#endif
