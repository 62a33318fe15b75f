/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator asks of its arguments before it does anything: a condition around all of its body, as `if (n <= 0) return;` makes.
 *
 *     void f(int n, ...) { if (n > 0) { loops } }
 *
 * The loops are planned as if it were not there, so that it hides nothing from what looks at neighbouring nests. */
#ifndef MIKGEN_PLAN_ENTRY_GUARD_H
#define MIKGEN_PLAN_ENTRY_GUARD_H

#include "ir/node.h"

/* Takes the condition away and returns it; NULL: there is none, or it depends on more than scalar arguments. Of it what the loops' own
 * conditions say is left away. */
Node *take_guard(Ir *ir, Func *f);

/* Puts it back around the body. */
void put_guard(Ir *ir, Func *f, Node *guard);

#endif
