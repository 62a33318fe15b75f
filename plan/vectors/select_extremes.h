/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches that only take an extreme in become choices, for which vectors have an operation:
 *
 *     if (x[i] > top)              =>  top = x[i] > top ? x[i] : top;
 *         top = x[i]; */
#ifndef MIKGEN_PLAN_VECTORS_SELECT_EXTREMES_H
#define MIKGEN_PLAN_VECTORS_SELECT_EXTREMES_H

#include "ir/node.h"

Node *select_extremes(Ir *ir, Node *body);

#endif
