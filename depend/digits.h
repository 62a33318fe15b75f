/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subscripts of arrays of several dimensions that are written as one: digits, which are equal one by one.
 *
 *     for (h = 0; h < H; h++)
 *         for (t = 0; t < T; t++)
 *             for (d = 0; d < D; d++)
 *                 y[(h * T + t) * D + d] = ...       as y[h][t][d], since 0 <= t < T and 0 <= d < D
 */
#ifndef MIKGEN_DEPEND_DIGITS_H
#define MIKGEN_DEPEND_DIGITS_H

#include "depend/access.h"

enum { MOST_DIGITS = 6 };

/* Linear forms that are all 0 where accesses x and y, side 0 and side 1 of the system, have the same subscript `d`. Returns how many; 0:
 * none is known. */
int subscript_differences(Accesses *s, System *sys, const Access *x, const Access *y, int d, Form difference[MOST_DIGITS]);

#endif
