/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/tree/suggest.hh"

#include "gen/front/tree/queries.hh"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

std::string Suggest::text(SourceRange range) const
{
    return Lexer::getSourceText(CharSourceRange::getTokenRange(range), context.getSourceManager(), context.getLangOpts()).str();
}

std::string Suggest::declaration(const ParmVarDecl *param) const
{
    const auto *f = dyn_cast_or_null<FunctionDecl>(param->getDeclContext());
    const ArraySubscriptExpr *use = f && f->getBody() ? first_use(f->getBody(), param) : nullptr;
    if (!use)
        return "";
    std::string extents, instead;
    const auto *sum = dyn_cast<BinaryOperator>(bare(use->getIdx()));
    const auto *rows = sum && sum->getOpcode() == BO_Add ? dyn_cast<BinaryOperator>(bare(sum->getLHS())) : nullptr;
    if (rows && rows->getOpcode() == BO_Mul) { // i * lda + j
        const std::string first = bound(f->getBody(), rows->getLHS());
        if (first.empty() || !is_of_parameters(rows->getRHS()))
            return "";
        extents = "[" + first + "][" + text(rows->getRHS()) + "]";
        instead = param->getNameAsString() + "[" + text(rows->getLHS()) + "][" + text(sum->getRHS()) + "]";
    } else {
        const std::string first = bound(f->getBody(), use->getIdx());
        if (first.empty())
            return "";
        extents = "[" + first + "]";
    }
    QualType elem = param->getType()->getPointeeType();
    if (elem->isPointerType() && instead.empty()) { // lines by themselves: one array with two extents
        const std::string second = bound(f->getBody(), whole_use(f->getBody(), param)->getIdx());
        elem = elem->getPointeeType();
        if (second.empty() || elem->isPointerType())
            return "";
        extents += "[" + second + "]";
    }
    while (const ArrayType *a = context.getAsArrayType(elem)) {
        extents += "[" + size_of(a) + "]";
        elem = a->getElementType();
    }
    std::string help = "write '" + elem.getAsString(context.getPrintingPolicy()) + " " + param->getNameAsString() + extents + "'";
    std::string between = ", with '";
    for (const ParmVarDecl *p : f->parameters())
        if (llvm::is_contained(named, p) && p->getFunctionScopeIndex() > param->getFunctionScopeIndex()) {
            help += between + p->getType().getAsString(context.getPrintingPolicy()) + " " + p->getNameAsString();
            between = ", ";
        }
    help += between == ", " ? "' before it" : "";
    return instead.empty() ? help : help + ", and '" + instead + "' instead of '" + text(use) + "'";
}

std::string Suggest::one_element(const ParmVarDecl *param) const
{
    const auto *f = dyn_cast_or_null<FunctionDecl>(param->getDeclContext());
    const QualType pointee = param->getType()->getPointeeType();
    bool is_written = false;
    if (!f || !f->getBody() || !is_dereferenced(f->getBody(), param, &is_written) || pointee->isPointerType())
        return "";
    const std::string name = param->getNameAsString(), type = pointee.getUnqualifiedType().getAsString(context.getPrintingPolicy());
    if (!f->isExternallyVisible()) // calls of a helper have an element
        return "write 'int n, " + type + " " + name + "[n], int at', and '" + name + "[at]' instead of '*" + name + "'";
    const char *extent = is_written ? "[1]" : "", *element = is_written ? "[0]" : "";
    return "write '" + type + " " + name + extent + "', and '" + name + element + "' instead of '*" + name + "'";
}

std::string Suggest::row_itself(const VarDecl *var) const
{
    const Expr *init = var->getInit() ? bare(var->getInit()) : nullptr;
    const auto *sum = dyn_cast_or_null<BinaryOperator>(init);
    const std::string instead = "[j]' instead of '" + var->getNameAsString() + "[j]'";
    if (sum && sum->getOpcode() == BO_Add && as_variable(sum->getLHS()))
        return "write '" + text(sum->getLHS()) + "[" + text(sum->getRHS()) + " + j]' instead of '" + var->getNameAsString() + "[j]'";
    return init && isa<ArraySubscriptExpr>(init) ? "write '" + text(init) + instead : "";
}

std::string Suggest::array_and_subscript(const Expr *e) const
{
    const auto *a = dyn_cast<ArraySubscriptExpr>(e);
    return a ? "pass '" + text(a->getBase()) + "' and '" + text(a->getIdx()) + "' by themselves, and let the function use '" + text(a) + "'"
             : "";
}

std::string Suggest::labels(const CaseStmt *c) const
{
    const llvm::APSInt first = c->getLHS()->EvaluateKnownConstInt(context), last = c->getRHS()->EvaluateKnownConstInt(context);
    std::string all;
    for (llvm::APSInt n = first; n <= last && (n - first).getZExtValue() < 8; ++n)
        all += std::string(all.empty() ? "" : " ") + "case " + std::to_string(n.getExtValue()) + ":";
    return last < first || (last - first).getZExtValue() >= 8 ? "" : "write '" + all + "'";
}

