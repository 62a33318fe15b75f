/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that make a local array of a constant one and of nothing else, as sums of its columns:
 *
 *     for (n) { sums[n] = 0; for (k) sums[n] += W[n][k]; }
 *
 * run when that array is packed, which keeps what they make for calls that it comes packed to. */
#ifndef MIKGEN_PLAN_LOWER_KEEP_NESTS_H
#define MIKGEN_PLAN_LOWER_KEEP_NESTS_H

#include "plan/plan.h"

/* What a nest makes so of k's array and of parameters on which that one's packed form depends; NULL: it is no such nest. */
Sym *made_of_constant(const Plan *plan, const Constant *k, const HostNest *nest);

#endif
