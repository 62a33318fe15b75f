/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariant load hoisting: elements that lanes gather from far apart, the same in all iterations of a loop inside, are gathered once
 * before it. So are scalars that are loaded for all lanes, beside non-temporal stores.
 *
 *     for (i ...) store(dst + i * 16, gather(d + b, B) * load(tile + i * 16));
 * becomes
 *     if (there are iterations) {
 *         floats d_same = gather(d + b, B);
 *         for (i ...) store(dst + i * 16, d_same * load(tile + i * 16));
 *     }
 */
#ifndef MIKGEN_PLAN_VECTORS_INVARIANT_LOAD_HOISTING_H
#define MIKGEN_PLAN_VECTORS_INVARIANT_LOAD_HOISTING_H

#include "ir/node.h"

/* Of a body whose loops are vectorized: out of the innermost loop around each. It leaves loops around that, too, if they are known to run.
 * converted: so do neighbours in memory that are converted. */
Node *hoist_invariant_loads(Ir *ir, Node *body, bool converted);

#endif
