/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prefix sums: loops of which each iteration adds to a scalar, and then reads the sum so far.
 *
 *     for (j = 0; j < n; j++) {
 *         s += x[j];
 *         y[j] = s;
 *     } */
#ifndef MIKGEN_DEPEND_SCAN_H
#define MIKGEN_DEPEND_SCAN_H

#include "ir/node.h"

enum { FOR_SCAN = 1024 }; /* aux of N_FOR: it is one, and its iterations need no order but for the sum */

typedef struct Scan {
    Sym *acc;   /* the scalar, which outlives the loop */
    Sym *total; /* a new one of the body: declared as what an iteration adds, read as the sum so far */
    Node *loop; /* with `total` in the place of `acc` */
} Scan;

/* Has the loop this form, whatever else its iterations do? Sums of integers of 32 bits, of floats unless `strict`. */
bool find_scan(Ir *ir, Node *loop, bool strict, Scan *scan);
/* Do its iterations need no order besides? */
bool loop_is_scan(Ir *ir, Node *loop, bool strict);

#endif
