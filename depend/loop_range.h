/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Affine bounds: between which values a loop's variable stays, and the least and the greatest value of a sum as loops run.
 *
 *     for (i = 0; i < n; i++)
 *         for (j = i; j > 2; j--)
 *             a[4 * i - j + 1]                            from 3 * 0 + 1 to 4 * (n - 1) - 3 + 1
 */
#ifndef MIKGEN_DEPEND_LOOP_RANGE_H
#define MIKGEN_DEPEND_LOOP_RANGE_H

#include "depend/poly.h"

/* The variable's values while the loop runs, whose last one a step of more than 1 may not reach. */
typedef struct LoopRange {
    Sym *var;
    Poly *least, *most; /* inclusive; NULL: not known, as the loop's bounds do not count (ir/node.h) */
} LoopRange;

LoopRange range_of_bounds(Ir *ir, const Bounds *b);
LoopRange range_of_loop(Ir *ir, const Node *loop);
/* How many values are between its ends: no iterations where it is negative. */
Poly *range_length(Ir *ir, const LoopRange *range);

/* Is it >= 0 in every call that passes the entry point's checks? Array extents are, and their sums and products. `func` NULL: constants
 * alone are known. */
bool known_nonnegative(Ir *ir, const Func *func, const Poly *p);

/* Which way p goes as the variable rises: 1 up, -1 down, 0 it stays or nobody knows. p is rest + coef * var, if it is not 0. */
int direction_along(Ir *ir, const Func *func, const Poly *p, Sym *var, Poly **coef, Poly **rest);

/* The least or, with `most`, the greatest value of p over `n` loops, the outermost first, whose ranges may depend on those around. NULL: it is
 * not affine in their variables, or goes nobody knows which way. `func` as for known_nonnegative(). */
Poly *extreme_over(Ir *ir, const Func *func, Poly *p, const LoopRange *loops, int n, bool most);
/* The same where all of the loops run: p may be a subscript m * K + k of a loop over k from 0 to K, which then is positive. */
Poly *extreme_inside(Ir *ir, const Func *func, Poly *p, const LoopRange *loops, int n, bool most);

#endif
