/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives expressions, conditions and `if`s of a function body one normal form, in which every part that is
 * invariant in some loop is a subtree of its own, so that licm can move it:
 *
 *     for j: for i: C[i + j*64] = 3 < i ? (3 < j ? (i < 56 ? A[i + j*64] : 0) : 0) : 0
 * becomes
 *     for j: for i: C[j*64 + i] = 3 < j && (3 < i && i < 56) ? A[j*64 + i] : 0
 *
 * Chains of associative integer operations are sorted by rank (ir/loop_rank.h); floating-point operations are never
 * regrouped. The result computes the same bits and evaluates nothing that the body did not, except arithmetic
 * that can neither trap nor overflow. Linear in the number of nodes; idempotent.
 */
#ifndef MIKGEN_NORMALIZE_NORMALIZE_H
#define MIKGEN_NORMALIZE_NORMALIZE_H

#include "ir/licm_options.h"
#include "ir/node.h"

/* `body` of `f`, all helper calls expanded. `body` itself if nothing changed. */
Node *normalize(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

#endif
