/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A local array of which each iteration of the loops around uses one element, and none of another's, is a scalar there:
 *
 *     for (i ...) { A[i] = X[i] + Y[i]; B[i] = A[i] * s; }    =>    for (i ...) { float A; A = X[i] + Y[i]; B[i] = A * s; }
 *
 * What an iteration reads of it before it writes it was indeterminate. */
#ifndef MIKGEN_FUSE_ARRAY_CONTRACTION_H
#define MIKGEN_FUSE_ARRAY_CONTRACTION_H

#include "ir/node.h"

/* Of `arrays`, which are declared nowhere in `body`, each holding nothing when it begins: those that became scalars leave the list. */
Node *shrink_arrays(Ir *ir, Node *body, Vec *arrays);

/* The same for those that the body, a block, declares itself. */
Node *shrink_own_arrays(Ir *ir, Node *body);

#endif
