/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that go over a row one after the other: the first waits for memory, the later ones find the row in a cache, and memory waits for
 * them. So the costliest of these asks for the row that comes next.
 *
 *     for (m = 0; m < M; m++) {                          for (m = 0; m < M; m++) {
 *         for (n = 0; n < N; n++)                            for (n = 0; n < N; n++)
 *             top = max(top, x[N * m + n]);                      top = max(top, x[N * m + n]);
 *         for (n = 0; n < N; n++)                =>          for (n = 0; n < N; n++) {
 *             sum += exp(x[N * m + n] - top);                    fetch(x + N * (m + 1) + n);
 *     }                                                          sum += exp(x[N * m + n] - top);
 *                                                            }
 *                                                        }
 */
#ifndef MIKGEN_PLAN_NESTS_PREFETCH_NEXT_ROW_H
#define MIKGEN_PLAN_NESTS_PREFETCH_NEXT_ROW_H

#include "ir/sym_map.h"

#include "ir/node.h"

/* What a loop is to prefetch: `load`, and the same so many elements further on. */
typedef struct NextRow {
    Node *load, *apart;
} NextRow;

/* Loops directly inside `row`, which goes up by one: next gets, by a loop's node id, Vec * of NextRow *. */
void find_next_rows(Ir *ir, Node *row, Map *next);

/* How far the next row is, a T_INDEX, or 0 if it is too long to be kept beside this one until it is used. */
Node *next_row_apart(Ir *ir, const NextRow *next);

#endif
