/* SPDX-License-Identifier: GPL-3.0-or-later */
// Complex numbers. A scalar is two, of its real and its imaginary part; an array has one more dimension, of
// 2. Products and quotients are the plain formulas, as C's CX_LIMITED_RANGE allows. What has no real or no imaginary part, as real
// numbers and I have none, adds no term to a product.
#include <utility>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/expressions.hh"
#include "gen/front/tree/suggest.hh"
#include "ir/walk.h"

namespace mikgen
{

bool Builder::complex_type(QualType type, Type *part)
{
    const auto *c = type->getAs<ComplexType>();
    return !keeps && c && scalar_type(c->getElementType(), part) && (*part == T_FLOAT || *part == T_DOUBLE || *part == T_LDOUBLE);
}

// ---------------------------------------------------------------- arithmetic

static bool is_one(const Node *n) { return n->kind == N_FLOAT && n->u.f == 1; }

// a op b, where something that is not there is nothing: 0 + b, 0 - b, 0 * b.
Node *Builder::term(Kind kind, Node *a, Node *b)
{
    if (kind == N_MUL && a && b && (is_one(a) || is_one(b))) // as I is
        return is_one(a) ? b : a;
    if (a && b)
        return mk_binary(ir, kind, a, b);
    if (kind == N_MUL)
        return nullptr;
    return a ? a : b && kind == N_SUB ? mk_unary(ir, N_NEG, b) : b;
}

Pair Builder::quotient(const Pair &a, const Pair &b)
{
    if (!b.im)
        return {a.re ? term(N_DIV, a.re, b.re) : nullptr, a.im ? term(N_DIV, a.im, b.re) : nullptr, true};
    Node *square = term(N_ADD, term(N_MUL, b.re, b.re), term(N_MUL, b.im, b.im));
    Node *re = term(N_ADD, term(N_MUL, a.re, b.re), term(N_MUL, a.im, b.im));
    Node *im = term(N_SUB, term(N_MUL, a.im, b.re), term(N_MUL, a.re, b.im));
    return {re ? term(N_DIV, re, square) : nullptr, im ? term(N_DIV, im, square) : nullptr, true};
}

Pair Builder::arithmetic(Kind kind, Pair a, Pair b, Type type, SourceRange range)
{
    if (!a.good || !b.good)
        return {};
    for (Node **part : {&a.re, &a.im, &b.re, &b.im})
        *part = *part ? mk_cast(ir, type, *part) : nullptr;
    if (kind == N_ADD || kind == N_SUB)
        return {term(kind, a.re, b.re), term(kind, a.im, b.im), true};
    a = named(a, range);
    b = named(b, range);
    if (kind == N_DIV)
        return quotient(a, b);
    if (kind != N_MUL)
        return no(R_COMPLEX, range), Pair{};
    Node *re = term(N_SUB, term(N_MUL, a.re, b.re), term(N_MUL, a.im, b.im));
    return {re, term(N_ADD, term(N_MUL, a.re, b.im), term(N_MUL, a.im, b.re)), true};
}

// A product uses its operands twice: what is computed gets a name, where a statement can stand before this one.
Pair Builder::named(Pair p, SourceRange range)
{
    for (Node **part : {&p.re, &p.im}) {
        const Node *n = *part;
        while (n && (n->kind == N_CAST || n->kind == N_NEG))
            n = n->kid[0];
        if (!n || n->nkids == 0 || n->kind == N_LOAD || !sequence || !sequence->before)
            continue;
        Sym *s = sym_new(ir, S_LOCAL, (Type)(*part)->type, part == &p.re ? "re" : "im", at(range));
        s->is_const = true;
        vec_push(ir->arena, sequence->before, mk_decl(ir, s, *part, at(range)));
        *part = mk_var(ir, s);
    }
    return p;
}

Pair Builder::complete(Pair p, Type type)
{
    if (!p.good)
        return p;
    Node *zero = mk_float(ir, type, 0);
    return {p.re ? mk_cast(ir, type, p.re) : zero, p.im ? mk_cast(ir, type, p.im) : zero, true};
}

// ---------------------------------------------------------------- expressions

// Where a part of an element or of a member is: an array and subscripts, or a scalar of a struct that is a parameter.
Sym *Builder::part_place(const Expr *e, int part, SmallVectorImpl<Node *> &subscripts)
{
    Type type;
    if (member_below(e) && complex_type(e->getType(), &type)) {
        Access a;
        if (!access(e, &a))
            return nullptr;
        a.subscript(mk_int(ir, T_INT, part), type_bytes(type));
        Sym *s = place_of(a, subscripts);
        return s ? s : lost(e);
    }
    Sym *array = subscripted(e, subscripts);
    if (array && (int)subscripts.size() + 1 != array->rank)
        return no(R_TOO_FEW, e->getSourceRange());
    subscripts.push_back(mk_int(ir, T_INT, part));
    return array;
}

Pair Builder::part_loads(const Expr *e)
{
    Node *part[2];
    for (int i = 0; i < 2; i++) {
        SmallVector<Node *, 4> subscripts;
        Sym *s = part_place(e, i, subscripts);
        if (!s)
            return {};
        part[i] = make(s->rank ? N_LOAD : N_VAR, s->type, s, subscripts, e);
    }
    return {part[0], part[1], true};
}

Pair Builder::pair_cast(const CastExpr *e, Type type)
{
    switch (e->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp: return pair(e->getSubExpr());
    case CK_FloatingRealToComplex: return complete(pair(e->getSubExpr()), type);
    case CK_FloatingComplexCast: return complete(pair(e->getSubExpr()), type);
    default: return no(R_COMPLEX, e->getSourceRange()), Pair{};
    }
}

Pair Builder::pair_call(const CallExpr *e, Type type)
{
    const FunctionDecl *fd = e->getDirectCallee(), *definition = nullptr;
    const std::string name = fd ? fd->getNameAsString() : "";
    if (name == "__builtin_complex") {
        Node *re = expr(e->getArg(0)), *im = expr(e->getArg(1));
        return {re, im, re && im};
    }
    if (fd && fd->hasBody(definition)) {
        Node *value[2];
        for (int i = 0; i < 2; i++) {
            const Inlined version = helper(definition, e->getCallee()->getSourceRange(), rows_of(e, definition), i);
            SmallVector<Node *, 8> args;
            use_parameters(definition, version);
            if (!version.s || !arguments(e, definition, args))
                return {};
            value[i] = make(N_CALL, version.s->type, version.s, args, e);
        }
        return {value[0], value[1], true};
    }
    bool found = false;
    Pair value = complex_function(name, e, type, &found);
    if (found)
        return value;
    return no(R_COMPLEX_FN, e->getCallee()->getSourceRange(), name), Pair{};
}

// The parts of a value, real or complex.
Pair Builder::pair(const Expr *e)
{
    Type type;
    e = e->IgnoreParens();
    if (!e->getType()->isAnyComplexType()) {
        Node *n = expr(e);
        return {n, nullptr, n != nullptr};
    }
    if (depth >= kMaxDepth)
        return no(R_DEEP, e->getExprLoc()), Pair{};
    if (!complex_type(e->getType(), &type))
        return no(R_COMPLEX, e->getSourceRange()), Pair{};
    depth++;
    Pair p = pair_below(e, type);
    depth--;
    if (!p.good)
        lost(e);
    return p;
}

Pair Builder::pair_below(const Expr *e, Type type)
{
    if (const auto *c = dyn_cast<CastExpr>(e))
        return pair_cast(c, type);
    if (const auto *c = dyn_cast<CallExpr>(e))
        return pair_call(c, type);
    if (const auto *i = dyn_cast<ImaginaryLiteral>(e)) {
        Node *n = folded(i->getSubExpr());
        return {nullptr, n, n != nullptr};
    }
    if (const VarDecl *var = as_variable(e)) {
        auto known = complexes.find(var);
        return known == complexes.end() ? Pair{} : Pair{mk_var(ir, known->second.first), mk_var(ir, known->second.second), true};
    }
    if (isa<ArraySubscriptExpr>(e) || isa<MemberExpr>(e))
        return part_loads(e);
    if (const auto *u = dyn_cast<UnaryOperator>(e)) {
        Pair p = u->isIncrementDecrementOp() ? Pair{} : pair(u->getSubExpr());
        if (!p.good || u->getOpcode() == UO_Plus || u->getOpcode() == UO_Extension)
            return p;
        return {u->getOpcode() == UO_Not ? p.re : term(N_SUB, nullptr, p.re), term(N_SUB, nullptr, p.im), true};
    }
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->isAssignmentOp())
        return no(effect, e->getSourceRange()), Pair{};
    if (const auto *b = dyn_cast<BinaryOperator>(e)) {
        Pair left = pair(b->getLHS()), right = pair(b->getRHS());
        return arithmetic(binary_kind(b->getOpcode()), left, right, type, e->getSourceRange());
    }
    if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
        Node *cond = sometimes(R_EFFECT_COND, c->getCond());
        Sequence *outer = std::exchange(sequence, nullptr);
        Pair a = complete(pair(c->getTrueExpr()), type), b = complete(pair(c->getFalseExpr()), type);
        sequence = outer;
        if (!cond || !a.good || !b.good)
            return {};
        return {make(N_SEL, type, nullptr, {cond, a.re, b.re}, e), make(N_SEL, type, nullptr, {cond, a.im, b.im}, e), true};
    }
    return no(R_COMPLEX, e->getSourceRange()), Pair{};
}

