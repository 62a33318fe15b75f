/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heuristic loop-invariant code motion on a body that normalize has prepared:
 *
 *     for j: for i: C[j*64 + i] = 3 < j && (3 < i && i < 56) ? A[j*64 + i] : 0
 * becomes
 *     for j: { bool t0 = 3 < j; int t1 = j*64; for i: C[t1 + i] = t0 && (3 < i && i < 56) ? A[t1 + i] : 0 }
 *
 * Whole declarations move too, and an `if` that is all a loop does moves around the loop as far as its
 * condition is invariant. What moves is what pays (the threshold) and may: nothing is evaluated that the body
 * did not evaluate, except arithmetic that can neither trap nor overflow; stores stay; loads move only if asked
 * to and proven. The result computes the same bits. No later pass may put a temporary's value back in its
 * place. Linear in nodes times nesting depth; idempotent together with normalize unless loads move.
 *
 * LICM_HALIDE is the same machinery under the rules of Halide's LICM.cpp (GroupLoopInvariants and LICM): sums
 * of integers are regrouped by loop depth and nothing else is; every pure expression without loads is lifted
 * out of all loops in which it does not change, conditions included, except variables, constants, widening
 * conversions and int sums whose right operand is a constant; a local whose whole value was lifted gives way to
 * the temporary; no statement moves and no `if` does. Not Halide's: what may trap or overflow obeys our rules,
 * because C is not Halide's language; the threshold is ours (Halide has no such option); and Halide's step
 * back, by which a sum, difference or product of variables that the loop reads anyway is computed in the loop
 * after all, is left out.
 */
#ifndef MIKGEN_LICM_LICM_H
#define MIKGEN_LICM_LICM_H

#include "ir/licm_options.h"
#include "ir/node.h"

/* `body` of `f`, normalized with the same options. `body` itself if nothing changed. */
Node *licm(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

#endif
