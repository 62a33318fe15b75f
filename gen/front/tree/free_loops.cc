/* SPDX-License-Identifier: GPL-3.0-or-later */
// Loops of a spec whose head starts no counter. Those that count by a variable of an outer scope are
// the `for` over it, with its start in front:
//
//     for (; i < n; i++) ...          for (i = i; i < n; i++) ...
//     while (i-- > 0) ...             for (i = i - 1; i >= 0; i--) ...
//
// so that the variable has C's value in the body and behind the loop. Any other runs in order, under a test:
//
//     while (c) ...                   for (long turn = 0;; turn++) { if (!c) break; ... }
#include "gen/front/tree/builder.hh"
#include "gen/front/tree/expressions.hh"
#include "gen/front/tree/loops.hh"
#include "gen/front/tree/suggest.hh"
#include "gen/front/tree/trend.hh"
#include "ir/walk.h"

namespace mikgen
{

// ---------------------------------------------------------------- counters

// The variable that `e` changes; nullptr: it is no assignment, ++ or -- of one.
static const VarDecl *stepped_variable(const Expr *e)
{
    const auto *u = dyn_cast_or_null<UnaryOperator>(e);
    const auto *b = dyn_cast_or_null<BinaryOperator>(e);
    return u && u->isIncrementDecrementOp() ? as_variable(u->getSubExpr()) : b && b->isAssignmentOp() ? as_variable(b->getLHS()) : nullptr;
}

// The last statement of a body, if it is an expression.
static const Expr *last_expression(const Stmt *body)
{
    const auto *c = dyn_cast<CompoundStmt>(body);
    return dyn_cast_or_null<Expr>(!c ? body : c->body_empty() ? nullptr : c->body_back());
}

// Where `var` starts: what the statement in front gives it, or its value.
Node *Builder::start_in_front(const Sym *var, const Vec *out)
{
    int last = out->count - 1;
    while (last >= 0 && static_cast<Node *>(out->items[last])->kind == N_DECL && static_cast<Node *>(out->items[last])->sym != var)
        last--;
    auto *before = last >= 0 ? static_cast<Node *>(out->items[last]) : nullptr;
    const bool starts = before && (before->kind == N_DECL || before->kind == N_ASSIGN) && before->sym == var && before->nkids &&
                        !uses_sym(before->kid[0], var);
    return starts ? before->kid[0] : mk_var(ir, const_cast<Sym *>(var));
}

// The symbol of `var`, if nothing but `step` changes it in the loop; nullptr: it cannot be a counter.
Sym *Builder::free_counter(const FreeLoop &l, const VarDecl *var, const Expr *step)
{
    Sym *sym = var ? symbol_of(var) : nullptr;
    if (!sym || sym->rank || !type_is_integer(sym->type) || sym->type == T_BOOL || sym->kind == S_LOOP ||
        changes_below(l.body, var, step) || (l.cond && changes_below(l.cond, var, step)))
        return nullptr;
    const bool alone = llvm::none_of(l.steps, [=](const Expr *e) { return changes_below(e, var, step); });
    return alone ? sym : nullptr;
}

// i = 0; while (i < n) { ...; i++; } and for (; i < n; i++) ... are for (i = 0; i < n; i++) ... False, without a fault, for any other.
bool Builder::counted_loop(const FreeLoop &l, Vec *out)
{
    const auto *loop = dyn_cast<ForStmt>(l.loop);
    const bool in_body = l.steps.empty();
    const auto *of_head = llvm::find_if(l.steps, [&](const Expr *e) {
        const VarDecl *var = stepped_variable(e);
        return var && (!l.cond || mentions(l.cond, var));
    });
    const Expr *step = in_body ? last_expression(l.body) : of_head != l.steps.end() ? *of_head : nullptr;
    const VarDecl *var = stepped_variable(step);
    Sym *sym = free_counter(l, var, step);
    int64_t by = 0;
    bool up = !l.cond, down = !l.cond;
    if (!sym || !loop_step(step, var, &by) || !by || (in_body && contains_continue(l.body)) || (!l.cond && !is_left(l.body)) ||
        (l.cond && (!mentions(l.cond, var) || contains_effect(l.cond))) ||
        (!in_body && std::any_of(of_head + 1, l.steps.end(), [=](const Expr *e) { return mentions(e, var); })))
        return false;
    const bool outer = std::exchange(never_in_front, true);
    Node *cond = l.cond ? compared_with_zero(ir, in_context(R_EFFECT_COND, l.cond)) : mk_int(ir, T_INT, 1);
    never_in_front = outer;
    if (cond && l.cond)
        ends(cond, sym, &up, &down);
    const bool approaches = by > 0 ? up : down;
    if (!cond || (!approaches && !(loop && (up || down))) || (!loop && always_holds(cond)))
        return false;
    const bool good = !loop || !l.cond || comes_to_end(loop, step, var, cond, by, approaches);
    Node *body = loop_body(l.body, l.steps, step), *lo = start_in_front(sym, out);
    if (in_body) { // whose last statement is the step
        const bool only = body->nkids && static_cast<Node *>(body->kid[body->nkids - 1])->sym == sym;
        body = mk_block(ir, only ? body->nkids - 1 : body->nkids, body->kid, body->loc);
    }
    if (good)
        vec_push(ir->arena, out, mk_for(ir, sym, lo, cond, by, body, false, l.loc));
    return true;
}

// ---------------------------------------------------------------- conditions that step

// The operands of `a && b && c`.
static void conjuncts(const Expr *e, SmallVectorImpl<const Expr *> &out)
{
    const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens());
    if (!b || b->getOpcode() != BO_LAnd)
        return out.push_back(e->IgnoreParens());
    conjuncts(b->getLHS(), out);
    conjuncts(b->getRHS(), out);
}

