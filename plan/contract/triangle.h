/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of which a triangle is wanted, or one of whose operands is one:
 *
 *     for (i = 0; i < N; i++)                            for (i = 0; i < N; i++)
 *         for (j = i; j < N; j++) {                          for (j = 0; j < N; j++) {
 *             s = 0;                                             s = 0;
 *             for (k = 0; k < K; k++)            =>              for (k = 0; k < K; k++)
 *                 s += A[k][i] * A[k][j];                            s += A[k][i] * A[k][j];
 *             C[i][j] = s;                                       if (j >= i) { C[i][j] = s; C[j][i] = C[i][j]; }
 *             C[j][i] = C[i][j];                             }
 *         }
 */
#ifndef MIKGEN_PLAN_CONTRACT_TRIANGLE_H
#define MIKGEN_PLAN_CONTRACT_TRIANGLE_H

#include "plan/contract/nest.h"

/* A loop over a triangle, for (j = 0; j <= i; j++) or (j = i; j < N; j++), as one over the square around it, and a guard; or between
 * two of them, for (k = j; k <= i; k++), and two guards. A loop that sums has them on its terms. False: its bounds are others. */
bool triangle_as_square(Nest *nest, NestLoop *added, Node *loop);

/* Does the statement store to another element of env->out than what was stored last, and nothing that depends on a third one? */
bool stores_copy(Env *env, Node *stmt);

/* Of a nest that stores such copies, `loop`: does nothing else that it does touch them? */
bool copies_are_apart(const Nest *nest, Node *loop);

#endif
