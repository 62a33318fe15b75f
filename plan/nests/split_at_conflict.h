/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one iteration that writes what all others read, apart from them:
 *
 *     for (j = 0; j < N; j++)                            for (j = 0; j < k; j++)                in any order
 *         p[i][j] = min(p[i][j], p[i][k] + p[k][j]);  =>     p[i][j] = min(p[i][j], p[i][k] + p[k][j]);
 *                                                        if (0 <= k && k < N)
 *                                                            p[i][k] = min(p[i][k], p[i][k] + p[k][k]);
 *                                                        for (j = k + 1; j < N; j++)            in any order
 *                                                            p[i][j] = min(p[i][j], p[i][k] + p[k][j]);
 *
 * Of innermost loops that have an order for no other reason. */
#ifndef MIKGEN_PLAN_NESTS_SPLIT_AT_CONFLICT_H
#define MIKGEN_PLAN_NESTS_SPLIT_AT_CONFLICT_H

#include "ir/node.h"

/* Of loops marked FOR_PARALLEL where they are; marks those that it makes. */
Node *split_at_conflicts(Ir *ir, Node *body);

#endif
