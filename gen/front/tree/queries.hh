/* SPDX-License-Identifier: GPL-3.0-or-later */
// Questions about Clang's tree that need nothing of ours.
#ifndef MIKGEN_GEN_FRONT_TREE_QUERIES_HH
#define MIKGEN_GEN_FRONT_TREE_QUERIES_HH

#include "clang/AST/Expr.h"

namespace mikgen
{

using namespace clang;

const Expr *bare(const Expr *e); // without parentheses and implicit casts
const VarDecl *as_variable(const Expr *e); // nullptr: it names none
bool is_deref(const Expr *e);

// The member that an array is, or that the array of a row is; nullptr: it is none.
const MemberExpr *member_below(const Expr *e);

// Whether every element of the list is a constant zero.
bool is_zero_list(const InitListExpr *list, const ASTContext &context);

bool mentions(const Stmt *s, const VarDecl *var);

// Whether `e` itself assigns to `var` or steps it; whether anything in `s` but `except` does.
bool changes(const Expr *e, const VarDecl *var);
bool changes_below(const Stmt *s, const VarDecl *var, const Stmt *except);

// The variable that an assignment to `target` changes, or the array of the element; nullptr for anything else.
const VarDecl *changed_by(const Expr *target);

// Whether anything in `s` but `skipped` reads `var`, or changes it. What is stored may be stored to another element of
// the same array too: a[0] = a[1] = x.
bool is_used(const Stmt *s, const Stmt *skipped, const VarDecl *var);

bool contains_continue(const Stmt *s); // of the loop whose body `s` is
bool contains_effect(const Stmt *s);

// Whether a jump leads out of a loop with this body. `nested`: `s` is inside of a loop of its own.
bool is_left(const Stmt *s, bool nested = false);

} // namespace mikgen

#endif
