/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A conservative dependence test: "no" is certain, "yes" may be wrong. Arrays of different names do not overlap
 * (an operator's contract). */
#ifndef MIKGEN_DEPEND_DEPEND_H
#define MIKGEN_DEPEND_DEPEND_H

#include "ir/node.h"
#include "ir/sym_map.h"

/* May statement `b` in some iteration of `loop` touch what statement `a` touches in another iteration, one of
 * them writing? Both are parts of the loop's body. `defs` as from find_defs(), or NULL. */
bool carries_dependence(Ir *ir, Node *loop, Node *a, Node *b, const Map *defs);

/* Does a scalar written in one of the statements occur in the other? Variables of loops inside them do not
 * count. */
bool shares_scalar(Ir *ir, Node *a, Node *b);

#endif
