/* SPDX-License-Identifier: GPL-3.0-or-later */
// Assignments that are used as values. Each becomes a statement of its own in front of the one
// it is in, and what it leaves in its target stands for it: `a[i] = b = c` is { b = c; a[i] = b; }. For i++, whose value
// is the old one, the statement comes behind. C allows both orders wherever nothing else in the expression uses what is
// changed; everything else is refused, as C itself does not say what it means.
#include <utility>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"

namespace mikgen
{

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

// A later operand of && || ?: (of a loop's condition nothing is made in an `if` in front of it).
Node *Builder::perhaps(const Expr *e)
{
    const bool outer = std::exchange(never_in_front, true);
    Node *n = sometimes(outer || keeps ? seldom() : R_EFFECT_SOMETIMES, e);
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

} // namespace mikgen