std::string Suggest::in_front(const Expr *e) const
{
    const auto *u = dyn_cast<UnaryOperator>(e);
    if (e->getBeginLoc().isMacroID())
        return "";
    if (u && u->isPostfix())
        return "write '" + e->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy()) + " old = " + text(e) +
               ";' in front of this statement, and 'old' here";
    const Expr *target = u ? u->getSubExpr() : llvm::cast<BinaryOperator>(e)->getLHS();
    return "write '" + text(e) + ";' in front of this statement, and '" + text(target) + "' here";
}

const ArraySubscriptExpr *Suggest::first_use(const Stmt *s, const ParmVarDecl *param)
{
    if (const auto *a = dyn_cast<ArraySubscriptExpr>(s); a && as_variable(a->getBase()) == param)
        return a;
    for (const Stmt *kid : s->children())
        if (const ArraySubscriptExpr *a = kid ? first_use(kid, param) : nullptr)
            return a;
    return nullptr;
}

// The outermost of the subscripts behind `param`.
const ArraySubscriptExpr *Suggest::whole_use(const Stmt *s, const ParmVarDecl *param)
{
    const auto *whole = dyn_cast<ArraySubscriptExpr>(s);
    const Expr *base = whole ? bare(whole->getBase()) : nullptr;
    while (const auto *a = dyn_cast_or_null<ArraySubscriptExpr>(base))
        base = bare(a->getBase());
    if (base && as_variable(base) == param)
        return whole;
    for (const Stmt *kid : s->children())
        if (const ArraySubscriptExpr *a = kid ? whole_use(kid, param) : nullptr)
            return a;
    return nullptr;
}

bool Suggest::is_dereferenced(const Stmt *s, const ParmVarDecl *param, bool *is_written)
{
    const auto target = [=](const Expr *e) {
        const auto *u = dyn_cast<UnaryOperator>(bare(e));
        return u && u->getOpcode() == UO_Deref && as_variable(u->getSubExpr()) == param;
    };
    const auto *b = dyn_cast<BinaryOperator>(s);
    const auto *u = dyn_cast<UnaryOperator>(s);
    bool found = dyn_cast<Expr>(s) && target(llvm::cast<Expr>(s));
    *is_written |= (b && b->isAssignmentOp() && target(b->getLHS())) || (u && u->isIncrementDecrementOp() && target(u->getSubExpr()));
    for (const Stmt *kid : s->children())
        found |= kid && is_dereferenced(kid, param, is_written);
    return found;
}

bool Suggest::is_of_parameters(const Stmt *s) const
{
    if (isa<CallExpr>(s) || isa<ArraySubscriptExpr>(s) || isa<StringLiteral>(s))
        return false;
    if (const auto *ref = dyn_cast<DeclRefExpr>(s)) {
        const auto *param = dyn_cast<ParmVarDecl>(ref->getDecl());
        if (!isa<EnumConstantDecl>(ref->getDecl()) && !(param && param->getType()->isIntegerType()))
            return false;
        if (param)
            named.push_back(param);
    }
    return llvm::all_of(s->children(), [this](const Stmt *kid) { return !kid || is_of_parameters(kid); });
}

// What subscript `e`, the variable of a loop below `s` or a constant, stays below; "" if that is not to be seen.
std::string Suggest::bound(const Stmt *s, const Expr *e) const
{
    Expr::EvalResult value;
    if (e->EvaluateAsInt(value, context))
        return std::to_string(value.Val.getInt().getSExtValue() + 1);
    const VarDecl *var = as_variable(e);
    return var ? bound_of_loop(s, var) : "";
}

std::string Suggest::bound_of_loop(const Stmt *s, const VarDecl *var) const
{
    const auto *loop = dyn_cast<ForStmt>(s);
    const auto *b = loop && loop->getCond() ? dyn_cast<BinaryOperator>(bare(loop->getCond())) : nullptr;
    if (b && b->isComparisonOp() && as_variable(b->getLHS()) == var && is_of_parameters(b->getRHS())) {
        if (b->getOpcode() == BO_LT || b->getOpcode() == BO_NE)
            return text(b->getRHS());
        if (b->getOpcode() == BO_LE)
            return text(b->getRHS()) + " + 1";
    }
    for (const Stmt *kid : s->children())
        if (std::string found = kid ? bound_of_loop(kid, var) : ""; !found.empty())
            return found;
    return "";
}

std::string Suggest::bits_as(QualType to) const
{
    return "the bits of a number are not had as another type: pass the array as one of '" +
           to.getUnqualifiedType().getAsString(context.getPrintingPolicy()) + "', too, where the caller has both";
}

std::string Suggest::choice(const ConditionalOperator *arrays, ArrayRef<const Expr *> subscripts) const
{
    std::string behind;
    for (const Expr *e : subscripts)
        behind = "[" + text(e) + "]" + behind;
    return "choose an element: '" + text(arrays->getCond()) + " ? " + text(arrays->getTrueExpr()) + behind + " : " +
           text(arrays->getFalseExpr()) + behind + "'; where it is assigned, by 'if' and 'else'";
}

std::string Suggest::size_of(const ArrayType *a) const
{
    if (const auto *c = dyn_cast<ConstantArrayType>(a))
        return std::to_string(c->getSize().getSExtValue());
    const auto *v = dyn_cast<VariableArrayType>(a);
    return v && v->getSizeExpr() ? text(v->getSizeExpr()) : "";
}

} // namespace mikgen
