/* SPDX-License-Identifier: GPL-3.0-or-later */
// What the text of an expression in source-to-source mode changes. It stays as it is written, in the
// order that C gives it; all that has to be known is which values in front of it are none any more behind it.
#ifndef MIKGEN_GEN_FRONT_KEPT_KEEP_CHANGES_HH
#define MIKGEN_GEN_FRONT_KEPT_KEEP_CHANGES_HH

#include "clang/AST/Expr.h"
#include "llvm/ADT/SetVector.h"

namespace mikgen
{

using namespace clang;

class Changes
{
  public:
    bool is_known = true; // these are all
    bool calls = false; // whatever a call may change
    llvm::SetVector<const VarDecl *> assigned;
    llvm::SetVector<const VarDecl *> stored; // arrays, or pointers to what changes

    explicit Changes(const Stmt *s);

  private:
    static const VarDecl *base(const Expr *e);
    static bool is_place(const Expr *e);
    void store(const Expr *target);
    void visit(const Stmt *s);
};

} // namespace mikgen

#endif
