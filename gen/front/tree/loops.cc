/* SPDX-License-Identifier: GPL-3.0-or-later */
// Loops of a spec.
#include "gen/front/tree/loops.hh"

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/expressions.hh"
#include "gen/front/tree/suggest.hh"
#include "gen/front/tree/trend.hh"

namespace mikgen
{

// ---------------------------------------------------------------- heads

static void comma_operands(const Expr *e, SmallVectorImpl<const Expr *> &out)
{
    const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens());
    if (!b || b->getOpcode() != BO_Comma)
        return out.push_back(e->IgnoreParens());
    comma_operands(b->getLHS(), out);
    comma_operands(b->getRHS(), out);
}

// Whether anything in `s` changes what `value` reads.
static bool interferes(const Stmt *s, const Expr *value)
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
void Builder::loop_head(const ForStmt *s, LoopHead *head)
{
    const Stmt *init = s->getInit();
    if (const auto *d = dyn_cast_or_null<DeclStmt>(init)) {
        for (const Decl *decl : d->decls()) {
            const auto *var = dyn_cast<VarDecl>(decl);
            head->starts.push_back({var, var ? var->getInit() : nullptr, nullptr});
        }
    } else if (init) {
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
                head->counts = true;
            }
}

// The counter and where it starts; nullptr, perhaps without a fault, if it is none. What the start assigns goes in front of the loop.
const VarDecl *Builder::loop_start(const LoopHead &head, Node **lo, Vec *before)
{
    const LoopStart &own = head.starts[head.counter];
    const VarDecl *var = own.var;
    Type type;
    if (!var || !own.start || !scalar_type(var->getType(), &type) || !type_is_integer(type) || type == T_BOOL)
        return nullptr;
    std::string name = var->getNameAsString();
    *lo = full_expr(own.start, own.whole ? own.whole : own.start, before, nullptr);
    if (!own.whole)
        symbols[var] = sym_new(ir, S_LOOP, type, name.c_str(), at(var->getLocation()));
    return var;
}

// Whether another side of a comma in the head depends on the counter.
static bool hangs_on_counter(const LoopHead &head)
{
    const LoopStart &own = head.starts[head.counter];
    for (size_t i = head.counter + 1; i < head.starts.size(); i++) { // in front of it in our tree
        const Expr *uses = head.starts[i].whole ? head.starts[i].whole : head.starts[i].start;
        if (uses && (mentions(uses, own.var) || interferes(uses, own.start)))
            return true;
    }
    return std::any_of(head.steps.begin() + (ptrdiff_t)head.step + 1, head.steps.end(),
                       [&](const Expr *e) { return mentions(e, own.var); });
}

// The other sides of the commas in the first part, from `from` up to `to`.
void Builder::other_starts(const LoopHead &head, size_t from, size_t to, Vec *out)
{
    for (size_t i = from; i < to; i++) {
        const LoopStart &other = head.starts[i];
        if (other.whole)
            full_stmt(other.whole, out);
        else if (other.var)
            local(other.var, out);
    }
}

