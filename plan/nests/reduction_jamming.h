/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small products and moments of long columns, all of whose sums fit registers, in one pass over the columns:
 *
 *     for (i = 0; i < 3; i++)                    s = 0; s_1 = 0; ... s_8 = 0;
 *         for (j = 0; j < 3; j++) {              for (n = 0; n < N; n++) {
 *             s = 0;                                 s += x[n][0] * x[n][0];
 *             for (n = 0; n < N; n++)     =>         s_1 += x[n][0] * x[n][1];
 *                 s += x[n][i] * x[n][j];            ...
 *             c[i][j] = s;                       }
 *         }                                      c[0][0] = s; c[0][1] = s_1; ...
 *
 * Micro-kernels would have tiles with few elements, and pack what is read once. */
#ifndef MIKGEN_PLAN_NESTS_REDUCTION_JAMMING_H
#define MIKGEN_PLAN_NESTS_REDUCTION_JAMMING_H

#include "ir/node.h"

/* The body with such loops unrolled whole and jammed; the same pointer: it has none. strict: floating-point products keep their order. */
Node *jam_reductions(Ir *ir, Node *body, bool strict);

#endif
