/* SPDX-License-Identifier: GPL-3.0-or-later */
// Expressions, calls and their arguments: operators and functions of C in our tree.
#ifndef MIKGEN_GEN_FRONT_TREE_EXPRESSIONS_HH
#define MIKGEN_GEN_FRONT_TREE_EXPRESSIONS_HH

#include "gen/front/tree/errors.hh"
#include "clang/AST/OperationKinds.h"

namespace mikgen
{

struct LibmEntry {
    const char *name;
    Type result;
};

// The node kind of C's operator, by its spelling in ir/ops.def.
Kind binary_kind(BinaryOperatorKind op);

// By name; nullptr if it is none.
const LibmEntry *libm_entry(StringRef name);

} // namespace mikgen

#endif
