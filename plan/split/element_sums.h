/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An element that a loop sums up in place is a scalar until it is complete (scalar replacement):
 *
 *     s[j] = 0;                                        float held = 0;
 *     for (d) s[j] += q[d] * k[j][d];         =>       for (d) held += q[d] * k[j][d];
 *     s[j] *= scale;                                   s[j] = held * scale;
 *     top = max(top, s[j]);                            top = max(top, s[j]);
 *
 * so that the sum, what it begins with and its epilogue are one piece of a loop that is distributed. */
#ifndef MIKGEN_PLAN_SPLIT_ELEMENT_SUMS_H
#define MIKGEN_PLAN_SPLIT_ELEMENT_SUMS_H

#include "ir/node.h"

/* Of the statements of a loop's body. Values stay. */
void hold_element_sums(Ir *ir, Vec *list);

#endif
