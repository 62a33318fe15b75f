/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floats that become integers of 64 bits, of which 32 or fewer are kept, become N_LOW_INT, for lanes of 32 bits:
 *
 *     y[n] = (int16_t)lrintf(x[n]);       =>       y[n] = (int16_t)low_int(rintf(x[n]));
 */
#ifndef MIKGEN_PLAN_VECTORS_LOW_INTEGERS_H
#define MIKGEN_PLAN_VECTORS_LOW_INTEGERS_H

#include "ir/node.h"

/* Of lrintf, llrintf, lroundf, llroundf and conversions. Another body itself. */
Node *name_low_integers(Ir *ir, Node *body);

#endif
