/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several iterations of a loop together, where a loop inside it is vectorized and has loops of its own: sums do not wait for one
 * another, and what is the same in all of these iterations, an element of a filter or a mask, is loaded or made once.
 *
 *     for (p = 0; p < P; p++) {                      next = 0;
 *         low = max(0, pad - p);                     for (p = 0; p < P; p++)
 *         for (q = 0; q < Q; q++) {                      if (p >= next) {
 *             sum = 0;                                       low = max(0, pad - p); low_1 = max(0, pad - p_1);
 *             for (r = low; r < R; r++)          =>          if (P - p > 1 && low_1 == low) {
 *                 sum += x[p + r][q] * k[r];                     for (q = 0; q < Q; q++) {
 *             y[p][q] = sum;                                         sum = 0; sum_1 = 0;
 *         }                                                          for (r = low; r < R; r++) {
 *     }                                                                  sum += x[p + r][q] * k[r];
 *                                                                        sum_1 += x[p_1 + r][q] * k[r];
 *                                                                    }
 *                                                                    y[p][q] = sum; y[p_1][q] = sum_1;
 *                                                                }
 *                                                                next = p + 2;
 *                                                            } else { as it was }
 *                                                        }
 */
#ifndef MIKGEN_PLAN_NESTS_UNROLL_AND_JAM_H
#define MIKGEN_PLAN_NESTS_UNROLL_AND_JAM_H

#include "ir/node.h"

enum { MOST_ROWS = 4 };

/* Marks loops FOR_ROWS whose iterations are independent, and share something, or the data of neighbours. */
Node *mark_rows(Ir *ir, Node *body);

/* A loop that is marked, taken apart. */
typedef struct RowBlock {
    Node *before;   /* N_BLOCK: what `agrees` depends on, and what of it both bodies use */
    Node *agrees;   /* from this iteration on there are so many, and loops inside go over the same range in all of them */
    Node *together; /* the body for that many, */
    Node *one;      /* for this one */
} RowBlock;

/* False when the loops inside end elsewhere for reasons that cannot be looked at ahead. `rows` is 2 to MOST_ROWS. */
bool unroll_and_jam(Ir *ir, Node *loop, int rows, RowBlock *block);
/* Is the number of its iterations known to be a multiple of `rows`, and nothing else asked for? Then `one` is not needed. */
bool comes_in_blocks(Ir *ir, Node *loop, int rows, const RowBlock *block);
/* The loop with these bodies, or what has become of them. */
Node *rows_in_blocks(Ir *ir, Node *loop, int rows, const RowBlock *block);

#endif