static const UnaryOperator *as_step(const Expr *e)
{
    const auto *u = dyn_cast<UnaryOperator>(bare(e));
    return u && u->isIncrementDecrementOp() && as_variable(u->getSubExpr()) ? u : nullptr;
}

// Condition `test`, whose operand `step` has been made: of what the variable is afterwards. `alone`: the loop has no other end.
Node *Builder::tested_step(const UnaryOperator *step, const Expr *test, bool alone, Sym *var)
{
    const auto *b = dyn_cast<BinaryOperator>(bare(test));
    const bool on_left = b && as_step(b->getLHS()) == step;
    const Type wide = type_promote(var->type);
    Node *value = mk_var(ir, var), *one = mk_int(ir, wide, 1);
    Kind kind = b ? binary_kind(b->getOpcode()) : N_NE;
    Type type = wide;
    if (b && !scalar_type(b->getLHS()->getType(), &type))
        return nullptr;
    Node *bound = b ? in_context(R_EFFECT_COND, on_left ? b->getRHS() : b->getLHS()) : mk_int(ir, wide, 0);
    if (!bound)
        return nullptr;
    kind = b && !on_left ? turned_round(kind) : kind;
    const bool is_exact = type_is_signed(type) && type_is_signed(var->type) && type_bits(var->type) >= 32;
    const bool falls = step->isDecrementOp(), from_zero = bound->kind == N_INT && bound->u.i == 0;
    if (step->isPostfix() && kind == (falls ? N_GT : N_LT) && is_exact)
        kind = falls ? N_GE : N_LE;
    else if (step->isPostfix() && kind == N_NE && is_exact && falls && from_zero && alone)
        kind = N_GE; // a variable that is negative never comes to 0
    else if (step->isPostfix())
        value = mk_cast(ir, var->type, mk_binary(ir, falls ? N_ADD : N_SUB, mk_cast(ir, wide, value), one));
    return make(kind, T_INT, nullptr, {mk_cast(ir, type, value), bound}, test);
}

// while (i--), while (i-- > 0 && ...), while (++i < n). False, without a fault, for any other.
bool Builder::stepped_by_condition(const FreeLoop &l, Vec *out)
{
    SmallVector<const Expr *, 2> tests;
    if (!l.cond)
        return false;
    conjuncts(l.cond, tests);
    const auto *b = dyn_cast<BinaryOperator>(bare(tests[0]));
    const UnaryOperator *left = b && b->isComparisonOp() ? as_step(b->getLHS()) : nullptr;
    const UnaryOperator *right = b && b->isComparisonOp() ? as_step(b->getRHS()) : nullptr;
    const UnaryOperator *step = left ? left : right ? right : as_step(tests[0]);
    const VarDecl *var = step ? as_variable(step->getSubExpr()) : nullptr;
    const Expr *bound = left ? b->getRHS() : right ? b->getLHS() : nullptr;
    Sym *sym = free_counter(l, var, step);
    if (!sym || (bound && (mentions(bound, var) || contains_effect(bound) || b->getOpcode() == BO_EQ)) ||
        std::any_of(tests.begin() + 1, tests.end(), contains_effect))
        return false;
    const bool outer = std::exchange(never_in_front, true);
    Node *cond = tested_step(step, tests[0], tests.size() == 1 && !is_left(l.body), sym);
    for (size_t i = 1; i < tests.size() && cond; i++)
        cond = make(N_LAND, T_INT, nullptr, {cond, in_context(R_EFFECT_COND, tests[i])}, l.cond);
    never_in_front = outer;
    const int64_t by = step->isIncrementOp() ? 1 : -1;
    const Type wide = type_promote(sym->type);
    Node *start = mk_cast(ir, wide, start_in_front(sym, out));
    Node *lo = mk_cast(ir, sym->type, mk_binary(ir, by > 0 ? N_ADD : N_SUB, start, mk_int(ir, wide, 1)));
    Node *body = loop_body(l.body, l.steps, nullptr);
    if (cond)
        vec_push(ir->arena, out, mk_for(ir, sym, lo, cond, by, body, false, l.loc));
    return true;
}

