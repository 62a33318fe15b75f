/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nests that follow one another go over the same rows of the same arrays, one after the other, when these have left the caches. In
 * waves each does a few rows as soon as those before it have done the rows that it depends on, and the steps of a loop around them follow
 * in the same way:
 *
 *     for (t ...) {                                   for (front ...)
 *         for (i ...) B[i] = A[i - 1] + A[i + 1];         for (some steps at once, t)
 *         for (i ...) A[i] = B[i];             =>             B[i] = ...  for some rows i from front - 2 * t on
 *     }                                                       A[i] = ...  for some rows i from front - 2 * t - 1 on
 *
 * This is shifting and skewing (Wolfe, "Loop skewing: the wavefront method revisited", 1986; Wonnacott, "Time skewing for parallel
 * computers", 1999) of loops that are functions already, which the emitted file does at run time, where that pays. No value changes. */
#ifndef MIKGEN_PLAN_NESTS_PIPELINED_NESTS_H
#define MIKGEN_PLAN_NESTS_PIPELINED_NESTS_H

#include "plan/plan.h"

/* The plan's waves, of its host nests, whose loops are as split_host() has made them; N_LAUNCH of these in the operator's body. */
void pipeline_nests(Ir *ir, Plan *plan, const PlanOptions *opt);

#endif
