/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: loops of a spec.
#ifndef MIKGEN_GEN_FRONT_TREE_CLANG_LOOPS_HH
#define MIKGEN_GEN_FRONT_TREE_CLANG_LOOPS_HH

#include "gen/front/tree/clang_effects.hh"
#include "gen/front/tree/clang_suggest.hh"
#include "gen/front/tree/clang_trend.hh"

namespace
{

// ---------------------------------------------------------------- heads

void comma_operands(const Expr *e, SmallVectorImpl<const Expr *> &out)
{
    const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens());
    if (!b || b->getOpcode() != BO_Comma)
        return out.push_back(e->IgnoreParens());
    comma_operands(b->getLHS(), out);
    comma_operands(b->getRHS(), out);
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

// Whether anything in `s` changes what `value` reads.
bool interferes(const Stmt *s, const Expr *value)
{
    const auto *u = dyn_cast<UnaryOperator>(s);
    const auto *b = dyn_cast<BinaryOperator>(s);
    const Expr *target = u && u->isIncrementDecrementOp() ? u->getSubExpr() : b && b->isAssignmentOp() ? b->getLHS() : nullptr;
    const VarDecl *var = target ? changed_by(target) : nullptr;
    if (var && mentions(value, var))
        return true;
    for (const Stmt *kid : s->children())
        if (kid && interferes(kid, value))
            return true;
    return false;
}

// Takes the loop's head apart. The first variable of its start that its step changes is the counter.
bool Builder::loop_head(const ForStmt *s, LoopHead *head)
{
    const Stmt *init = s->getInit();
    if (!init)
        return no(R_LOOP_INIT, s->getForLoc()), false;
    if (const auto *d = dyn_cast<DeclStmt>(init)) {
        for (const Decl *decl : d->decls()) {
            const auto *var = dyn_cast<VarDecl>(decl);
            head->starts.push_back({var, var ? var->getInit() : nullptr, nullptr});
        }
    } else {
        SmallVector<const Expr *, 2> parts;
        comma_operands(llvm::cast<Expr>(init), parts);
        for (const Expr *part : parts) {
            const auto *b = dyn_cast<BinaryOperator>(part);
            bool sets = b && b->getOpcode() == BO_Assign;
            head->starts.push_back({sets ? as_variable(b->getLHS()) : nullptr, sets ? b->getRHS() : nullptr, part});
        }
    }
    if (s->getInc())
        comma_operands(s->getInc(), head->steps);
    for (size_t i = head->starts.size(); i-- > 0;)
        for (size_t j = head->steps.size(); j-- > 0;)
            if (changes(head->steps[j], head->starts[i].var)) {
                head->counter = i;
                head->step = j;
            }
    return true;
}

// The counter and where it starts. What the start assigns goes in front of the loop.
const VarDecl *Builder::loop_start(const ForStmt *s, const LoopHead &head, Node **lo, Vec *before)
{
    const LoopStart &own = head.starts[head.counter];
    const VarDecl *var = own.var;
    SourceRange here = s->getInit()->getSourceRange();
    Type type;
    if (!var || !own.start)
        return no(R_LOOP_INIT, here);
    std::string name = var->getNameAsString();
    if (!scalar_type(var->getType(), &type) || !type_is_integer(type) || type == T_BOOL)
        return no(R_LOOP_VAR, here, name);
    *lo = full_expr(own.start, own.whole ? own.whole : own.start, before, nullptr);
    if (!own.whole)
        symbols[var] = sym_new(ir, S_LOOP, type, name.c_str(), at(var->getLocation()));
    return var;
}

// The other sides of the commas in the first part, from `from` up to `to`.
void Builder::other_starts(const LoopHead &head, size_t from, size_t to, Vec *out)
{
    const LoopStart &own = head.starts[head.counter];
    for (size_t i = from; i < to; i++) {
        const LoopStart &other = head.starts[i];
        const Expr *uses = other.whole ? other.whole : other.start;
        // Behind the counter's start in the source, in front of it in our tree.
        if (i > head.counter && uses && (mentions(uses, own.var) || interferes(uses, own.start)))
            no(R_LOOP_TWO, uses->getSourceRange(), own.var->getNameAsString());
        else if (other.whole)
            full_stmt(other.whole, out);
        else if (other.var)
            local(other.var, out);
    }
}

bool contains_continue(const Stmt *s)
{
    return isa<ContinueStmt>(s) || llvm::any_of(s->children(), [](const Stmt *kid) { return kid && contains_continue(kid); });
}

// Whether a jump leads out of a loop with this body.
bool is_left(const Stmt *s, bool nested = false)
{
    if (isa<ReturnStmt>(s) || (isa<BreakStmt>(s) && !nested))
        return true;
    const bool deeper = nested || isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s) || isa<SwitchStmt>(s);
    return llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && is_left(kid, deeper); });
}

