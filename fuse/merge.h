/* Loops that follow one another and run alike become one, and so do the loops inside:
 *
 *     for (i ...) A[i] = X[i] + Y[i];
 *     for (i ...) B[i] = A[i] * s;              =>    for (i ...) { A[i] = X[i] + Y[i]; B[i] = A[i] * s; }
 *
 * Only loops over the same range, whose iterations need no order but for what they gather up in scalars, that have an array in
 * common, and whose iterations need no order together either: so no element moves from one iteration to another. Statements
 * between them go before or behind. Values do not change, to the bit. */
#ifndef MIKGEN_FUSE_MERGE_H
#define MIKGEN_FUSE_MERGE_H

#include "ir/node.h"

/* *strict: floating-point sums have an order. */
Node *merge_loops(Ir *ir, Node *body, bool strict);

#endif