// ---------------------------------------------------------------- all others

// Leaves the loop unless `cond` holds, whose operands are evaluated one after the other, with what they change.
void Builder::tests(const Expr *cond, Vec *out)
{
    SmallVector<const Expr *, 2> all;
    conjuncts(cond, all);
    for (const Expr *test : all) {
        Vec after = {};
        Expr::EvalResult known;
        if (test->EvaluateAsInt(known, context) && known.Val.getInt() != 0)
            continue;
        Node *n = full_expr(test, test, out, &after), *leave = mk_jump(ir, N_BREAK, nullptr, at(test));
        if (!n)
            continue;
        if (after.count) {
            Sym *old = sym_new(ir, S_LOCAL, (Type)n->type, "tested", at(test));
            vec_push(ir->arena, out, mk_decl(ir, old, n, at(test)));
            append(out, after);
            n = mk_var(ir, old);
        }
        vec_push(ir->arena, out, mk_if(ir, mk_unary(ir, N_LNOT, truth_of(n)), mk_block(ir, 1, &leave, at(test)), nullptr, at(test)));
    }
}

static void variables_of(const Stmt *s, SmallVectorImpl<const VarDecl *> &out)
{
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
            out.push_back(var);
    for (const Stmt *kid : s->children())
        if (kid)
            variables_of(kid, out);
}

// Whether an assignment below `s`, or a call that is given an array, changes one of them.
static bool changes_one_of(const Stmt *s, ArrayRef<const VarDecl *> all)
{
    const auto *u = dyn_cast<UnaryOperator>(s);
    const auto *b = dyn_cast<BinaryOperator>(s);
    const auto *call = dyn_cast<CallExpr>(s);
    const Expr *target = u && u->isIncrementDecrementOp() ? u->getSubExpr() : b && b->isAssignmentOp() ? b->getLHS() : nullptr;
    if (target && llvm::is_contained(all, changed_by(target)))
        return true;
    for (const Expr *arg : call ? llvm::make_range(call->arg_begin(), call->arg_end())
                                : llvm::make_range(CallExpr::const_arg_iterator(), CallExpr::const_arg_iterator()))
        if (arg->getType()->isPointerType() && llvm::any_of(all, [=](const VarDecl *var) { return mentions(arg, var); }))
            return true;
    return llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && changes_one_of(kid, all); });
}

// Says of a loop that nothing ends what is wrong with it.
bool Builder::may_end(const FreeLoop &l)
{
    SmallVector<const VarDecl *, 4> read;
    Expr::EvalResult known;
    if (is_left(l.body))
        return true;
    if (!l.cond || (l.cond->EvaluateAsInt(known, context) && known.Val.getInt() != 0))
        return no(R_LOOP_NO_COND, l.loop->getBeginLoc()), false;
    variables_of(l.cond, read);
    const auto changes = [&](const Stmt *s) { return changes_one_of(s, read); };
    if (changes(l.cond) || changes(l.body) || llvm::any_of(l.steps, changes) || l.cond->EvaluateAsInt(known, context))
        return true;
    const auto *loop = dyn_cast<ForStmt>(l.loop);
    const VarDecl *stepped = l.steps.empty() ? nullptr : stepped_variable(l.steps[0]);
    LoopHead head;
    if (loop)
        loop_head(loop, &head);
    if (!head.starts.empty() && head.starts[0].var && mentions(l.cond, head.starts[0].var))
        return no(R_LOOP_STEP, l.steps.empty() ? l.loop->getBeginLoc() : l.steps[0]->getSourceRange(),
                  head.starts[0].var->getNameAsString()),
               false;
    if (stepped)
        return no(R_LOOP_COND, l.cond->getSourceRange(), stepped->getNameAsString()), false;
    return no(R_WHILE, l.cond->getSourceRange()), false;
}

void Builder::free_loop(const FreeLoop &l, Vec *out)
{
    const bool tested_last = isa<DoStmt>(l.loop);
    if (!tested_last && (stepped_by_condition(l, out) || counted_loop(l, out)))
        return;
    const bool ends = may_end(l);
    Vec stmts = {};
    if (l.cond && !tested_last)
        tests(l.cond, &stmts);
    Node *body = loop_body(l.body, l.steps, nullptr);
    vec_push(ir->arena, &stmts, body);
    if (tested_last && contains_continue(l.body))
        body->aux = BLOCK_TURN;
    if (tested_last)
        tests(l.cond, &stmts);
    Sym *turn = sym_new(ir, S_LOOP, T_LONG, "turn", l.loc);
    Node *whole = mk_block(ir, stmts.count, (Node *const *)stmts.items, l.loc);
    if (ends)
        vec_push(ir->arena, out, mk_for(ir, turn, mk_int(ir, T_LONG, 0), mk_int(ir, T_INT, 1), 1, whole, true, l.loc));
}

} // namespace mikgen