// The body, at whose end stand the other sides of the commas in the third part.
Node *Builder::loop_body(const ForStmt *s, const LoopHead &head, const VarDecl *var)
{
    int *outer = std::exchange(switch_breaks, nullptr);
    Node *body = block(s->getBody());
    switch_breaks = outer;
    if (head.steps.size() > 1 && contains_continue(s->getBody()))
        body->aux = BLOCK_TURN;
    Vec stmts = {};
    vec_push(ir->arena, &stmts, body);
    for (size_t j = 0; var && j < head.steps.size(); j++) {
        if (j > head.step && mentions(head.steps[j], var))
            no(R_LOOP_TWO, head.steps[j]->getSourceRange(), var->getNameAsString());
        else if (j != head.step)
            full_stmt(head.steps[j], &stmts);
    }
    return stmts.count == 1 ? body : mk_block(ir, stmts.count, (Node *const *)stmts.items, body->loc);
}

// ---------------------------------------------------------------- conditions

Kind turned_round(Kind kind)
{
    switch (kind) {
    case N_LT: return N_GT;
    case N_GT: return N_LT;
    case N_LE: return N_GE;
    case N_GE: return N_LE;
    default: return kind;
    }
}

// The condition; up and down: which steps approach its bound. If it compares the variable with something, the variable
// is on the left.
Node *Builder::loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down)
{
    std::string name = var->getNameAsString();
    const Expr *cond = s->getCond();
    if (!cond) {
        *up = *down = true;
        return is_left(s->getBody()) ? mk_int(ir, T_INT, 1) : no(R_LOOP_NO_COND, s->getForLoc());
    }
    const auto *b = dyn_cast<BinaryOperator>(cond->IgnoreParenImpCasts());
    bool compares = b && b->isComparisonOp() && b->getOpcode() != BO_EQ;
    bool on_left = compares && as_variable(b->getLHS()->IgnoreParenCasts()) == var;
    bool on_right = compares && as_variable(b->getRHS()->IgnoreParenCasts()) == var;
    if (on_left == on_right || mentions(on_left ? b->getRHS() : b->getLHS(), var))
        return other_condition(s, var, on_left != on_right, up, down);
    Kind kind = binary_kind(b->getOpcode());
    Node *left = in_context(R_EFFECT_COND, b->getLHS()), *right = in_context(R_EFFECT_COND, b->getRHS());
    if (on_right) {
        std::swap(left, right);
        kind = turned_round(kind);
    }
    *up = kind == N_LT || kind == N_LE || kind == N_NE;
    *down = kind == N_GT || kind == N_GE || kind == N_NE;
    return make(kind, T_INT, nullptr, {left, right}, cond);
}

// Any other condition that becomes false by itself as the variable advances. `alone`: the variable is compared with
// something that hangs on it too.
Node *Builder::other_condition(const ForStmt *s, const VarDecl *var, bool alone, bool *up, bool *down)
{
    int faults = front->faults.count;
    const Expr *cond = s->getCond();
    Node *n = in_context(keeps ? effect : R_EFFECT_COND, cond);
    const Sym *sym = symbols.lookup(var);
    if (!n && front->faults.count > faults)
        return nullptr; // something worse is wrong with it
    if (n && sym && !keeps)
        ends(n, sym, up, down);
    if (n && (*up || *down))
        return n;
    return no(alone ? R_LOOP_SELF : R_LOOP_COND, cond->getSourceRange(), var->getNameAsString());
}

