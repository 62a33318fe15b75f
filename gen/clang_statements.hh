// Part of gen/spec_clang.cc: statements and loops of a spec.
#ifndef MIKGEN_GEN_CLANG_STATEMENTS_HH
#define MIKGEN_GEN_CLANG_STATEMENTS_HH

#include "gen/clang_builder.hh"

namespace
{

// ---------------------------------------------------------------- statements

Node *Builder::block(const Stmt *s)
{
    Vec stmts = {};
    if (const auto *c = dyn_cast<CompoundStmt>(s))
        for (const Stmt *inner : c->body())
            stmt(inner, &stmts);
    else
        stmt(s, &stmts);
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, at(s->getSourceRange()));
}

void Builder::stmt(const Stmt *s, Vec *out)
{
    if (depth >= kMaxDepth)
        return (void)no(R_DEEP, s->getBeginLoc());
    depth++;
    stmt_below(s, out);
    depth--;
}

void Builder::stmt_below(const Stmt *s, Vec *out)
{
    SourceRange here = s->getBeginLoc();
    switch (s->getStmtClass()) {
    case Stmt::CompoundStmtClass: vec_push(ir->arena, out, block(s)); return;
    case Stmt::NullStmtClass: return;
    case Stmt::ForStmtClass: loop(llvm::cast<ForStmt>(s), out); return;
    case Stmt::AttributedStmtClass: stmt(llvm::cast<AttributedStmt>(s)->getSubStmt(), out); return;
    case Stmt::DeclStmtClass:
        for (const Decl *d : llvm::cast<DeclStmt>(s)->decls()) {
            if (const auto *var = dyn_cast<VarDecl>(d))
                local(var, out);
            else if (isa<RecordDecl>(d))
                no(R_STRUCT, d->getLocation());
            else if (!isa<TypedefDecl>(d) && !isa<EnumDecl>(d) && !isa<StaticAssertDecl>(d) &&
                     !isa<FunctionDecl>(d))
                no(R_DECL, d->getSourceRange());
        }
        return;
    case Stmt::IfStmtClass: {
        const auto *i = llvm::cast<IfStmt>(s);
        Node *cond = in_context(R_EFFECT_COND, i->getCond());
        Node *then = block(i->getThen());
        Node *otherwise = i->getElse() ? block(i->getElse()) : nullptr;
        if (cond)
            vec_push(ir->arena, out, mk_if(ir, cond, then, otherwise, at(s->getSourceRange())));
        return;
    }
    case Stmt::ReturnStmtClass: {
        const Expr *value = llvm::cast<ReturnStmt>(s)->getRetValue();
        Node *n = value ? expr(value) : nullptr;
        if (n || !value)
            vec_push(ir->arena, out, mk_return(ir, n, at(s->getSourceRange())));
        return;
    }
    case Stmt::GotoStmtClass:
    case Stmt::IndirectGotoStmtClass: no(R_GOTO, here); return;
    case Stmt::LabelStmtClass:
        no(R_LABEL, here);
        stmt(llvm::cast<LabelStmt>(s)->getSubStmt(), out);
        return;
    case Stmt::WhileStmtClass: no(R_WHILE, here); return;
    case Stmt::DoStmtClass: no(R_DO, here); return;
    case Stmt::SwitchStmtClass: no(R_SWITCH, here); return;
    case Stmt::BreakStmtClass: no(R_BREAK, here); return;
    case Stmt::ContinueStmtClass: no(R_CONTINUE, here); return;
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass: no(R_INLINE_ASM, here); return;
    default:
        if (const auto *e = dyn_cast<Expr>(s))
            expr_stmt(e, out);
        else
            no(R_STMT, here, s->getStmtClassName());
    }
}

