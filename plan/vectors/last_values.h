/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that are set for the last time and read no more:
 *
 *     int v = x[i];            =>   y[i] = 0;
 *     v = v + 1;
 *     y[i] = 0; */
#ifndef MIKGEN_PLAN_VECTORS_LAST_VALUES_H
#define MIKGEN_PLAN_VECTORS_LAST_VALUES_H

#include "ir/node.h"

/* The body without what sets those that are declared in the same block. */
Node *drop_last_values(Ir *ir, Node *body);

#endif
