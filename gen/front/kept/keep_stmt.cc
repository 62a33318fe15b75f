/* SPDX-License-Identifier: GPL-3.0-or-later */
// Statements and loops of source-to-source mode.
#include "gen/front/kept/keep.hh"

#include "gen/front/kept/keep_changes.hh"
#include "gen/front/tree/loops.hh"
#include "gen/front/text/source_prelude.h"
#include "ir/effect.h"

namespace mikgen
{

// ---------------------------------------------------------------- places

// Two statements of one macro begin at one place: only the outer one has it.
Loc Keeper::unclaimed(Loc loc)
{
    if (!loc.beg || !places.insert(loc.beg).second)
        return {0, 0};
    taken.push_back(loc.beg);
    return loc;
}

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

// Of a text that stands for itself.
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
    std::vector<const Stmt *> stmts(c->body_begin(), c->body_end());
    sequence(stmts, at(c->getLBracLoc()).beg, at(c->getRBracLoc()).beg, out);
}

// Where the text of a statement ends, that of macros included.
uint32_t Keeper::end_of(const Stmt *s)
{
    const SourceLocation end = s->getEndLoc();
    return at(end.isMacroID() ? SourceRange(sm.getExpansionRange(end).getEnd()) : s->getSourceRange()).end;
}

// Statements between these places.
void Keeper::sequence(ArrayRef<const Stmt *> stmts, uint32_t from, uint32_t end, Vec *out)
{
    size_t outside = scope.size();
    for (size_t i = 0; i <= stmts.size();) {
        const uint32_t to = i < stmts.size() ? at(stmts[i]->getSourceRange()).beg : end;
        if (conditional_text(stmts, &i, from, end, out)) {
            from = ((Node *)out->items[out->count - 1])->loc.end;
            continue;
        }
        if (i == stmts.size()) {
            markers(from, to, out);
            break;
        }
        size_t first = i;
        if (idle_text(from, stmts[i], out))
            i++;
        else if (!macro_text(stmts, &i, out))
            with_pragmas(from, stmts[i++], out);
        from = first < i ? end_of(stmts[i - 1]) : from;
    }
    scope.resize(outside);
}

// The body of a function, loop or branch, which stands behind a parenthesis or an `else`. One without braces has no place of its own.
Node *Keeper::body(const Stmt *s, SourceLocation behind)
{
    Vec stmts = {};
    Loc loc = {0, 0};
    if (const auto *c = dyn_cast<CompoundStmt>(s); idle_text(behind.isFileID() ? at(behind).beg : 0, s, &stmts)) {
        // The text is all there is.
    } else if (c) {
        loc = claim(s->getSourceRange());
        compound(c, &stmts);
    } else {
        stmt(s, &stmts);
    }
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, loc);
}

// Statements in which others may stand.
static bool has_statements(const Stmt *s)
{
    return isa<CompoundStmt>(s) || isa<IfStmt>(s) || isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s) || isa<LabelStmt>(s) ||
           isa<AttributedStmt>(s) || isa<SwitchStmt>(s);
}

// What of it is not understood stays as text, the whole of it if need be.
void Keeper::stmt_below(const Stmt *s, Vec *out)
{
    Loc loc;
    Attempt a = attempt();
    int before = out->count;
    const auto *marked = dyn_cast<AttributedStmt>(s); // whose range begins inside a directive
    bool is_text = statement_text(marked ? marked->getSubStmt()->getSourceRange() : s->getSourceRange(), &loc);
    const Directive *inside = is_text ? directive_in(loc) : nullptr;
    if (has_statements(s) || !inside)
        stmt_tree(s, out);
    else
        no(R_KEEP_DIRECTIVE, s->getSourceRange(), inside->name());
    inside = is_text ? directive_in(loc) : nullptr;
    bool bad = failed(a) || inside;
    bool stays = marked && !llvm::all_of(marked->getAttrs(), [](const Attr *attr) { return isa<LoopHintAttr>(attr); });
    if (!bad || !is_text || stays)
        return;
    if (const Fault *why = first_since(a.faults))
        because(loc, why);
    else
        because(loc, R_KEEP_PART, inside->name());
    forget(a);
    out->count = before;
    opaque_text(loc, s, out);
}

void Keeper::stmt_tree(const Stmt *s, Vec *out)
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
                return (void)no(R_KEEP_UNKNOWN, s->getBeginLoc());
        return stmt(a->getSubStmt(), out);
    }
    case Stmt::DeclStmtClass: declaration(llvm::cast<DeclStmt>(s), false, out); return;
    case Stmt::IfStmtClass: branch(llvm::cast<IfStmt>(s), out); return;
    case Stmt::ReturnStmtClass: leave(llvm::cast<ReturnStmt>(s), out); return;
    case Stmt::BreakStmtClass:
        if (in_switch)
            return opaque(s, out);
        vec_push(ir->arena, out, mk_jump(ir, N_BREAK, nullptr, claim_leaf(range)));
        return;
    case Stmt::ContinueStmtClass:
        if (in_switch)
            return opaque(s, out);
        vec_push(ir->arena, out, mk_jump(ir, N_CONTINUE, nullptr, claim_leaf(range)));
        return;
    case Stmt::LabelStmtClass: label(llvm::cast<LabelStmt>(s), out); return;
    case Stmt::SwitchStmtClass: switch_tree(llvm::cast<SwitchStmt>(s), out); return;
    case Stmt::GotoStmtClass:
    case Stmt::GCCAsmStmtClass: opaque(s, out); return;
    default:
        if (const auto *e = dyn_cast<Expr>(s))
            expression(e, false, out);
        else
            no(R_KEEP_UNKNOWN, s->getBeginLoc());
    }
}

