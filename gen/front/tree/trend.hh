/* SPDX-License-Identifier: GPL-3.0-or-later */
// Whether a loop's condition becomes false by itself as the loop's variable advances.
#ifndef MIKGEN_GEN_FRONT_TREE_TREND_HH
#define MIKGEN_GEN_FRONT_TREE_TREND_HH

#include "ir/node.h"

namespace mikgen
{

// Sets `up` if `cond` cannot hold for ever while `var` grows, `down` if it cannot while `var` falls.
void ends(const Node *cond, const Sym *var, bool *up, bool *down);

} // namespace mikgen

#endif
