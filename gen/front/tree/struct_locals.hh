/* SPDX-License-Identifier: GPL-3.0-or-later */
// Local variables that are structs or arrays of them: which of their parts are used, and changed.
#ifndef MIKGEN_GEN_FRONT_TREE_STRUCT_LOCALS_HH
#define MIKGEN_GEN_FRONT_TREE_STRUCT_LOCALS_HH

#include "gen/front/tree/builder.hh"

namespace mikgen
{

typedef SmallVector<SmallVector<const FieldDecl *, 2>, 8> Paths;

// Whether `s` assigns to the variable or to a part of it.
bool changes_part(const Stmt *s, const VarDecl *var);

// What a function uses of its parameter; in the extents of others it may be anything.
Paths used_of_parameter(const FunctionDecl *fd, unsigned i, int level);

bool is_used_path(ArrayRef<const FieldDecl *> path, ArrayRef<SmallVector<const FieldDecl *, 2>> used);

} // namespace mikgen

#endif
