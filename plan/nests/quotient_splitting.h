/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strip mining of innermost loops that read an element for several neighbours:
 *
 *     for (j = 0; j < 2 * W; j++)                    for (t = 0; t < W; t++)
 *         y[j] = x[j / 2];                  =>           for (part = 0; part < 2; part++)
 *                                                            y[2 * t + part] = x[t];
 *
 * What is read are neighbours along the outer loop then; what is stored are members of pairs. */
#ifndef MIKGEN_PLAN_NESTS_QUOTIENT_SPLITTING_H
#define MIKGEN_PLAN_NESTS_QUOTIENT_SPLITTING_H

#include "ir/node.h"

/* Of loops whose iterations need no order and store narrow elements alone, or wide ones alone, where the divisor, 2 to 4, divides the trip
 * count as a polynomial. The nest itself if there is no such loop. */
Node *split_quotients(Ir *ir, Node *nest);

#endif
