/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants that say where elements are, and of which several have the same value, are declared once. */
#ifndef MIKGEN_PLAN_VECTORS_VALUE_NUMBERING_H
#define MIKGEN_PLAN_VECTORS_VALUE_NUMBERING_H

#include "ir/node.h"

/* The body with every constant of T_INDEX in the place of those behind it, in the same loop or in one inside, that have its value:
 *     const int64_t whole = n / 64 * 64;  for (i = 0; i < whole; ...  const int64_t whole_1 = n / 64 * 64;  for (j = 0; j < whole_1; ...
 *     const int64_t whole = n / 64 * 64;  for (i = 0; i < whole; ...  for (j = 0; j < whole; ... */
Node *share_names(Ir *ir, Node *body);

#endif
