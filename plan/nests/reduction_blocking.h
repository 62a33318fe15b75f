/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop that reduces everything runs by blocks of its iterations, which threads may share out; their results are put together in
 * order. How many blocks there are is a matter of the work alone, so that a result does not depend on the number of threads:
 *
 *     float s = 0;                          float s = 0, s_of[32];
 *     for (i = 0; i < n; i++)               const int64_t blocks = ...;
 *         s += x[i];                  =>    for (block = 0; block < blocks; block++) {    FOR_BLOCKS
 *                                               float s = -0;
 *                                               for (i = n / blocks * block ...; i < ...; i++) s += x[i];
 *                                               s_of[block] = s;
 *                                           }
 *                                           for (block = 0; block < blocks; block++)      FOR_COMBINES
 *                                               s = s + s_of[block];
 */
#ifndef MIKGEN_PLAN_NESTS_REDUCTION_BLOCKING_H
#define MIKGEN_PLAN_NESTS_REDUCTION_BLOCKING_H

#include "ir/node.h"

typedef struct Blocks {
    Node *whole;           /* the loop as it was */
    const Sym *loop;       /* the variable of the loop over blocks */
    Sym *blocks, *work; /* scalars of the operator's body: how many there are; nanoseconds of all of them on one thread */
    Sym **result;          /* arrays of the operator's body with an element for each block */
    int nresults;          /* at least 1 */
} Blocks;

/* The operator's body with such loops among its own statements by blocks; *found: Blocks of each. */
Node *block_reductions(Ir *ir, Node *body, bool strict, Vec *found);

/* The one of `found` whose loop over blocks has this variable; NULL: none. */
const Blocks *blocks_of(const Vec *found, const Sym *loop);

/* The operator's body with that loop as it was before. */
Node *without_blocks(Ir *ir, Node *body, const Blocks *blocks);

#endif
