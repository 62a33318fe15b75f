/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop over strips and the loop over a strip's iterations become one loop, as if nobody had strip-mined it. Iterations keep their order.
 *
 *     for (int m0 = 0; m0 < M; m0 += 32)               for (int m = 0; m < M; m++)
 *         for (int m = m0; m < min(m0 + 32, M); m++)       ...
 *             ...
 */
#ifndef MIKGEN_PLAN_STRIP_JOINING_H
#define MIKGEN_PLAN_STRIP_JOINING_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. */
Node *join_strips(Ir *ir, Node *body);

#endif
