/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers that hold nothing but narrow values, in narrow types, of which compilers' vectors have more lanes:
 *
 *     int m = 0;                                  uint8_t m = 0;
 *     for (q ...)                                 for (q ...)
 *         m = x[q] > m ? x[q] : m;                    m = x[q] > m ? x[q] : m;
 */
#ifndef MIKGEN_PLAN_VECTORS_NARROW_SCALARS_H
#define MIKGEN_PLAN_VECTORS_NARROW_SCALARS_H

#include "ir/node.h"

/* The same pointer: there are none. */
Node *narrow_scalars(Ir *ir, Node *body);

#endif
