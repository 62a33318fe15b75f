/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: assignments that are used as values. Each becomes a statement of its own in front of the one
// it is in, and what it leaves in its target stands for it: `a[i] = b = c` is { b = c; a[i] = b; }. For i++, whose value
// is the old one, the statement comes behind. C allows both orders wherever nothing else in the expression uses what is
// changed; everything else is refused, as C itself does not say what it means.
#ifndef MIKGEN_GEN_FRONT_TREE_CLANG_EFFECTS_HH
#define MIKGEN_GEN_FRONT_TREE_CLANG_EFFECTS_HH

#include <utility>

#include "gen/front/tree/clang_suggest.hh"

namespace
{

// The variable that an assignment to `target` changes, or the array of the element; nullptr for anything else.
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

bool contains(const Stmt *s, const Stmt *part)
{
    if (s == part)
        return true;
    for (const Stmt *kid : s->children())
        if (kid && contains(kid, part))
            return true;
    return false;
}

// Whether anything in `s` but `skipped` reads `var`, or changes it. What is stored may be stored to another element of
// the same array too: a[0] = a[1] = x.
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

// A part of an expression that may not be evaluated, or more than once.
Node *Builder::sometimes(Refusal side_effect, const Expr *e)
{
    if (side_effect == R_EFFECT_COND && tests_array(e))
        return nullptr;
    Sequence *outer = std::exchange(sequence, nullptr);
    Node *n = in_context(side_effect, e);
    sequence = outer;
    return n;
}

// A later operand of && || ?:
Node *Builder::perhaps(const Expr *e)
{
    const bool outer = std::exchange(never_in_front, true);
    Node *n = sometimes(seldom(), e);
    never_in_front = outer;
    return n;
}

Node *Builder::full_expr(const Expr *e, const Expr *whole, Vec *before, Vec *after)
{
    Sequence own = {whole, before, after};
    Sequence *outer = std::exchange(sequence, &own);
    Node *n = expr(e);
    sequence = outer;
    return n;
}

// An expression statement. Those around a comma are made one after the other.
void Builder::full_stmt(const Expr *e, Vec *out)
{
    Vec after = {};
    e = e->IgnoreParens();
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Comma) {
        full_stmt(b->getLHS(), out);
        return full_stmt(b->getRHS(), out);
    }
    Sequence own = {e, out, &after};
    Sequence *outer = std::exchange(sequence, &own);
    expr_stmt(e, out);
    sequence = outer;
    append(out, after);
}

// The value of assignment, ++ or -- `e`.
Node *Builder::effect_value(const Expr *e, const Expr *target)
{
    if (!sequence || keeps)
        return no_but(effect == R_EFFECT_COND && !keeps && !never_in_front ? Suggest(context).in_front(e) : "", effect,
                      e->getSourceRange());
    auto known = sequence->done.find(e); // the target of `op=` is built twice
    if (known != sequence->done.end())
        return known->second;
    const auto *u = dyn_cast<UnaryOperator>(e);
    const VarDecl *var = changed_by(target);
    Vec *to = u && u->isPostfix() ? sequence->after : sequence->before;
    if (!to)
        return no(effect, e->getSourceRange());
    if (var && is_used(sequence->whole, e, var))
        return no(R_EFFECT_ORDER, e->getSourceRange(), var->getNameAsString());
    Vec made = {};
    expr_stmt(e, &made);
    Node *value = made.count == 1 ? expr(target) : nullptr;
    append(to, made);
    sequence->done[e] = value;
    return value;
}

} // namespace

#endif
