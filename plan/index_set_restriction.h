/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that do nothing behind a place, or in front of one, which loops around them number, run no further and begin there:
 *
 *     for (t = 0; t < L; t++)                     for (t = 0; t < L; t++)
 *         for (l = 0; l < L; l++)          =>         for (l = 0; l < t + 1; l++)
 *             if (l < t + 1) ...                          ...
 *
 * The place has to be known to be in the loop: a causal mask is, what keeps a convolution inside of an image is not. */
#ifndef MIKGEN_PLAN_INDEX_SET_RESTRICTION_H
#define MIKGEN_PLAN_INDEX_SET_RESTRICTION_H

#include "ir/node.h"

/* The operator's body, whose loops count (plan/own_counters.h); the body itself when nothing changed. */
Node *restrict_index_sets(Ir *ir, const Func *func);

#endif
