/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/spec_clang.cc: statements and loops of source-to-source mode.
#ifndef MIKGEN_GEN_CLANG_KEEP_STMT_HH
#define MIKGEN_GEN_CLANG_KEEP_STMT_HH

#include "gen/front/clang_keep.hh"
#include "gen/front/clang_loops.hh"

namespace
{

// ---------------------------------------------------------------- places

// Two statements of one macro begin at one place: only the outer one has it.
Loc Keeper::unclaimed(Loc loc) { return loc.beg && places.insert(loc.beg).second ? loc : Loc{0, 0}; }

Loc Keeper::claim(SourceRange range)
{
    Loc loc;
    if (text.spelled(range, &loc))
        return unclaimed(loc);
    return range.getBegin().isMacroID() ? Loc{0, 0} : unclaimed(at(range));
}

// Of a statement without statements in it: its text can stand for it.
Loc Keeper::claim_leaf(SourceRange range, Sym *declared)
{
    Loc loc;
    if (!text.spelled_statement(range, &loc))
        return claim(range);
    return claim_text(loc, declared);
}

Loc Keeper::claim_text(Loc loc, Sym *declared)
{
    loc = unclaimed(loc);
    if (!loc.beg)
        return loc;
    Loc *whole = arena_new_array(ir->arena, Loc, 1);
    *whole = loc;
    *map_at(ir->arena, &source->whole, (int)loc.beg) = whole;
    if (declared && declared->loc.beg)
        *map_at(ir->arena, &source->whole, (int)declared->loc.beg) = whole;
    return loc;
}

// ---------------------------------------------------------------- statements

void Keeper::compound(const CompoundStmt *c, Vec *out)
{
    for (const Stmt *inner : c->body())
        stmt(inner, out);
}

// The body of a function, loop or branch. One without braces has no place of its own.
Node *Keeper::body(const Stmt *s)
{
    Vec stmts = {};
    Loc loc = {0, 0};
    if (const auto *c = dyn_cast<CompoundStmt>(s)) {
        loc = claim(s->getSourceRange());
        compound(c, &stmts);
    } else {
        stmt(s, &stmts);
    }
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, loc);
}

void Keeper::stmt_below(const Stmt *s, Vec *out)
{
    SourceRange range = s->getSourceRange();
    switch (s->getStmtClass()) {
    case Stmt::CompoundStmtClass: vec_push(ir->arena, out, body(s)); return;
    case Stmt::NullStmtClass: return;
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
    case Stmt::DoStmtClass: any_loop(s, out); return;
    case Stmt::AttributedStmtClass: {
        const auto *a = llvm::cast<AttributedStmt>(s);
        for (const Attr *attr : a->getAttrs())
            if (!isa<LoopHintAttr>(attr)) // that is a pragma, of which settle_text() takes care
                return (void)no(R_STMT, s->getBeginLoc(), "attribute");
        return stmt(a->getSubStmt(), out);
    }
    case Stmt::DeclStmtClass: declaration(llvm::cast<DeclStmt>(s), false, out); return;
    case Stmt::IfStmtClass: branch(llvm::cast<IfStmt>(s), out); return;
    case Stmt::ReturnStmtClass: leave(llvm::cast<ReturnStmt>(s), out); return;
    case Stmt::BreakStmtClass: vec_push(ir->arena, out, mk_jump(ir, N_BREAK, nullptr, claim_leaf(range))); return;
    case Stmt::ContinueStmtClass: vec_push(ir->arena, out, mk_jump(ir, N_CONTINUE, nullptr, claim_leaf(range))); return;
    case Stmt::GCCAsmStmtClass:
    case Stmt::SwitchStmtClass: opaque(s, out); return; // Scan has seen that nothing leads out of it
    default:
        if (const auto *e = dyn_cast<Expr>(s))
            expression(e, false, out);
        else
            no(R_STMT, s->getBeginLoc(), s->getStmtClassName());
    }
}

void Keeper::branch(const IfStmt *s, Vec *out)
{
    Loc loc = claim(s->getSourceRange());
    Node *cond = in_context(R_EFFECT_COND, s->getCond());
    Node *then = body(s->getThen());
    Node *otherwise = s->getElse() ? body(s->getElse()) : nullptr;
    if (cond)
        vec_push(ir->arena, out, mk_if(ir, cond, then, otherwise, loc));
}