void Builder::expr_stmt(const Expr *e, Vec *out)
{
    e = e->IgnoreParens();
    if (const auto *c = dyn_cast<CompoundAssignOperator>(e))
        return compound(c, out);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Assign) {
        if (is_array(b->getLHS()))
            return (void)no(R_ARRAY_ASSIGN, b->getLHS()->getSourceRange(),
                            as_variable(b->getLHS())->getNameAsString());
        return assign(b->getLHS(), expr(b->getRHS()), N_NONE, e, out);
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->isIncrementDecrementOp())
        return step_stmt(u, out);
    if (const auto *c = dyn_cast<CallExpr>(e)) {
        Node *n = expr(c);
        if (n && n->type == T_VOID)
            vec_push(ir->arena, out, mk_eval(ir, n, at(e)));
        else if (n)
            no(R_NO_EFFECT, e->getSourceRange());
        return;
    }
    // `(void)x;` is how C says that x is not used.
    if (const auto *c = dyn_cast<CStyleCastExpr>(e); c && c->getCastKind() == CK_ToVoid) {
        if (c->getSubExpr()->getType()->isVoidType())
            return expr_stmt(c->getSubExpr(), out);
        if (!as_variable(c->getSubExpr()))
            expr(c->getSubExpr());
        return;
    }
    if (expr(e))
        no(R_NO_EFFECT, e->getSourceRange());
}

void Builder::assign(const Expr *target, Node *value, Kind compound, const Expr *whole, Vec *out)
{
    const Expr *t = target->IgnoreParens();
    Type type;
    if (isa<ArraySubscriptExpr>(t) || (keeps && is_deref(t))) {
        SmallVector<Node *, 4> subscripts;
        Sym *array = subscripted(t, subscripts);
        if (array && value && value_type(t->getType(), t->getSourceRange(), &type))
            vec_push(
                ir->arena, out,
                mk_store(ir, array, (int)subscripts.size(), subscripts.data(), value, compound, at(whole)));
        return;
    }
    const VarDecl *var = as_variable(t);
    if (!var)
        return (void)expr(t); // says what it is
    Sym *s = symbol_of(var);
    if (s && value)
        vec_push(ir->arena, out, mk_assign(ir, s, value, compound, at(whole)));
}

// x op= e, with C's conversions: x = (type of x)((computation type)x op e).
void Builder::compound(const CompoundAssignOperator *e, Vec *out)
{
    Type left, result, target;
    if (e->getLHS()->getType()->isPointerType())
        return (void)no(R_POINTER_MATH, e->getSourceRange());
    if (!value_type(e->getComputationLHSType(), e->getSourceRange(), &left) ||
        !value_type(e->getComputationResultType(), e->getSourceRange(), &result) ||
        !value_type(e->getLHS()->getType(), e->getSourceRange(), &target))
        return;
    Node *old = expr(e->getLHS()), *by = expr(e->getRHS());
    if (!old || !by)
        return;
    Kind kind = binary_kind(e->getOpcode());
    assign(e->getLHS(), mk_cast(ir, target, mk_binary(ir, kind, mk_cast(ir, left, old), by)), kind, e, out);
}

void Builder::step_stmt(const UnaryOperator *e, Vec *out)
{
    Type type;
    if (e->getType()->isPointerType())
        return (void)no(R_POINTER_MATH, e->getSourceRange());
    if (!value_type(e->getType(), e->getSourceRange(), &type))
        return;
    Node *old = expr(e->getSubExpr());
    if (!old)
        return;
    Type wide = type_promote(type);
    Node *one = type_is_float(wide) ? mk_float(ir, wide, 1) : mk_int(ir, wide, 1);
    Kind kind = e->isIncrementOp() ? N_ADD : N_SUB;
    assign(e->getSubExpr(), mk_cast(ir, type, mk_binary(ir, kind, mk_cast(ir, wide, old), one)), kind, e, out);
}

// ---------------------------------------------------------------- loops