// The real value that a function of <complex.h> gives; nullptr if it is no such function. A fault makes *found true, too.
Node *Builder::real_call(const FunctionDecl *fd, const CallExpr *e, bool *found)
{
    static const struct {
        const char *name, *libm;
    } known[] = {{"creal", ""}, {"cimag", ""}, {"cabs", "hypot"}, {"carg", "atan2"}};
    *found = !keeps && e->getNumArgs() == 1 && fd->getNumParams() == 1 && fd->getParamDecl(0)->getType()->isAnyComplexType() &&
             !fd->hasBody();
    if (!*found)
        return nullptr;
    const StringRef name = fd->getName();
    const Expr *arg = e->getArg(0);
    Type type;
    if (!value_type(e->getType(), e->getSourceRange(), &type))
        return nullptr;
    for (const auto &k : known) {
        const StringRef suffix = name.substr(std::min(name.size(), strlen(k.name)));
        if (!name.starts_with(k.name) || suffix.size() > 1)
            continue;
        Pair p = complete(pair(arg), type);
        if (!p.good || !*k.libm)
            return !p.good ? nullptr : name.starts_with("creal") ? p.re : p.im;
        const bool turned = name.starts_with("carg");
        return libm_call(k.libm, suffix, {turned ? p.im : p.re, turned ? p.re : p.im}, e);
    }
    return no(R_COMPLEX_FN, e->getCallee()->getSourceRange(), name.str());
}

