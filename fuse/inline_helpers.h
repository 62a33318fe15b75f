/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Composite expansion: helpers are inlined.
 *
 *     static float relu(float x) { return x > 0 ? x : 0; }
 *     y[i] = relu(a[i] + b);
 * becomes
 *     const float x = a[i] + b;
 *     y[i] = x > 0 ? x : 0;
 */
#ifndef MIKGEN_FUSE_INLINE_HELPERS_H
#define MIKGEN_FUSE_INLINE_HELPERS_H

#include "ir/node.h"

/* Rewrite f->body so that no N_REF, N_EVAL or call of a helper is left; the helpers themselves are expanded
 * on the way. Arguments are evaluated once and when C does it; operands of && || ?: only when they are
 * reached. New symbols have names that the function does not use yet. Afterwards the extents of its local
 * arrays are expressions of its scalar parameters and constants.
 * What cannot be expanded is reported through ir->diag, and the body is then of no use. */
void inline_helpers(Ir *ir, Func *f);

#endif