// The value of a constant integer expression as the loop variable of `type` takes it, signed.
bool Builder::constant(const Expr *e, Type type, int64_t *value)
{
    Expr::EvalResult result;
    if (!e || !e->getType()->isIntegerType() || !e->EvaluateAsInt(result, context))
        return false;
    const llvm::APSInt &n = result.Val.getInt();
    *value = n.isSigned() ? n.getSExtValue() : (int64_t)n.getZExtValue();
    if (type_bits(type) == 32) // -1 arrives as 4294967295 when the variable is unsigned
        *value = (int32_t)*value;
    return true;
}

bool Builder::loop_step(const ForStmt *s, const LoopHead &head, const VarDecl *var, int64_t *step)
{
    std::string name = var->getNameAsString();
    const Expr *inc = head.steps.empty() ? nullptr : head.steps[head.step];
    Type type;
    if (!inc || !scalar_type(var->getType(), &type))
        return no(R_LOOP_STEP, s->getForLoc(), name), false;
    const auto *u = dyn_cast<UnaryOperator>(inc);
    const auto *b = dyn_cast<BinaryOperator>(inc);
    bool good = false, negate = false;
    if (u && u->isIncrementDecrementOp()) {
        good = as_variable(u->getSubExpr()) == var;
        *step = u->isIncrementOp() ? 1 : -1;
    } else if (b && as_variable(b->getLHS()) == var) {
        const auto *sum = dyn_cast<BinaryOperator>(bare(b->getRHS()));
        negate = b->getOpcode() == BO_SubAssign || (sum && sum->getOpcode() == BO_Sub);
        if (b->getOpcode() == BO_AddAssign || b->getOpcode() == BO_SubAssign)
            good = constant(b->getRHS(), type, step);
        else if (b->getOpcode() == BO_Assign && sum && sum->isAdditiveOp() && as_variable(sum->getLHS()) == var)
            good = constant(sum->getRHS(), type, step);
        else if (b->getOpcode() == BO_Assign && sum && sum->getOpcode() == BO_Add && as_variable(sum->getRHS()) == var)
            good = constant(sum->getLHS(), type, step);
    }
    if (!good)
        return no_but(s && !keeps ? Suggest(context).own_step(s, var) : "", R_LOOP_STEP, inc->getSourceRange(), name), false;
    if (negate)
        *step = -*step;
    return *step ? true : (no(R_LOOP_ZERO, inc->getSourceRange(), name), false);
}

// The condition says that something unsigned is not below 0.
bool always_holds(const Node *cond)
{
    const Node *bound = cond->kind == N_GE ? cond->kid[1] : nullptr;
    while (bound && bound->kind == N_CAST)
        bound = bound->kid[0];
    return bound && bound->kind == N_INT && bound->u.i == 0 && !type_is_signed((Type)cond->kid[0]->type);
}

void Builder::loop(const ForStmt *s, Vec *out)
{
    LoopHead head;
    Vec stmts = {};
    Node *lo = nullptr;
    bool up = false, down = false;
    int64_t step = 0;
    if (!loop_head(s, &head))
        return (void)block(s->getBody()); // for its faults
    bool declares = !head.starts[head.counter].whole;
    other_starts(head, 0, head.counter, &stmts);
    const VarDecl *var = loop_start(s, head, &lo, &stmts);
    if (var)
        other_starts(head, head.counter + 1, head.starts.size(), &stmts);
    const int faults = front->faults.count;
    const bool outer = std::exchange(never_in_front, true);
    Node *cond = var ? loop_condition(s, var, &up, &down) : nullptr;
    never_in_front = outer;
    if (!cond && front->faults.count == faults + 1 && !keeps)
        helped(Suggest(context).counting_down(s));
    bool steps = cond && loop_step(s, head, var, &step);
    if (steps && !(step > 0 ? up : down))
        no(R_LOOP_AWAY, head.steps[head.step]->getSourceRange(), var->getNameAsString());
    if (steps && always_holds(cond) && !is_left(s->getBody()))
        no(R_LOOP_ENDLESS, s->getCond()->getSourceRange(), var->getNameAsString());
    Node *body = loop_body(s, head, var);
    Sym *sym = var ? symbols.lookup(var) : nullptr;
    if (lo && steps && sym)
        vec_push(ir->arena, &stmts, mk_for(ir, sym, lo, cond, step, body, declares, at(s->getForLoc())));
    if (declares && head.starts.size() > 1) // a scope of their own
        vec_push(ir->arena, out, mk_block(ir, stmts.count, (Node *const *)stmts.items, at(s->getForLoc())));
    else
        append(out, stmts);
}

