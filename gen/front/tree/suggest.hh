/* SPDX-License-Identifier: GPL-3.0-or-later */
// What to write instead, ready to be pasted, where the text around says it.
#ifndef MIKGEN_GEN_FRONT_TREE_SUGGEST_HH
#define MIKGEN_GEN_FRONT_TREE_SUGGEST_HH

#include <string>

#include "gen/front/tree/errors.hh"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace mikgen
{

class Suggest
{
  public:
    explicit Suggest(ASTContext &context) : context(context) {}

    std::string text(SourceRange range) const;
    std::string text(const Stmt *s) const { return text(s->getSourceRange()); }

    // The declaration of pointer or array parameter `param` with its extents, from the first simple subscript of it and the loop over that;
    // "" where there is none.
    std::string declaration(const ParmVarDecl *param) const;

    // Pointer parameter `param` as an array of one element, or a number, where it is dereferenced; "" where it is not.
    std::string one_element(const ParmVarDecl *param) const;

    // What pointer variable `var` stands for.
    std::string row_itself(const VarDecl *var) const;

    // To pass instead of `&A[i]`.
    std::string array_and_subscript(const Expr *e) const;

    // The labels that a range of them stands for, or the condition.
    std::string labels(const CaseStmt *c) const;

    // Where the bits of a number are read as another type, `to`.
    std::string bits_as(QualType to) const;

    // For a choice between two arrays with subscripts, the last one first.
    std::string choice(const ConditionalOperator *arrays, ArrayRef<const Expr *> subscripts) const;

    // What to do instead of the assignment, ++ or -- `e` in a condition.
    std::string in_front(const Expr *e) const;

  private:
    ASTContext &context;
    mutable SmallVector<const ParmVarDecl *, 4> named; // parameters that the extents name

    static const ArraySubscriptExpr *first_use(const Stmt *s, const ParmVarDecl *param);
    static const ArraySubscriptExpr *whole_use(const Stmt *s, const ParmVarDecl *param);
    static bool is_dereferenced(const Stmt *s, const ParmVarDecl *param, bool *is_written);
    bool is_of_parameters(const Stmt *s) const;
    std::string bound(const Stmt *s, const Expr *e) const;
    std::string bound_of_loop(const Stmt *s, const VarDecl *var) const;
    std::string size_of(const ArrayType *a) const;
};

} // namespace mikgen

#endif
