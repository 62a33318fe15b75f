/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/tree/queries.hh"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace mikgen
{

const Expr *bare(const Expr *e) { return e->IgnoreParenImpCasts(); }

const VarDecl *as_variable(const Expr *e)
{
    const auto *ref = dyn_cast<DeclRefExpr>(bare(e));
    return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

const MemberExpr *member_below(const Expr *e)
{
    e = bare(e);
    while (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
        e = bare(s->getBase());
    return dyn_cast<MemberExpr>(e);
}

bool is_deref(const Expr *e)
{
    const auto *u = dyn_cast<UnaryOperator>(e);
    return u && u->getOpcode() == UO_Deref;
}

bool is_zero_list(const InitListExpr *list, const ASTContext &context)
{
    for (const Expr *e : list->inits()) {
        if (const auto *inner = dyn_cast<InitListExpr>(e)) {
            if (!is_zero_list(inner, context))
                return false;
        } else if (!isa<ImplicitValueInitExpr>(e)) {
            Expr::EvalResult result;
            if (!e->EvaluateAsRValue(result, context))
                return false;
            const APValue &v = result.Val;
            if (v.isComplexFloat() ? !v.getComplexFloatReal().isPosZero() || !v.getComplexFloatImag().isPosZero()
                : v.isInt()        ? v.getInt() != 0
                                   : !v.isFloat() || !v.getFloat().isPosZero())
                return false;
        }
    }
    return true;
}

bool mentions(const Stmt *s, const VarDecl *var)
{
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        return ref->getDecl() == var;
    for (const Stmt *kid : s->children())
        if (kid && mentions(kid, var))
            return true;
    return false;
}

bool changes(const Expr *e, const VarDecl *var)
{
    const auto *u = dyn_cast<UnaryOperator>(e);
    const auto *b = dyn_cast<BinaryOperator>(e);
    return var && ((u && u->isIncrementDecrementOp() && as_variable(u->getSubExpr()) == var) ||
                   (b && b->isAssignmentOp() && as_variable(b->getLHS()) == var));
}

const VarDecl *changed_by(const Expr *target)
{
    target = bare(target);
    for (;;) {
        if (const auto *s = dyn_cast<ArraySubscriptExpr>(target))
            target = bare(s->getBase());
        else if (const auto *m = dyn_cast<MemberExpr>(target))
            target = bare(m->getBase());
        else
            return as_variable(target);
    }
}

static bool contains(const Stmt *s, const Stmt *part)
{
    if (s == part)
        return true;
    for (const Stmt *kid : s->children())
        if (kid && contains(kid, part))
            return true;
    return false;
}

bool is_used(const Stmt *s, const Stmt *skipped, const VarDecl *var)
{
    if (s == skipped)
        return false;
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        return ref->getDecl() == var;
    const auto *b = dyn_cast<BinaryOperator>(s);
    const Expr *target = b && b->getOpcode() == BO_Assign ? bare(b->getLHS()) : nullptr;
    const bool is_part = target && (isa<ArraySubscriptExpr>(target) || isa<MemberExpr>(target));
    if (is_part && changed_by(target) == var && contains(b->getRHS(), skipped)) {
        while (!as_variable(target)) { // down to the array or the variable
            const auto *sub = dyn_cast<ArraySubscriptExpr>(target);
            if (sub && is_used(sub->getIdx(), skipped, var))
                return true;
            target = bare(sub ? sub->getBase() : llvm::cast<MemberExpr>(target)->getBase());
        }
        return is_used(b->getRHS(), skipped, var);
    }
    for (const Stmt *kid : s->children())
        if (kid && is_used(kid, skipped, var))
            return true;
    return false;
}

bool changes_below(const Stmt *s, const VarDecl *var, const Stmt *except)
{
    const auto *e = dyn_cast<Expr>(s);
    if (s == except)
        return false;
    return (e && changes(e, var)) || llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && changes_below(kid, var, except); });
}

bool contains_continue(const Stmt *s)
{
    return isa<ContinueStmt>(s) || llvm::any_of(s->children(), [](const Stmt *kid) { return kid && contains_continue(kid); });
}

bool is_left(const Stmt *s, bool nested)
{
    if (isa<ReturnStmt>(s) || (isa<BreakStmt>(s) && !nested))
        return true;
    const bool deeper = nested || isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s) || isa<SwitchStmt>(s);
    return llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && is_left(kid, deeper); });
}

bool contains_effect(const Stmt *s)
{
    const auto *u = dyn_cast<UnaryOperator>(s);
    const auto *b = dyn_cast<BinaryOperator>(s);
    return (u && u->isIncrementDecrementOp()) || (b && b->isAssignmentOp()) ||
           llvm::any_of(s->children(), [](const Stmt *kid) { return kid && contains_effect(kid); });
}

} // namespace mikgen
