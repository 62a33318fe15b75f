/* SPDX-License-Identifier: GPL-3.0-or-later */
// Statements of a spec.
#include "gen/front/tree/builder.hh"
#include "gen/front/tree/expressions.hh"
#include "gen/front/tree/suggest.hh"
#include "clang/AST/DeclCXX.h"

namespace mikgen
{

// ---------------------------------------------------------------- statements

// do { ... } while (0), as macros are written: its body, where no jump leaves that; nullptr: another loop.
const Stmt *Builder::done_once(const DoStmt *s)
{
    Expr::EvalResult result;
    const bool once = s->getCond()->EvaluateAsInt(result, context) && result.Val.getInt() == 0;
    return once && !keeps && !is_left(s->getBody()) && !contains_continue(s->getBody()) ? s->getBody() : nullptr;
}

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
            else if (const auto *rd = dyn_cast<RecordDecl>(d); rd && !keeps && rd->isThisDeclarationADefinition())
                struct_type(rd);
            else if (isa<RecordDecl>(d) && keeps)
                no(R_STRUCT, d->getLocation());
            else if (!isa<RecordDecl>(d) && !isa<TypedefDecl>(d) && !isa<EnumDecl>(d) && !isa<StaticAssertDecl>(d) && !isa<FunctionDecl>(d))
                no(R_DECL, d->getSourceRange());
        }
        return;
    case Stmt::IfStmtClass: {
        const auto *i = llvm::cast<IfStmt>(s);
        Node *cond = sometimes(R_EFFECT_COND, i->getCond());
        Node *then = block(i->getThen());
        Node *otherwise = i->getElse() ? block(i->getElse()) : nullptr;
        if (cond)
            vec_push(ir->arena, out, mk_if(ir, cond, then, otherwise, at(s->getSourceRange())));
        return;
    }
    case Stmt::ReturnStmtClass: leave(llvm::cast<ReturnStmt>(s), out); return;
    case Stmt::GotoStmtClass:
    case Stmt::IndirectGotoStmtClass: no(R_GOTO, here); return;
    case Stmt::LabelStmtClass:
        no(R_LABEL, here);
        stmt(llvm::cast<LabelStmt>(s)->getSubStmt(), out);
        return;
    case Stmt::WhileStmtClass: {
        const auto *w = llvm::cast<WhileStmt>(s);
        return free_loop({w->getCond(), {}, w->getBody(), s, at(here)}, out);
    }
    case Stmt::DoStmtClass: {
        const auto *d = llvm::cast<DoStmt>(s);
        if (const Stmt *body = done_once(d))
            return stmt(body, out);
        return free_loop({d->getCond(), {}, d->getBody(), s, at(here)}, out);
    }
    case Stmt::SwitchStmtClass: choice(llvm::cast<SwitchStmt>(s), out); return;
    case Stmt::BreakStmtClass: {
        Node *jump = mk_jump(ir, N_BREAK, nullptr, at(s->getSourceRange()));
        if (switch_breaks) {
            ++*switch_breaks;
            jump->aux = BREAK_SWITCH;
        }
        return vec_push(ir->arena, out, jump);
    }
    case Stmt::ContinueStmtClass: vec_push(ir->arena, out, mk_jump(ir, N_CONTINUE, nullptr, at(s->getSourceRange()))); return;
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass: no(R_INLINE_ASM, here); return;
    default:
        if (const auto *e = dyn_cast<Expr>(s))
            full_stmt(e, out);
        else
            no(R_STMT, here, s->getStmtClassName());
    }
}

// An operator's value goes to its place.
void Builder::leave(const ReturnStmt *s, Vec *out)
{
    const Expr *value = s->getRetValue();
    Node *n = nullptr, *first = mk_int(ir, T_INT, 0);
    if (value && value->getType()->isVoidType())
        full_stmt(value, out);
    else if (Type type; value && complex_type(value->getType(), &type)) {
        const Pair p = complete(full_pair(value, out, nullptr), type);
        if (!(n = returned_part ? p.im : p.re))
            return;
        if (returned)
            return leave_complex(p, s, out);
    } else if (value && !(n = full_expr(value, value, out, nullptr)))
        return;
    if (n && returned)
        vec_push(ir->arena, out, mk_store(ir, returned, 1, &first, n, N_NONE, at(s->getSourceRange())));
    vec_push(ir->arena, out, mk_return(ir, returned ? nullptr : n, at(s->getSourceRange())));
}

void Builder::leave_complex(const Pair &value, const ReturnStmt *s, Vec *out)
{
    for (int part = 0; part < 2; part++) {
        Node *place[] = {mk_int(ir, T_INT, 0), mk_int(ir, T_INT, part)};
        vec_push(ir->arena, out, mk_store(ir, returned, 2, place, part ? value.im : value.re, N_NONE, at(s->getSourceRange())));
    }
    vec_push(ir->arena, out, mk_return(ir, nullptr, at(s->getSourceRange())));
}

void Builder::expr_stmt(const Expr *e, Vec *out)
{
    e = e->IgnoreParens();
    if (const auto *c = dyn_cast<CompoundAssignOperator>(e))
        return !keeps && c->getComputationResultType()->isAnyComplexType() ? complex_compound(c, out) : compound(c, out);
    if (const auto *b = dyn_cast<BinaryOperator>(e);
        b && !keeps && b->getOpcode() == BO_Assign && b->getLHS()->getType()->isAnyComplexType())
        return complex_assign(b, out);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Assign && is_struct(b->getLHS()->getType()))
        return struct_assign(b, out);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Assign) {
        if (is_array(b->getLHS()))
            return (void)no(R_ARRAY_ASSIGN, b->getLHS()->getSourceRange(), as_variable(b->getLHS())->getNameAsString());
        return assign(b->getLHS(), expr(b->getRHS()), N_NONE, e, out);
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->isIncrementDecrementOp())
        return step_stmt(u, out);
    if (const auto *c = dyn_cast<CallExpr>(e)) {
        if (moves_bytes(c))
            return byte_stmt(c, out);
        Node *n = expr(c);
        if (n && n->type == T_VOID)
            vec_push(ir->arena, out, mk_eval(ir, n, at(e)));
        else if (n)
            no(R_NO_EFFECT, e->getSourceRange());
        return;
    }
    // `(void)x;` is how C says that x is not used.
    if (const auto *c = dyn_cast<CStyleCastExpr>(e); c && c->getCastKind() == CK_ToVoid) {
        const auto *call = dyn_cast<CallExpr>(bare(c->getSubExpr()));
        if (c->getSubExpr()->getType()->isVoidType() || (call && moves_bytes(call)))
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
    if (isa<ArraySubscriptExpr>(t) || (!keeps && isa<MemberExpr>(t)) || (keeps && is_deref(t))) {
        SmallVector<Node *, 4> subscripts;
        Sym *array = subscripted(t, subscripts);
        if (array && value && !array->rank) // a member of a variable
            vec_push(ir->arena, out, mk_assign(ir, array, value, compound, at(whole)));
        else if (array && value && value_type(t->getType(), t->getSourceRange(), &type))
            vec_push(ir->arena, out, mk_store(ir, array, (int)subscripts.size(), subscripts.data(), value, compound, at(whole)));
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

} // namespace mikgen
