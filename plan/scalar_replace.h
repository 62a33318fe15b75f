/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps an array element that a loop gathers something up in, in a scalar while the loop runs:
 *
 *                                              float held;
 *     for (j = 0; j < n; j++)                  if (n > 0) held = y[i];
 *         y[i] += x[i][j];             =>      for (j = 0; j < n; j++) held += x[i][j];
 *                                              if (n > 0) y[i] = held;
 *
 * Only where every iteration stores to it, no branch does, the loop reads it, and nothing that is spelled otherwise touches it. */
#ifndef MIKGEN_PLAN_SCALAR_REPLACE_H
#define MIKGEN_PLAN_SCALAR_REPLACE_H

#include "ir/node.h"

/* `body` itself when there is nothing to replace. deep: bounds of loops around tell elements apart as well, k < j and j < i those of
 * A[i][j] -= A[i][k] * A[k][j]. */
Node *replace_elements(Ir *ir, Node *body, bool deep);

#endif
