/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index-set splitting at guards that decide whether an iteration needs its inner loops at all, as a causal mask over full rows does:
 *
 *     for (l = 0; l < L; l++) {                       for (l = 0; l <= t; l++) {
 *         dot = 0;                                        dot = 0;
 *         for (d ...) dot += q[t][d] * k[l][d];  =>       for (d ...) dot += q[t][d] * k[l][d];
 *         s[l] = l > t ? -INFINITY : dot;                 s[l] = dot;
 *     }                                               }
 *                                                     for (l = t + 1; l < L; l++)
 *                                                         s[l] = -INFINITY;
 *
 * All iterations keep their order, and their values: one part does not compute what it would not read. The place is known to be in the
 * loop's range. Loops whose parts both compute something, such as those over borders of images, stay whole. */
#ifndef MIKGEN_PLAN_GUARD_SPLITTING_H
#define MIKGEN_PLAN_GUARD_SPLITTING_H

#include "ir/node.h"

/* The operator's body, whose loops count (plan/own_counters.h); the body itself when nothing changed. */
Node *split_at_guards(Ir *ir, const Func *func);

#endif