// The variable of the loop's first part and its start.
const VarDecl *Builder::loop_start(const ForStmt *s, Node **lo, bool *declares)
{
    const Stmt *init = s->getInit();
    const VarDecl *var = nullptr;
    const Expr *start = nullptr;
    if (!init)
        return no(R_LOOP_INIT, s->getForLoc());
    if (const auto *d = dyn_cast<DeclStmt>(init)) {
        if (!d->isSingleDecl())
            return no(R_LOOP_TWO, init->getSourceRange());
        var = dyn_cast<VarDecl>(d->getSingleDecl());
        start = var ? var->getInit() : nullptr;
        *declares = true;
    } else if (const auto *b = dyn_cast<BinaryOperator>(llvm::cast<Expr>(init)->IgnoreParens())) {
        if (b->getOpcode() == BO_Comma)
            return no(R_LOOP_TWO, init->getSourceRange());
        var = b->getOpcode() == BO_Assign ? as_variable(b->getLHS()) : nullptr;
        start = b->getRHS();
        *declares = false;
    }
    if (!var || !start)
        return no(R_LOOP_INIT, init->getSourceRange());
    Type type;
    std::string name = var->getNameAsString();
    if (!scalar_type(var->getType(), &type) || !type_is_integer(type) || type == T_BOOL)
        return no(R_LOOP_VAR, init->getSourceRange(), name);
    *lo = expr(start);
    if (*declares)
        symbols[var] = sym_new(ir, S_LOOP, type, name.c_str(), at(var->getLocation()));
    return var;
}

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

bool mentions(const Stmt *s, const VarDecl *var)
{
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        return ref->getDecl() == var;
    for (const Stmt *kid : s->children())
        if (kid && mentions(kid, var))
            return true;
    return false;
}

// The condition, the variable on its left; up and down: which steps approach the bound.
Node *Builder::loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down)
{
    std::string name = var->getNameAsString();
    const Expr *cond = s->getCond();
    if (!cond)
        return no(R_LOOP_NO_COND, s->getForLoc());
    const auto *b = dyn_cast<BinaryOperator>(cond->IgnoreParenImpCasts());
    int faults = front->faults.count;
    bool compares = b && b->isComparisonOp() && b->getOpcode() != BO_EQ;
    bool on_left = compares && as_variable(b->getLHS()->IgnoreParenCasts()) == var;
    bool on_right = compares && as_variable(b->getRHS()->IgnoreParenCasts()) == var;
    if (on_left == on_right) {
        if (!in_context(R_EFFECT_COND, cond) && front->faults.count > faults)
            return nullptr; // something worse is wrong with it
        return no(R_LOOP_COND, cond->getSourceRange(), name);
    }
    if (mentions(on_left ? b->getRHS() : b->getLHS(), var))
        return no(R_LOOP_SELF, cond->getSourceRange(), name);
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

bool Builder::loop_step(const ForStmt *s, const VarDecl *var, int64_t *step)
{
    std::string name = var->getNameAsString();
    const Expr *inc = s->getInc() ? s->getInc()->IgnoreParens() : nullptr;
    Type type;
    if (!inc || !scalar_type(var->getType(), &type))
        return no(R_LOOP_STEP, s->getForLoc(), name), false;
    const auto *u = dyn_cast<UnaryOperator>(inc);
    const auto *b = dyn_cast<BinaryOperator>(inc);
    bool good = false, negate = false;
    if (b && b->getOpcode() == BO_Comma)
        return no(R_LOOP_TWO, inc->getSourceRange()), false;
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
        else if (b->getOpcode() == BO_Assign && sum && sum->getOpcode() == BO_Add &&
                 as_variable(sum->getRHS()) == var)
            good = constant(sum->getLHS(), type, step);
    }
    if (!good)
        return no(R_LOOP_STEP, inc->getSourceRange(), name), false;
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
    Node *lo = nullptr;
    bool declares = false, up = false, down = false;
    int64_t step = 0;
    const VarDecl *var = loop_start(s, &lo, &declares);
    Node *cond = var ? loop_condition(s, var, &up, &down) : nullptr;
    bool steps = cond && loop_step(s, var, &step);
    if (steps && !(step > 0 ? up : down))
        no(R_LOOP_AWAY, s->getInc()->getSourceRange(), var->getNameAsString());
    if (steps && always_holds(cond))
        no(R_LOOP_ENDLESS, s->getCond()->getSourceRange(), var->getNameAsString());
    Node *body = block(s->getBody());
    Sym *sym = var ? symbols.lookup(var) : nullptr;
    if (lo && steps && sym)
        vec_push(ir->arena, out, mk_for(ir, sym, lo, cond, step, body, declares, at(s->getForLoc())));
}

} // namespace

#endif
