/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a contraction's steps in which quotients stay the same, as the groups of quantized weights have them:
 *
 *     for kk:  for j:  dst[kk][j] = f(q[k][j], s[k / 128][j])
 *     for run:  for j:  for kk of the run:  dst[kk][j] = f(q[k][j], s[run / 8][j])
 *
 * What a run shares is read and unpacked once for it. */
#ifndef MIKGEN_PLAN_LOWER_STEP_RUNS_H
#define MIKGEN_PLAN_LOWER_STEP_RUNS_H

#include "plan/plan.h"

/* How many steps such a run has, the first of them at a multiple of this; 0: the value has no quotients of steps in subscripts. */
int64_t run_length(const Contraction *c, Node *value);

/* The value in a run, which is numbered by a T_INDEX. */
Node *value_in_run(Ir *ir, const Contraction *c, Node *value, Node *run);

#endif
