/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has just been stored is read where it was stored:
 *
 *     for (d) x += q[d] * k[l][d];                     for (d) x += q[d] * k[l][d];
 *     p[l] = x;                                        p[l] = x;
 *     top = max(top, x);                    =>         --
 *                                                      top = max(top, p[l]);
 *
 * so that nothing but the array lies between the sums and what follows, and both may have loops of their own. */
#ifndef MIKGEN_PLAN_SPLIT_READ_BACK_H
#define MIKGEN_PLAN_SPLIT_READ_BACK_H

#include "ir/node.h"

/* Of the statements of a loop's body: scalars of the element's own type that statements before have summed up in loops. Values stay. */
void read_back(Ir *ir, Vec *list);

#endif
