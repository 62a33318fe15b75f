/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assignments to scalars, brought near:
 *
 *     a = 0; b = 0;                         a = 0;
 *     for (i ...) a += x[i];       =>       for (i ...) a += x[i];
 *     for (i ...) b += y[i];                b = 0;
 *                                           for (i ...) b += y[i];
 */
#ifndef MIKGEN_DEPEND_SINK_H
#define MIKGEN_DEPEND_SINK_H

#include "ir/node.h"

/* Assignments among the statements go down to what touches their scalars first, if that is near. */
void sink_assignments(Ir *ir, Vec *list);

#endif
