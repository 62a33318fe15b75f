/* SPDX-License-Identifier: GPL-3.0-or-later */
// Loops of a spec: their conditions, in our tree.
#ifndef MIKGEN_GEN_FRONT_TREE_LOOPS_HH
#define MIKGEN_GEN_FRONT_TREE_LOOPS_HH

#include "ir/node.h"

namespace mikgen
{

Kind turned_round(Kind kind);

// A number that is a condition is compared with 0.
Node *compared_with_zero(Ir *ir, Node *n);

// The condition says that something unsigned is not below 0.
bool always_holds(const Node *cond);

} // namespace mikgen

#endif
