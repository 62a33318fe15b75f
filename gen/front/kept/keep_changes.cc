/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/kept/keep_changes.hh"

#include "gen/front/kept/scan.hh"
#include "gen/front/tree/queries.hh"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

namespace mikgen
{

Changes::Changes(const Stmt *s)
{
    const Scan scan(s);
    visit(s);
    for (const VarDecl *var : scan.written)
        assigned.insert(var);
}

// The array that an lvalue is an element of, or the pointer that leads to it; nullptr: something else.
const VarDecl *Changes::base(const Expr *e)
{
    for (bool is_value = false;;) { // behind what a pointer has been read from, only its name may come
        e = e->IgnoreParens();
        const auto *c = dyn_cast<CastExpr>(e);
        const auto *s = dyn_cast<ArraySubscriptExpr>(e);
        const auto *u = dyn_cast<UnaryOperator>(e);
        const auto *b = dyn_cast<BinaryOperator>(e);
        if (c && llvm::is_contained({CK_LValueToRValue, CK_NoOp, CK_BitCast, CK_ArrayToPointerDecay}, c->getCastKind())) {
            is_value |= c->getCastKind() == CK_LValueToRValue;
            e = c->getSubExpr();
        } else if (s && !is_value) {
            e = s->getBase();
        } else if (u && (u->isIncrementDecrementOp() || (u->getOpcode() == UO_Deref && !is_value))) {
            is_value |= u->isIncrementDecrementOp();
            e = u->getSubExpr();
        } else if (b && b->isAdditiveOp() && b->getType()->isPointerType()) {
            e = b->getLHS()->getType()->isPointerType() ? b->getLHS() : b->getRHS();
        } else {
            return isa<DeclRefExpr>(e) ? as_variable(e) : nullptr;
        }
    }
}

// C++ has further lvalues, of which the scan knows nothing.
bool Changes::is_place(const Expr *e)
{
    const auto *u = dyn_cast<UnaryOperator>(e);
    return isa<DeclRefExpr>(e) || isa<MemberExpr>(e) || isa<ArraySubscriptExpr>(e) ||
           (u && (u->getOpcode() == UO_Deref || u->isIncrementDecrementOp()));
}

void Changes::store(const Expr *target)
{
    target = target->IgnoreParens();
    is_known &= is_place(target);
    const VarDecl *var = base(target);
    if (!var)
        calls = true;
    else if (!isa<DeclRefExpr>(target)) // that one the scan has
        stored.insert(var);
}

// Numbers and strings, sums, comparisons, loads, stores and calls. Other threads may change memory where something volatile or atomic
// is read.
void Changes::visit(const Stmt *s)
{
    if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(s)) {
        is_known &= !size->getTypeOfArgument()->isVariablyModifiedType();
        return;
    }
    if (const auto *u = dyn_cast<UnaryOperator>(s)) {
        if (u->isIncrementDecrementOp())
            store(u->getSubExpr());
    } else if (const auto *b = dyn_cast<BinaryOperator>(s)) {
        if (b->isAssignmentOp())
            store(b->getLHS());
    } else if (const auto *call = dyn_cast<CallExpr>(s)) {
        const FunctionDecl *fd = call->getDirectCallee();
        calls |= !fd || !(fd->hasAttr<ConstAttr>() || fd->hasAttr<PureAttr>());
    } else if (const auto *c = dyn_cast<CastExpr>(s)) {
        const QualType from = c->getSubExpr()->getType();
        calls |= from->isAtomicType() || c->getType()->isAtomicType();
        calls |= c->getCastKind() == CK_LValueToRValue && from.isVolatileQualified();
    } else {
        is_known &= isa<DeclRefExpr>(s) || isa<MemberExpr>(s) || isa<ArraySubscriptExpr>(s) || isa<ParenExpr>(s) ||
                    isa<AbstractConditionalOperator>(s) || isa<OpaqueValueExpr>(s) || isa<ConstantExpr>(s) || isa<IntegerLiteral>(s) ||
                    isa<FloatingLiteral>(s) || isa<CharacterLiteral>(s) || isa<StringLiteral>(s) || isa<CXXBoolLiteralExpr>(s);
    }
    for (const Stmt *kid : s->children())
        if (kid)
            visit(kid);
}

} // namespace mikgen
