/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of a local array that cost less to compute where they are read than to keep:
 *
 *     for (y ...) for (x ...) T[y][x] = relu(X[y][x]);
 *     for (i ...) for (j ...) {                          =>    for (i ...) for (j ...) {
 *         v = -INFINITY;                                           v = -INFINITY;
 *         for (p ...) for (q ...)                                  for (p ...) for (q ...)
 *             v = fmaxf(v, T[2 * i + p][2 * j + q]);                   v = fmaxf(v, relu(X[2 * i + p][2 * j + q]));
 *
 * Only arrays of which one loop nest, that does nothing else, stores every element that is read, from what does not change before
 * the last of them is. Values do not change, to the bit. */
#ifndef MIKGEN_FUSE_REMATERIALIZE_H
#define MIKGEN_FUSE_REMATERIALIZE_H

#include "ir/node.h"

/* Instead of a limit: whatever is computed, as long as the text does not grow out of hand. */
enum { RECOMPUTE_ALWAYS = -1 };

/* `body`, which has all uses of the array and does not declare it, without them. `most`: what may be computed for an element in all the
 * places where it is read together, an addition or a load being 1. NULL: the array stays. */
Node *recompute_elements(Ir *ir, Node *body, Sym *array, int most);

#endif
