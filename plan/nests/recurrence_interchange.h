/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that carry state from one row to the next, with independent elements in a row, as filters of several channels do:
 *
 *     for (n) for (c) {                                for (c) for (n) {
 *         s[c] = a * s[c] + x[n][c];          =>           s[c] = a * s[c] + x[n][c];
 *         y[n][c] = s[c];                                  y[n][c] = s[c];
 *     }                                                }
 *
 * Elements are lanes of vectors as before, but their state stays in registers while the rows go by, and threads may share the elements.
 * Bits are the same. C target. */
#ifndef MIKGEN_PLAN_NESTS_RECURRENCE_INTERCHANGE_H
#define MIKGEN_PLAN_NESTS_RECURRENCE_INTERCHANGE_H

#include "ir/node.h"

/* The body with such loops interchanged; where only a call knows how many elements a row has, both orders. */
Node *interchange_recurrences(Ir *ir, Node *body);

#endif
