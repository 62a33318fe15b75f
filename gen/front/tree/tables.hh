/* SPDX-License-Identifier: GPL-3.0-or-later */
// Tables of constants, and local arrays that begin with a list of values: their sizes.
#ifndef MIKGEN_GEN_FRONT_TREE_TABLES_HH
#define MIKGEN_GEN_FRONT_TREE_TABLES_HH

#include "gen/front/tree/builder.hh"

namespace mikgen
{

// Local arrays of at most so many get their values one by one.
const int64_t kMaxSingly = 16;

int64_t elements(ArrayRef<Node *> extents);

} // namespace mikgen

#endif
