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
 */
#ifndef MIKGEN_LICM_LICM_H
#define MIKGEN_LICM_LICM_H

#include "ir/licm_options.h"
#include "ir/node.h"

/* `body` of `f`, normalized with the same options. `body` itself if nothing changed. */
Node *licm(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

#endif
