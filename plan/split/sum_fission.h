/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several loops add to one scalar has scalars of its own, so that each of them may become a contraction:
 *
 *     s = b;                                           s = b;
 *     for (i) s += x[i] * w[i];                        for (i) s += x[i] * w[i];
 *     for (i) s += h[i] * u[i];            =>          r = 0;
 *     y = s;                                           for (i) r += h[i] * u[i];
 *                                                      t = s + r;
 *                                                      y = t;
 */
#ifndef MIKGEN_PLAN_SPLIT_SUM_FISSION_H
#define MIKGEN_PLAN_SPLIT_SUM_FISSION_H

#include "ir/node.h"

/* Of the statements of a loop's body, which declare the scalars. So has what is summed up in one that starts anew. Floating-point sums
 * change their order; a contraction's do, too. */
void separate_sums(Ir *ir, Vec *list);

#endif
