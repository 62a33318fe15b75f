/* SPDX-License-Identifier: GPL-3.0-or-later */
// The walk over a function that becomes a spec: what is known where its arrays are used.

#include "gen/front/extract/region.hh"

#include "gen/front/tree/queries.hh"

namespace mikgen
{

// a < b, or a <= b.
void Region::learn_less(const Expr *a, const Expr *b, bool strict, Known *known) const
{
    const std::optional<Poly> x = poly(a, *known), y = poly(b, *known);
    if (x && y)
        known->facts.push_back(*y - *x - Poly(strict ? 1 : 0));
}

// What follows from a condition that holds, or does not.
void Region::learn(const Expr *cond, bool holds, Known *known) const
{
    cond = bare(cond);
    if (const auto *u = dyn_cast<UnaryOperator>(cond); u && u->getOpcode() == UO_LNot)
        return learn(u->getSubExpr(), !holds, known);
    const auto *b = dyn_cast<BinaryOperator>(cond);
    if (!b)
        return;
    const Expr *x = b->getLHS(), *y = b->getRHS();
    switch (b->getOpcode()) {
    case BO_LAnd:
    case BO_LOr:
        if ((b->getOpcode() == BO_LAnd) == holds) {
            learn(x, holds, known);
            learn(y, holds, known);
        }
        return;
    case BO_LT: return holds ? learn_less(x, y, true, known) : learn_less(y, x, false, known);
    case BO_LE: return holds ? learn_less(x, y, false, known) : learn_less(y, x, true, known);
    case BO_GT: return holds ? learn_less(y, x, true, known) : learn_less(x, y, false, known);
    case BO_GE: return holds ? learn_less(y, x, false, known) : learn_less(x, y, true, known);
    case BO_EQ:
    case BO_NE:
        if ((b->getOpcode() == BO_EQ) == holds) {
            learn_less(x, y, false, known);
            learn_less(y, x, false, known);
        }
        return;
    default: return;
    }
}

// The variable of a loop that steps by a constant, up (1) or down (-1), and where it starts; nullptr: it is another loop.
const VarDecl *Region::counter(const ForStmt *s, int *direction, const Expr **start) const
{
    const auto *u = dyn_cast_or_null<UnaryOperator>(s->getInc());
    const auto *c = dyn_cast_or_null<BinaryOperator>(s->getInc());
    const VarDecl *var = nullptr;
    if (u && u->isIncrementDecrementOp()) {
        var = as_variable(u->getSubExpr());
        *direction = u->isIncrementOp() ? 1 : -1;
    } else if (c && (c->getOpcode() == BO_AddAssign || c->getOpcode() == BO_SubAssign)) {
        const std::optional<Poly> step = poly(c->getRHS(), Known());
        if (!step || !(step->is_never_negative() || step->constant()))
            return nullptr;
        var = as_variable(c->getLHS());
        *direction = (step->is_never_negative() ? 1 : -1) * (c->getOpcode() == BO_AddAssign ? 1 : -1);
    }
    if (!var || !var->getType()->isIntegerType() || changes(s->getBody(), var))
        return nullptr;
    const Stmt *init = s->getInit();
    if (const auto *d = dyn_cast_or_null<DeclStmt>(init))
        *start = llvm::is_contained(d->decls(), var) ? var->getInit() : nullptr;
    while (const auto *b = dyn_cast_or_null<BinaryOperator>(init)) { // i = 0, j = 1
        const auto *last = b->getOpcode() == BO_Comma ? dyn_cast<BinaryOperator>(b->getRHS()) : b;
        if (last && last->getOpcode() == BO_Assign && as_variable(last->getLHS()) == var)
            *start = last->getRHS();
        init = b->getOpcode() == BO_Comma ? b->getLHS() : nullptr;
    }
    return var;
}

void Region::walk_for(const ForStmt *s, Known &known)
{
    int direction = 0;
    const Expr *start = nullptr;
    const VarDecl *var = counter(s, &direction, &start);
    if (s->getInit())
        walk(s->getInit(), known);
    Known inside = known;
    if (var) {
        const std::optional<Poly> from = start ? poly(start, known) : std::nullopt;
        llvm::erase(inside.loops, var);
        llvm::erase_if(inside.facts, [var](const Poly &p) { return p.has(var); });
        inside.loops.push_back(var);
        const Poly here(Atom{var->getNameAsString(), var});
        if (from && !from->has(var))
            inside.facts.push_back(direction > 0 ? here - *from : *from - here);
        if (var->getType()->isUnsignedIntegerType())
            inside.facts.push_back(here);
    }
    Known body = inside;
    if (s->getCond()) {
        walk(s->getCond(), inside);
        learn(s->getCond(), true, &body);
    }
    walk(s->getBody(), body);
    if (s->getInc())
        walk(s->getInc(), body);
}

static bool jumps(const Stmt *s)
{
    if (const auto *block = dyn_cast<CompoundStmt>(s))
        return !block->body_empty() && jumps(block->body_back());
    return isa<ReturnStmt>(s) || isa<BreakStmt>(s) || isa<ContinueStmt>(s) || isa<GotoStmt>(s);
}

void Region::walk_compound(const CompoundStmt *s, Known &known)
{
    Known rest = known;
    for (const Stmt *kid : s->body()) {
        walk(kid, rest);
        if (const auto *guard = dyn_cast<IfStmt>(kid); guard && !guard->getElse() && jumps(guard->getThen()))
            learn(guard->getCond(), false, &rest);
    }
}

void Region::use(const Place &p, const Known &known, const Expr *e)
{
    Reached *r = reached(p.var);
    if (!r || by_expression.count(e))
        return;
    all_uses.push_back(std::make_unique<ArrayUse>(ArrayUse{p, known, e}));
    by_expression[e] = all_uses.back().get();
    r->uses.push_back(*all_uses.back());
}

// memset, memcpy and memmove of so many whole elements, from the first one on.
bool Region::whole_bytes(const CallExpr *e, const Known &known)
{
    const FunctionDecl *fd = e->getDirectCallee();
    const StringRef name = fd && fd->getIdentifier() ? fd->getName() : "";
    if ((name != "memset" && name != "memcpy" && name != "memmove") || e->getNumArgs() != 3)
        return false;
    const std::optional<Poly> bytes = poly(e->getArg(2), known);
    for (unsigned i = 0; i < (name == "memset" ? 1 : 2); i++) {
        Place p;
        const Expr *arg = e->getArg(i)->IgnoreParenCasts();
        const VarDecl *var = as_variable(arg);
        Reached *r = var ? reached(var) : nullptr;
        if (!r || !r->is_array || r->declared.size() != 1 || !bytes) {
            walk(e->getArg(i), const_cast<Known &>(known));
            continue;
        }
        const int64_t size = context.getTypeSizeInChars(r->elem).getQuantity();
        Poly elements;
        bool whole = true;
        for (const auto &[m, c] : bytes->terms) {
            whole &= size && c % size == 0;
            elements = elements + Poly(m, size ? c / size : 0);
        }
        if (!whole) {
            walk(e->getArg(i), const_cast<Known &>(known));
            continue;
        }
        use(Place{r->var, {Index{elements - Poly(1), {}, nullptr}}}, known, arg);
    }
    return true;
}

void Region::walk_call(const CallExpr *e, Known &known)
{
    if (whole_bytes(e, known))
        return;
    const bool outer = std::exchange(in_argument, true);
    for (const Expr *arg : e->arguments()) {
        Place p;
        if (arg->getType()->isPointerType() && !as_variable(arg) && pointer(bare(arg), known, &p) && p.index.size() == 1 &&
            p.index[0].others.empty())
            parts[bare(arg)] = p;
        walk(arg, known);
    }
    in_argument = outer;
}

void Region::walk(const Stmt *s, Known &known)
{
    if (const auto *loop = dyn_cast<ForStmt>(s))
        return walk_for(loop, known);
    if (const auto *block = dyn_cast<CompoundStmt>(s))
        return walk_compound(block, known);
    if (const auto *choice = dyn_cast<IfStmt>(s)) {
        Known then = known, otherwise = known;
        walk(choice->getCond(), known);
        learn(choice->getCond(), true, &then);
        learn(choice->getCond(), false, &otherwise);
        walk(choice->getThen(), then);
        if (choice->getElse())
            walk(choice->getElse(), otherwise);
        return;
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(s)) {
        Known then = known, otherwise = known;
        walk(choice->getCond(), known);
        learn(choice->getCond(), true, &then);
        learn(choice->getCond(), false, &otherwise);
        walk(choice->getTrueExpr(), then);
        return walk(choice->getFalseExpr(), otherwise);
    }
    if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isLogicalOp()) {
        Known next = known;
        walk(b->getLHS(), known);
        learn(b->getLHS(), b->getOpcode() == BO_LAnd, &next);
        return walk(b->getRHS(), next);
    }
    if (const auto *d = dyn_cast<DeclStmt>(s)) {
        for (const Decl *decl : d->decls()) {
            const auto *var = dyn_cast<VarDecl>(decl);
            Place p;
            if (!var || !var->getInit())
                continue;
            if (var->getType()->isPointerType() && !changed.count(canonical(var)) && pointer(var->getInit(), known, &p)) {
                names.insert(var);
                for (const Index &i : p.index) // what stands in its subscripts
                    for (const Expr *other : i.others)
                        walk(other, known);
            } else {
                walk(var->getInit(), known);
            }
        }
        return;
    }
    if (const auto *e = dyn_cast<CallExpr>(s))
        return walk_call(e, known);
    if (isa<UnaryExprOrTypeTraitExpr>(s))
        return;
    if (const auto *e = dyn_cast<Expr>(s)) {
        Place p;
        if ((isa<ArraySubscriptExpr>(e) || is_deref(e)) && place(e, known, &p)) {
            use(p, known, e);
            for (const Index &i : p.index)
                for (const Expr *other : i.others)
                    walk(other, known);
            return;
        }
        if (const VarDecl *var = isa<DeclRefExpr>(e) ? as_variable(e) : nullptr) {
            const bool follows = names.count(var) && pointer(e, known, &p);
            Reached *r = reached(follows ? p.var : var);
            if (r && r->is_array && !r->other) {
                r->other = e;
                r->is_argument = in_argument;
            }
        }
    }
    for (const Stmt *kid : s->children())
        if (kid)
            walk(kid, known);
}

void Region::look()
{
    for (const ParmVarDecl *param : function->parameters())
        if (body == function->getBody())
            reach(param);
    survey(body, function);
    choose_constants(body);
    for (const auto &r : all)
        note_extents(r->var);
    for (const auto &name : fixed_constants)
        parameter_constants.erase(name);
    for (int i = 0; opt->constants && i < opt->constants->count; i++)
        parameter_constants.erase(parameter_name(static_cast<const char *>(opt->constants->items[i])));
    if (is_helper)
        parameter_constants.clear();
    for (auto &r : all) {
        declared_extents(r.get());
        const bool outlives = r->var->isFileVarDecl() || body != function->getBody();
        r->is_written = !r->is_array && outlives && changed.count(canonical(r->var));
    }
    Known known;
    walk(body, known);
    for (auto &r : all)
        if (r->is_array)
            extents(r.get());
}

} // namespace mikgen
