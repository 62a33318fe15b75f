/* SPDX-License-Identifier: GPL-3.0-or-later */
// A walk over all that a statement or declaration holds, types included: Clang's RecursiveASTVisitor, compiled once.
#ifndef MIKGEN_GEN_FRONT_KEPT_VISITOR_HH
#define MIKGEN_GEN_FRONT_KEPT_VISITOR_HH

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"

namespace mikgen
{

using namespace clang;

// The functions are called for each node before those inside of it; false ends the walk.
class Visitor
{
  public:
    virtual ~Visitor() = default;
    void walk(const Stmt *s);
    void walk(const Decl *d);
    virtual bool visit(const Stmt *) { return true; }
    virtual bool visit(const Decl *) { return true; }
    virtual bool visit(TypeLoc) { return true; }

    int unevaluated = 0; // operands of sizeof, typeof and _Generic around the node
};

} // namespace mikgen

#endif
