/* SPDX-License-Identifier: GPL-3.0-or-later */
// Expressions as polynomials of what a function knows, and which place of which array a pointer or an
// lvalue is.

#include "gen/front/extract/region.hh"

#include "gen/front/tree/queries.hh"

namespace mikgen
{

bool Region::is_of_constants(const Stmt *s) const
{
    if (isa<CallExpr>(s) || isa<ArraySubscriptExpr>(s) || isa<MemberExpr>(s) || isa<StmtExpr>(s))
        return false;
    if (const auto *u = dyn_cast<UnaryOperator>(s); u && u->getOpcode() == UO_Deref)
        return false;
    if (const auto *ref = dyn_cast<DeclRefExpr>(s); ref && isa<VarDecl>(ref->getDecl())) {
        const auto *var = llvm::cast<VarDecl>(ref->getDecl());
        const Reached *r = reached(var);
        return r && !r->is_array && var->getType()->isIntegerType() && !changed.count(canonical(var));
    }
    return llvm::all_of(s->children(), [this](const Stmt *kid) { return !kid || is_of_constants(kid); });
}

std::optional<Poly> Region::poly_of(const VarDecl *var, const Known &known, int depth) const
{
    if (!var->getType()->isIntegerType())
        return std::nullopt;
    if (llvm::is_contained(known.loops, var))
        return Poly(Atom{var->getNameAsString(), var});
    if (changed.count(canonical(var)))
        return std::nullopt;
    const Reached *r = reached(var);
    if (r && !r->is_array)
        return Poly(Atom{var->getNameAsString(), r->var});
    return inner.count(var) && var->getInit() && !isa<InitListExpr>(var->getInit()) ? poly(var->getInit(), known, depth + 1) : std::nullopt;
}

// nullopt: it is none.
std::optional<Poly> Region::poly(const Expr *e, const Known &known, int depth) const
{
    e = e->IgnoreParenCasts();
    if (depth > 40 || !e->getType()->isIntegerType())
        return std::nullopt;
    if (const std::string name = constant_name(e); is_parameter_constant(name))
        return Poly(Atom{name, nullptr});
    if (const VarDecl *var = as_variable(e))
        return poly_of(var, known, depth);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && (b->isAdditiveOp() || b->getOpcode() == BO_Mul)) {
        const std::optional<Poly> x = poly(b->getLHS(), known, depth + 1), y = poly(b->getRHS(), known, depth + 1);
        if (!x || !y || x->terms.size() * y->terms.size() > 64)
            return std::nullopt;
        return b->getOpcode() == BO_Add ? *x + *y : b->getOpcode() == BO_Sub ? *x - *y : *x * *y;
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->getOpcode() == UO_Minus) {
        const std::optional<Poly> x = poly(u->getSubExpr(), known, depth + 1);
        return x ? std::optional(*x * Poly(-1)) : std::nullopt;
    }
    const bool of_constants = is_of_constants(e);
    const std::string text = of_constants ? spelled(e) : "";
    Expr::EvalResult value;
    bool names_parameter = false;
    for (const auto &[name, type] : parameter_constants)
        names_parameter |= text.find(name) != std::string::npos;
    if (!names_parameter && e->EvaluateAsInt(value, context))
        return Poly(value.Val.getInt().getExtValue());
    return of_constants ? std::optional(Poly(Atom{"(" + text + ")", nullptr})) : std::nullopt;
}

Index Region::index(const Expr *e, const Known &known) const
{
    const std::optional<Poly> p = poly(e, known);
    Index i = {p ? *p : Poly(), {}, e};
    if (!p)
        i.others.push_back(e);
    return i;
}

static Index sum_of(const Index &a, const Index &b)
{
    const auto is_zero = [](const Index &i) { return i.sum.is_zero() && i.others.empty(); };
    if (is_zero(a))
        return b;
    if (is_zero(b))
        return a;
    Index sum = {a.sum + b.sum, a.others, nullptr};
    sum.others.insert(sum.others.end(), b.others.begin(), b.others.end());
    return sum;
}

// Which part of which array an lvalue is.
bool Region::place(const Expr *e, const Known &known, Place *out, int depth) const
{
    e = e->IgnoreParens();
    if (depth > 40)
        return false;
    if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
        if (!pointer(s->getBase(), known, out, depth + 1))
            return false;
        out->index.back() = sum_of(out->index.back(), index(s->getIdx(), known));
        return true;
    }
    const auto *u = dyn_cast<UnaryOperator>(e);
    return u && u->getOpcode() == UO_Deref && pointer(u->getSubExpr(), known, out, depth + 1);
}

// Which element a pointer leads to.
bool Region::pointer(const Expr *e, const Known &known, Place *out, int depth) const
{
    e = e->IgnoreParens();
    if (depth > 40 || !(e->getType()->isPointerType() || e->getType()->isArrayType()))
        return false;
    const Index zero = {Poly(), {}, nullptr};
    if (const auto *cast = dyn_cast<CastExpr>(e)) {
        const Expr *sub = cast->getSubExpr();
        if (cast->getCastKind() == CK_ArrayToPointerDecay && isa<ArraySubscriptExpr>(sub->IgnoreParens())) {
            if (!place(sub, known, out, depth + 1))
                return false;
            out->index.push_back(zero);
            return true;
        }
        const bool same = cast->getCastKind() == CK_ArrayToPointerDecay || cast->getCastKind() == CK_LValueToRValue ||
                          cast->getCastKind() == CK_NoOp;
        return same && pointer(sub, known, out, depth + 1);
    }
    if (const VarDecl *var = as_variable(e)) {
        const Reached *r = reached(var);
        if (r && r->is_array && !changed.count(canonical(var))) {
            *out = Place{r->var, {zero}};
            return true;
        }
        const bool follows = inner.count(var) && var->getType()->isPointerType() && var->getInit() && !changed.count(canonical(var));
        return follows && pointer(var->getInit(), known, out, depth + 1);
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->getOpcode() == UO_AddrOf)
        return place(u->getSubExpr(), known, out, depth + 1);
    const auto *b = dyn_cast<BinaryOperator>(e);
    if (!b || !b->isAdditiveOp())
        return false;
    const bool swapped = b->getOpcode() == BO_Add && !b->getLHS()->getType()->isPointerType();
    const Expr *base = swapped ? b->getRHS() : b->getLHS(), *by = swapped ? b->getLHS() : b->getRHS();
    if (!by->getType()->isIntegerType() || !pointer(base, known, out, depth + 1))
        return false;
    Index i = index(by, known);
    if (b->getOpcode() == BO_Sub) {
        if (!i.others.empty())
            return false;
        i = {i.sum * Poly(-1), {}, nullptr};
    }
    out->index.back() = sum_of(out->index.back(), i);
    return true;
}

} // namespace mikgen
