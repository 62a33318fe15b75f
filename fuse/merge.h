/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that follow one another and run alike become one, and so do the loops inside:
 *
 *     for (i ...) A[i] = X[i] + Y[i];
 *     for (i ...) B[i] = A[i] * s;              =>    for (i ...) { A[i] = X[i] + Y[i]; B[i] = A[i] * s; }
 *
 * Only loops over the same range, whose iterations need no order but for what they reduce into scalars, that have an array in
 * common, and whose iterations need no order together either: so no element moves from one iteration to another. Statements
 * between them go before or behind. Values do not change, to the bit. */
#ifndef MIKGEN_FUSE_MERGE_H
#define MIKGEN_FUSE_MERGE_H

#include "ir/node.h"

/* `strict`: floating-point sums have an order. `for_threads`: a GPU is to run the loops, whose threads get iterations of the outermost
 * parallel ones; then only loops that do not have fewer of these together. `apart`: arrays (Sym *) over which loops that store them do not
 * meet others; NULL: none. */
Node *merge_loops(Ir *ir, Node *body, bool strict, bool for_threads, const Vec *apart);

/* The same, but only loops over single elements go into those before them that gather each of these up:
 *
 *     for (m ...) for (n ...) { s = 0; for (k ...) s += A[m][k] * B[k][n]; C[m][n] = s; }
 *     for (m ...) for (n ...) Y[m][n] = relu(C[m][n] + b[n]);
 */
Node *merge_pointwise(Ir *ir, Node *body, bool strict);

#endif