void Keeper::branch(const IfStmt *s, Vec *out)
{
    Loc loc = claim(s->getSourceRange());
    Node *cond = condition(R_EFFECT_COND, s->getCond());
    Node *then = body(s->getThen(), s->getRParenLoc());
    Node *otherwise = s->getElse() ? body(s->getElse(), s->getElseLoc()) : nullptr;
    if (cond)
        vec_push(ir->arena, out, mk_if(ir, cond, then, otherwise, loc));
}

void Keeper::leave(const ReturnStmt *s, Vec *out)
{
    const Expr *value = s->getRetValue();
    Type type = T_INT;
    scalar_type(value ? value->getType() : context.IntTy, &type);
    Node *n = value ? this->value(value, type) : nullptr;
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
    if (effect(e, out) || assigned_text(e, out) || (!in_head && known_text(e, out)))
        static_cast<Node *>(out->items[out->count - 1])->loc = in_head ? claim(e->getSourceRange()) : claim_leaf(e->getSourceRange());
    else if (in_head) {
        Node *n = as_text(e, T_INT);
        if (n)
            vec_push(ir->arena, out, mk_eval(ir, n, claim(e->getSourceRange())));
    } else
        opaque(e, out);
}

// A text of which it is known what it changes: `*p++ = *q++`.
bool Keeper::known_text(const Expr *e, Vec *out)
{
    if (!Changes(e).is_known)
        return false;
    Attempt a = attempt();
    Node *n = as_text(e, T_INT);
    if (failed(a) || !n) {
        forget(a);
        return false;
    }
    vec_push(ir->arena, out, mk_eval(ir, n, {0, 0}));
    return true;
}

// `x = text` and `a[i] = text`.
bool Keeper::assigned_text(const Expr *e, Vec *out)
{
    const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens());
    Type type;
    if (!b || b->getOpcode() != BO_Assign || !scalar_type(b->getLHS()->getType(), &type))
        return false;
    Attempt a = attempt();
    Vec made = {};
    if (Node *n = as_text(b->getRHS(), type))
        assign(b->getLHS(), n, (Kind)0, b, &made);
    if (failed(a) || made.count != 1) {
        forget(a);
        return false;
    }
    vec_push(ir->arena, out, made.items[0]);
    return true;
}

// ---------------------------------------------------------------- loops

// A value that nothing but the variables in it decides, and that may be computed once more.
static bool is_quiet(const Node *n)
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
    const bool outer = std::exchange(in_switch, false);
    Node *loop = f ? counted_loop(f, loc) : nullptr;
    if (loop && unrolled)
        loop->aux |= FOR_UNROLLED;
    if (!loop && (loop = free_loop(s, loc)) && unrolled)
        loop->aux |= LOOP_UNROLLED;
    in_switch = outer;
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
    loop_head(s, &head);
    bool simple = s->getCond() && !is_placed(SourceRange(s->getBeginLoc(), s->getRParenLoc())) && head.starts.size() == 1 &&
                  head.steps.size() == 1;
    const VarDecl *var = simple ? loop_start(head, &lo, nullptr) : nullptr;
    bool declares = simple && !head.starts[0].whole;
    bool good = var && lo && is_counter(var, declares) && (!declares || !var->isStaticLocal()) && !Scan(s->getBody()).written.count(var) &&
                loop_condition(s, var, &up, &down) && loop_step(head.steps[0], var, &step) && step && (step > 0 ? up : down) &&
                (cond = truth_of(in_context(R_KEEP_UNKNOWN, s->getCond()))) && is_quiet(cond) && !always_holds(cond);
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
    if (const auto *d = dyn_cast_or_null<DeclStmt>(s)) {
        Attempt a = attempt();
        declaration(d, true, &stmts);
        bool bad = failed(a);
        for (int i = 0; i < stmts.count; i++)
            bad |= sym_declarator(static_cast<Node *>(stmts.items[i])->sym) != nullptr;
        if (bad) { // nothing in the loop knows the variables
            forget(a);
            stmts = {};
            forget_variables(d);
            if (Node *n = as_text(d->getSourceRange(), d, T_INT))
                vec_push(ir->arena, &stmts, mk_eval(ir, n, claim(d->getSourceRange())));
        }
    } else if (s)
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
    Node *cond = test ? condition(R_KEEP_UNKNOWN, test) : mk_int(ir, T_INT, 1);
    Node *inner = body(f ? f->getBody() : w ? w->getBody() : d->getBody());
    Node *step = head(f ? f->getInc() : nullptr);
    return cond ? mk_loop(ir, f ? LOOP_FOR : w ? LOOP_WHILE : LOOP_DO, init, cond, step, inner, loc) : nullptr;
}

} // namespace mikgen
