/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index-set splitting by residues: loops that do nothing but where a divisor divides a sum run through those iterations alone, and what the sum
 * is divided by becomes affine. A transposed convolution that gathers:
 *
 *     for (p = 0; p < P; p++)                        for (a = 0; a < 2; a++) {
 *         for (r = 0; r < R; r++)                        first = (a + 1) mod 2; shift = (a + 1 - first) / 2;
 *             if ((p + 1 - r) % 2 == 0)          =>      for (t = 0; t < (P - a + 1) / 2; t++)
 *                 y[p] += x[(p + 1 - r) / 2]                 for (u = 0; u < (R - first + 1) / 2; u++)
 *                         * w[r];                                y[2 * t + a] += x[shift + t - u] * w[first + 2 * u];
 *                                                    }
 *
 * The loop over the sum's other variable is split where its iterations need no order, and the residues' loop goes around all loops that are
 * perfectly nested around it. A divisor that is no constant may be anything: the loops as they were stay for what is not from 1 to 8. */
#ifndef MIKGEN_PLAN_RESIDUE_SPLITTING_H
#define MIKGEN_PLAN_RESIDUE_SPLITTING_H

#include "ir/node.h"

/* A function's body, whose loops count (plan/own_counters.h); `body` itself when nothing changed. `strict`: floating-point sums keep their
 * order. */
Node *split_residues(Ir *ir, Node *body, bool strict);

#endif