// a == b or a != b.
Node *Builder::complex_equal(const BinaryOperator *e)
{
    const bool equal = e->getOpcode() == BO_EQ;
    Type a_type, b_type;
    const QualType a_qual = e->getLHS()->getType(), b_qual = e->getRHS()->getType();
    if (!(complex_type(a_qual, &a_type) || scalar_type(a_qual, &a_type)) ||
        !(complex_type(b_qual, &b_type) || scalar_type(b_qual, &b_type)))
        return no(R_COMPLEX, e->getSourceRange());
    const Type type = type_common(a_type, b_type);
    Pair a = complete(pair(e->getLHS()), type), b = complete(pair(e->getRHS()), type);
    if (!a.good || !b.good)
        return nullptr;
    const Kind kind = equal ? N_EQ : N_NE;
    return mk_binary(ir, equal ? N_LAND : N_LOR, mk_binary(ir, kind, a.re, b.re), mk_binary(ir, kind, a.im, b.im));
}

// Is it not zero?
Node *Builder::complex_truth(const Expr *e)
{
    Type type;
    Pair p = pair(e);
    if (!p.good || !complex_type(e->getType(), &type))
        return nullptr;
    p = complete(p, type);
    Node *zero = mk_float(ir, type, 0);
    return mk_binary(ir, N_LOR, mk_binary(ir, N_NE, p.re, zero), mk_binary(ir, N_NE, p.im, zero));
}

// ---------------------------------------------------------------- statements

Pair Builder::full_pair(const Expr *e, Vec *before, Vec *after)
{
    Sequence own = {e, before, after};
    Sequence *outer = std::exchange(sequence, &own);
    Pair p = pair(e);
    sequence = outer;
    return p;
}

static bool is_place(const Expr *e) { return as_variable(e) || isa<ArraySubscriptExpr>(e) || isa<MemberExpr>(e); }

// Two scalars that stand for a variable or a parameter.
void Builder::complex_scalar(const VarDecl *var, SymKind kind, Type type)
{
    const std::string name = var->getNameAsString();
    Sym *part[2];
    for (int i = 0; i < 2; i++) {
        part[i] = sym_new(ir, kind, type, (name + (i ? "_im" : "_re")).c_str(), at(var->getLocation()));
        part[i]->is_const = var->getType().isConstQualified();
        part[i]->part = kind == S_PARAM ? (i ? COMPLEX_IM : COMPLEX_RE) : COMPLEX_NONE;
    }
    complexes[var] = {part[0], part[1]};
}