// ---------------------------------------------------------------- while

// The step of a counter at the end of the body; nullptr: there is none.
const Expr *last_step(const Stmt *body, const VarDecl **var)
{
    const auto *c = dyn_cast<CompoundStmt>(body);
    const auto *e = dyn_cast_or_null<Expr>(!c ? body : c->body_empty() ? nullptr : c->body_back());
    const auto *u = dyn_cast_or_null<UnaryOperator>(e);
    const auto *b = dyn_cast_or_null<BinaryOperator>(e);
    *var = u && u->isIncrementDecrementOp() ? as_variable(u->getSubExpr()) : b && b->isAssignmentOp() ? as_variable(b->getLHS()) : nullptr;
    return *var ? e : nullptr;
}

bool changes_below(const Stmt *s, const VarDecl *var, const Stmt *except)
{
    const auto *e = dyn_cast<Expr>(s);
    if (s == except)
        return false;
    return (e && changes(e, var)) || llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && changes_below(kid, var, except); });
}

// i = 0; while (i < n) { ...; i++; } is for (i = 0; i < n; i++) { ... }. False, without a fault, for any other.
bool Builder::counted_while(const WhileStmt *s, Vec *out)
{
    const VarDecl *var = nullptr;
    const Expr *step = last_step(s->getBody(), &var);
    Sym *sym = step ? symbol_of(var) : nullptr;
    bool up = false, down = false;
    int64_t by = 0;
    LoopHead head;
    if (!sym || sym->rank || !type_is_integer(sym->type) || sym->type == T_BOOL || sym->kind == S_LOOP || contains_continue(s->getBody()) ||
        changes_below(s->getBody(), var, step) || changes_below(s->getCond(), var, nullptr) || !mentions(s->getCond(), var))
        return false;
    const auto *b = dyn_cast<BinaryOperator>(step);
    const bool adds = !b ||
                      ((b->getOpcode() == BO_AddAssign || b->getOpcode() == BO_SubAssign) && constant(b->getRHS(), sym->type, &by) && by);
    head.steps.push_back(step);
    Node *cond = adds && loop_step(nullptr, head, var, &by) ? in_context(R_EFFECT_COND, s->getCond()) : nullptr;
    if (cond)
        ends(cond, sym, &up, &down);
    if (!cond || !(by > 0 ? up : down) || always_holds(cond))
        return false;
    const auto *before = out->count ? static_cast<Node *>(out->items[out->count - 1]) : nullptr;
    const bool starts = before && (before->kind == N_DECL || before->kind == N_ASSIGN) && before->sym == sym && before->nkids;
    Node *lo = starts ? before->kid[0] : mk_var(ir, sym);
    Vec stmts = {};
    int *outer = std::exchange(switch_breaks, nullptr);
    if (const auto *c = dyn_cast<CompoundStmt>(s->getBody()))
        for (const Stmt *inner : c->body())
            if (inner != step)
                stmt(inner, &stmts);
    switch_breaks = outer;
    Node *body = mk_block(ir, stmts.count, (Node *const *)stmts.items, at(s->getBody()->getSourceRange()));
    vec_push(ir->arena, out, mk_for(ir, sym, lo, cond, by, body, false, at(s->getWhileLoc())));
    return true;
}

} // namespace

#endif
