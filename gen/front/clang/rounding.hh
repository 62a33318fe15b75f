/* SPDX-License-Identifier: GPL-3.0-or-later */
// Casts in the text of --emit=reference, at which 16-bit floats round. Each operation rounds to its type,
// but compilers may compute an expression in float and round at its end.
#ifndef MIKGEN_GEN_FRONT_CLANG_ROUNDING_HH
#define MIKGEN_GEN_FRONT_CLANG_ROUNDING_HH

#include "gen/front/clang/insertions.hh"
#include "clang/AST/ASTContext.h"

namespace mikgen
{

// Finds the places, and which of the types that compilers may lack the spec names.
void round_operations(Front *front, const ASTContext &context, Insertions *insertions);

} // namespace mikgen

#endif