void Builder::complex_local(const VarDecl *var, Type type, Vec *out)
{
    const Expr *init = var->getInit();
    Vec after = {};
    if (const auto *list = init ? dyn_cast<InitListExpr>(init) : nullptr)
        return (void)no(R_INIT_LIST, list->getSourceRange());
    Pair p = init ? complete(full_pair(init, out, &after), type) : Pair{nullptr, nullptr, true};
    if (!p.good)
        return;
    complex_scalar(var, S_LOCAL, type);
    vec_push(ir->arena, out, mk_decl(ir, complexes[var].first, p.re, at(var->getLocation())));
    vec_push(ir->arena, out, mk_decl(ir, complexes[var].second, p.im, at(var->getLocation())));
    append(out, after);
}

// Sets one part of what `target` is to `value`; nullptr: leaves it.
void Builder::set_part(const Expr *target, int part, Node *value, Kind compound, const Expr *whole, Vec *out)
{
    if (!value)
        return;
    if (const VarDecl *var = as_variable(target)) {
        auto known = complexes.find(var);
        if (known != complexes.end())
            vec_push(ir->arena, out, mk_assign(ir, part ? known->second.second : known->second.first, value, compound, at(whole)));
        return;
    }
    SmallVector<Node *, 4> subscripts;
    Sym *array = part_place(target, part, subscripts);
    if (array)
        vec_push(ir->arena, out, mk_store(ir, array, (int)subscripts.size(), subscripts.data(), value, compound, at(whole)));
}

// Sets both parts. What the second becomes is computed before the first is set, if it uses that.
void Builder::set_parts(const Expr *target, const Pair &value, const Pair &used, Kind compound, const Expr *whole, Vec *out)
{
    const VarDecl *var = as_variable(target);
    SmallVector<Node *, 4> subscripts;
    const Sym *first = var ? complexes.lookup(var).first : part_place(target, 0, subscripts);
    Node *im = value.im;
    if (im && used.im && first && (first->rank ? reads_array(used.im, first) : uses_sym(used.im, first))) {
        Sym *s = sym_new(ir, S_LOCAL, (Type)im->type, "im", at(whole));
        s->is_const = true;
        vec_push(ir->arena, out, mk_decl(ir, s, im, at(whole)));
        im = mk_var(ir, s);
        compound = value.re ? compound : N_NONE;
        set_part(target, 0, value.re, compound, whole, out);
        return set_part(target, 1, im, N_NONE, whole, out);
    }
    set_part(target, 0, value.re, compound, whole, out);
    set_part(target, 1, im, compound, whole, out);
}

void Builder::complex_assign(const BinaryOperator *e, Vec *out)
{
    const Expr *target = e->getLHS()->IgnoreParens();
    Type type;
    if (!complex_type(target->getType(), &type) || !is_place(target))
        return (void)no(R_COMPLEX, target->getSourceRange());
    Pair value = complete(pair(e->getRHS()), type);
    if (value.good)
        set_parts(target, value, value, N_NONE, e, out);
}

// x op= e, where either is complex.
void Builder::complex_compound(const CompoundAssignOperator *e, Vec *out)
{
    const Expr *target = e->getLHS()->IgnoreParens();
    const Kind kind = binary_kind(e->getOpcode());
    Type type, wide;
    const bool is_complex = complex_type(target->getType(), &type);
    if ((!is_complex && !value_type(target->getType(), target->getSourceRange(), &type)) ||
        !complex_type(e->getComputationResultType(), &wide))
        return (void)no(R_COMPLEX, target->getSourceRange());
    if (is_complex && !is_place(target))
        return (void)no(R_COMPLEX, target->getSourceRange());
    Pair old = pair(target), by = pair(e->getRHS());
    if (!old.good || !by.good)
        return;
    const bool by_parts = is_complex && (kind == N_ADD || kind == N_SUB || !by.im);
    if (!by_parts) {
        Pair value = complete(arithmetic(kind, old, by, wide, e->getSourceRange()), type);
        if (value.good && is_complex)
            set_parts(target, value, value, N_NONE, e, out);
        else if (value.good)
            assign(target, value.re, N_NONE, e, out);
        return;
    }
    Pair value = {nullptr, nullptr, true};
    const bool both = kind == N_MUL || kind == N_DIV;
    for (int i = 0; i < 2; i++) {
        Node *one = both ? by.re : i ? by.im : by.re;
        Node *before = i ? old.im : old.re;
        if (one)
            (i ? value.im : value.re) = mk_cast(ir, type, mk_binary(ir, kind, mk_cast(ir, wide, before), mk_cast(ir, wide, one)));
    }
    set_parts(target, value, both ? Pair{by.re, by.re, true} : by, kind, e, out);
}

} // namespace mikgen