void Keeper::leave(const ReturnStmt *s, Vec *out)
{
    const Expr *value = s->getRetValue();
    Node *n = value ? expr(value) : nullptr;
    if (n || !value)
        vec_push(ir->arena, out, mk_return(ir, n, claim_leaf(s->getSourceRange())));
}

// A call or an assignment that is understood. Nothing is pushed if it is not.
bool Keeper::effect(const Expr *e, Vec *out)
{
    const Expr *inner = e->IgnoreParens();
    const auto *c = dyn_cast<CallExpr>(inner);
    const FunctionDecl *fd = c ? c->getDirectCallee() : nullptr;
    Attempt a = attempt();
    Vec made = {};
    bool waits = fd && is_barrier_name(fd->getNameAsString().c_str());
    for (unsigned i = 0; waits && i < c->getNumArgs(); i++)
        waits = c->getArg(i)->isEvaluatable(context); // the variables of a mask must be named: text
    if (waits) {
        vec_push(ir->arena, &made, mk_jump(ir, N_BARRIER, function_symbol(fd), {0, 0}));
    } else if (c) {
        Node *n = expr(c);
        if (n && n->kind == N_CALL)
            vec_push(ir->arena, &made, mk_eval(ir, n, {0, 0}));
    } else if (!isa<CastExpr>(inner)) { // `(void)x;` stays text
        expr_stmt(inner, &made);
    }
    if (failed(a) || made.count != 1) {
        forget(a);
        return false;
    }
    vec_push(ir->arena, out, made.items[0]);
    return true;
}

void Keeper::expression(const Expr *e, bool in_head, Vec *out)
{
    if (const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens()); in_head && b && b->getOpcode() == BO_Comma) {
        expression(b->getLHS(), true, out);
        return expression(b->getRHS(), true, out);
    }
    if (effect(e, out))
        static_cast<Node *>(out->items[out->count - 1])->loc = in_head ? claim(e->getSourceRange()) : claim_leaf(e->getSourceRange());
    else if (in_head)
        no(R_KEEP_HEAD, e->getSourceRange());
    else
        opaque(e, out);
}

// Every variable that the text names, in types and assertions too. Arrays are named whole.
void Keeper::name_all(const Stmt *s, llvm::SetVector<Node *> &named)
{
    struct Variables : RecursiveASTVisitor<Variables> {
        Keeper *keeper;
        llvm::SetVector<Node *> *named;
        bool VisitDeclRefExpr(DeclRefExpr *e)
        {
            const auto *var = dyn_cast<VarDecl>(e->getDecl());
            Ir *ir = keeper->ir;
            if (Sym *sym = var ? keeper->symbol_of(var) : nullptr)
                named->insert(sym->rank ? mk_expr(ir, N_REF, sym->type, sym, 0, nullptr, Loc{0, 0}) : mk_var(ir, sym));
            return true;
        }
    } variables;
    variables.keeper = this;
    variables.named = &named;
    variables.TraverseStmt(const_cast<Stmt *>(s));
}

// Text that stays as it is. `assigned` is named too.
void Keeper::opaque_text(SourceRange range, const Stmt *names, Sym *assigned, Vec *out)
{
    Loc loc;
    loc = isa<SwitchStmt>(names) && text.spelled(range, &loc) ? claim_text(loc, nullptr) : claim_leaf(range); // no ';' behind its '}'
    if (!loc.beg || !map_get(&source->whole, (int)loc.beg))
        return (void)no(R_KEEP_MACRO, range);
    llvm::SetVector<Node *> named;
    if (assigned)
        named.insert(mk_var(ir, assigned));
    name_all(names, named);
    vec_push(ir->arena, out, mk_opaque(ir, (int)named.size(), named.getArrayRef().data(), loc));
}

// ---------------------------------------------------------------- loops

// A value that nothing but the variables in it decides, and that may be computed once more.
bool is_quiet(const Node *n)
{
    if ((n->kind == N_CALL && !n->sym->libm && !n->sym->is_pure) || (n->sym && n->sym->is_volatile))
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!is_quiet(n->kid[i]))
            return false;
    return true;
}