// The body, at whose end stand `steps` without `own`.
Node *Builder::loop_body(const Stmt *loop, ArrayRef<const Expr *> steps, const Expr *own)
{
    int *outer = std::exchange(switch_breaks, nullptr);
    Node *body = block(loop);
    switch_breaks = outer;
    if (steps.size() > (own ? 1 : 0) && contains_continue(loop))
        body->aux = BLOCK_TURN;
    Vec stmts = {};
    vec_push(ir->arena, &stmts, body);
    for (const Expr *step : steps)
        if (step != own)
            full_stmt(step, &stmts);
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

// The condition; up and down: which steps approach its bound, none where it is another condition. If it compares the variable with
// something, the variable is on the left.
Node *Builder::loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down)
{
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
        return other_condition(cond, var, up, down);
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

Node *compared_with_zero(Ir *ir, Node *n)
{
    const bool is_number = n && type_is_integer((Type)n->type) && !(kind_info[n->kind].flags & F_REL) && n->kind != N_LAND &&
                           n->kind != N_LOR;
    return is_number ? mk_binary(ir, N_NE, n, mk_int(ir, (Type)n->type, 0)) : n;
}

// Any other condition that becomes false by itself as the variable advances; nullptr, perhaps without a fault, if it is none.
Node *Builder::other_condition(const Expr *cond, const VarDecl *var, bool *up, bool *down)
{
    Node *n = keeps ? in_context(effect, cond) : compared_with_zero(ir, in_context(R_EFFECT_COND, cond));
    const Sym *sym = symbols.lookup(var);
    if (n && sym && !keeps)
        ends(n, sym, up, down);
    return *up || *down ? n : nullptr;
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

// Whether `inc` adds a constant to `var`.
bool Builder::loop_step(const Expr *inc, const VarDecl *var, int64_t *step)
{
    Type type;
    if (!inc || !scalar_type(var->getType(), &type))
        return false;
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
    if (negate)
        *step = -*step;
    return good;
}

bool always_holds(const Node *cond)
{
    const Node *bound = cond->kind == N_GE ? cond->kid[1] : nullptr;
    while (bound && bound->kind == N_CAST)
        bound = bound->kid[0];
    return bound && bound->kind == N_INT && bound->u.i == 0 && !type_is_signed((Type)cond->kid[0]->type);
}

// What to write for `for (i = n - 1; i < n; i--)` of an unsigned i, whose greatest value comes behind 0; "" for others.
static std::string down_to_zero(const ForStmt *s, const VarDecl *var, int64_t step, ASTContext &context)
{
    const auto *set = dyn_cast_or_null<BinaryOperator>(s->getInit());
    const Expr *from = set && set->isAssignmentOp() ? set->getRHS() : var->getInit();
    if (step != -1 || !var->getType()->isUnsignedIntegerType() || !from || !(set || isa<DeclStmt>(s->getInit())))
        return "";
    const Suggest suggest(context);
    const auto *last = dyn_cast<BinaryOperator>(bare(from));
    Expr::EvalResult one;
    const bool is_last = last && last->getOpcode() == BO_Sub && last->getRHS()->EvaluateAsInt(one, context) && one.Val.getInt() == 1;
    const std::string type = set ? "" : var->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy()) + " ";
    const std::string name = var->getNameAsString(), above = is_last ? suggest.text(last->getLHS()) : suggest.text(from) + " + 1";
    return "behind 0 comes its greatest value: write 'for (" + type + name + " = " + above + "; " + name + "-- > 0;)'";
}

// Says of a loop that goes by `step` whether it comes to an end.
bool Builder::comes_to_end(const ForStmt *s, const Expr *inc, const VarDecl *var, const Node *cond, int64_t step, bool approaches)
{
    if (!step)
        return no(R_LOOP_ZERO, inc->getSourceRange(), var->getNameAsString()), false;
    if (!approaches)
        return no_but(down_to_zero(s, var, step, context), R_LOOP_AWAY, inc->getSourceRange(), var->getNameAsString()), false;
    if (always_holds(cond) && !is_left(s->getBody()))
        return no(R_LOOP_ENDLESS, s->getCond()->getSourceRange(), var->getNameAsString()), false;
    return true;
}

// The loop over a variable that its head starts, tests and steps. False, without a fault, for any other.
bool Builder::counted_for(const ForStmt *s, const LoopHead &head, Vec *out)
{
    Node *lo = nullptr;
    bool up = false, down = false;
    int64_t step = 0;
    if (!head.counts || hangs_on_counter(head) || (s->getCond() && contains_effect(s->getCond())) ||
        !loop_step(head.steps[head.step], head.starts[head.counter].var, &step))
        return false;
    const int faults = front->faults.count;
    Vec stmts = {};
    other_starts(head, 0, head.counter, &stmts);
    const VarDecl *var = loop_start(head, &lo, &stmts);
    if (!var)
        return front->faults.count > faults;
    other_starts(head, head.counter + 1, head.starts.size(), &stmts);
    const bool outer = std::exchange(never_in_front, true);
    Node *cond = loop_condition(s, var, &up, &down);
    never_in_front = outer;
    if (!up && !down && front->faults.count == faults)
        return false;
    const bool steps = cond && comes_to_end(s, head.steps[head.step], var, cond, step, step > 0 ? up : down);
    Node *body = loop_body(s->getBody(), head.steps, head.steps[head.step]);
    Sym *sym = symbols.lookup(var);
    const bool declares = !head.starts[head.counter].whole;
    if (lo && steps && sym)
        vec_push(ir->arena, &stmts, mk_for(ir, sym, lo, cond, step, body, declares, at(s->getForLoc())));
    if (declares && head.starts.size() > 1) // a scope of their own
        vec_push(ir->arena, out, mk_block(ir, stmts.count, (Node *const *)stmts.items, at(s->getForLoc())));
    else
        append(out, stmts);
    return true;
}

void Builder::loop(const ForStmt *s, Vec *out)
{
    LoopHead head;
    loop_head(s, &head);
    if (counted_for(s, head, out))
        return;
    Vec scope = {};
    const bool declares = s->getInit() && isa<DeclStmt>(s->getInit());
    Vec *stmts = declares ? &scope : out;
    if (s->getInit())
        stmt(s->getInit(), stmts);
    free_loop({s->getCond(), head.steps, s->getBody(), s, at(s->getForLoc())}, stmts);
    if (declares)
        vec_push(ir->arena, out, mk_block(ir, scope.count, (Node *const *)scope.items, at(s->getForLoc())));
}

} // namespace mikgen