void Keeper::any_loop(const Stmt *s, Vec *out)
{
    Loc loc = claim(s->getSourceRange());
    bool unrolled = false;
    Loc pragma = loc.beg ? text.pragmas_before(loc.beg, &unrolled) : Loc{0, 0};
    if (pragma.beg) {
        Loc *copy = arena_new_array(ir->arena, Loc, 1);
        *copy = pragma;
        *map_at(ir->arena, &source->pragma, (int)loc.beg) = copy;
        pragmas.push_back(pragma);
    }
    const auto *f = dyn_cast<ForStmt>(s);
    Node *loop = f ? counted_loop(f, loc) : nullptr;
    if (loop && unrolled)
        loop->aux |= FOR_UNROLLED;
    if (!loop && (loop = free_loop(s, loc)) && unrolled)
        loop->aux |= LOOP_UNROLLED;
    if (loop)
        vec_push(ir->arena, out, loop);
}

// Nothing but the loop's own step changes the variable.
bool Keeper::is_counter(const VarDecl *var, bool declares)
{
    const Sym *s = symbols.lookup(var);
    return s && !s->rank && (s->kind == S_LOCAL || s->kind == S_PARAM || s->kind == S_LOOP) && !s->is_global && !s->is_volatile &&
           !var->getType().isVolatileQualified() && !var->getType().isConstQualified() && !scan->escaped.count(var) &&
           (declares || !var->isStaticLocal());
}

// nullptr without a fault if the loop has another form.
Node *Keeper::counted_loop(const ForStmt *s, Loc loc)
{
    Node *lo = nullptr, *cond = nullptr;
    bool up = false, down = false;
    int64_t step = 0;
    LoopHead head;
    Attempt a = attempt();
    bool simple = loop_head(s, &head) && head.starts.size() == 1 && head.steps.size() == 1;
    const VarDecl *var = simple ? loop_start(s, head, &lo, nullptr) : nullptr;
    bool declares = simple && !head.starts[0].whole;
    bool good = var && lo && is_counter(var, declares) && (!declares || !var->isStaticLocal()) && !Scan(s->getBody()).written.count(var) &&
                loop_condition(s, var, &up, &down) && loop_step(s, head, var, &step) && (step > 0 ? up : down) &&
                (cond = in_context(R_KEEP_EFFECT, s->getCond())) && is_quiet(cond) && !always_holds(cond);
    if (failed(a) || !good) {
        forget(a);
        return nullptr;
    }
    Sym *sym = symbols.lookup(var);
    if (declares)
        sym->spelling = spelling(var, llvm::cast<DeclStmt>(s->getInit()));
    Loc third;
    if (loc.beg && text.spelled(s->getInc()->getSourceRange(), &third)) {
        Loc *copy = arena_new_array(ir->arena, Loc, 1);
        *copy = third;
        *map_at(ir->arena, &source->step, (int)loc.beg) = copy;
    }
    Node *inner = body(s->getBody());
    return mk_for(ir, sym, lo, cond, step, inner, declares, loc);
}

// The first or third part of a `for`.
Node *Keeper::head(const Stmt *s)
{
    Vec stmts = {};
    if (const auto *d = dyn_cast_or_null<DeclStmt>(s))
        declaration(d, true, &stmts);
    else if (s)
        expression(llvm::cast<Expr>(s), true, &stmts);
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, {0, 0});
}

Node *Keeper::free_loop(const Stmt *s, Loc loc)
{
    const auto *f = dyn_cast<ForStmt>(s);
    const auto *w = dyn_cast<WhileStmt>(s);
    const auto *d = dyn_cast<DoStmt>(s);
    const Expr *test = f ? f->getCond() : w ? w->getCond() : d->getCond();
    Node *init = head(f ? f->getInit() : nullptr);
    Node *cond = test ? in_context(R_KEEP_EFFECT, test) : mk_int(ir, T_INT, 1);
    Node *inner = body(f ? f->getBody() : w ? w->getBody() : d->getBody());
    Node *step = head(f ? f->getInc() : nullptr);
    return cond ? mk_loop(ir, f ? LOOP_FOR : w ? LOOP_WHILE : LOOP_DO, init, cond, step, inner, loc) : nullptr;
}

} // namespace

#endif
