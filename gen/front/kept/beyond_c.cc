/* SPDX-License-Identifier: GPL-3.0-or-later */
// What of C++ source-to-source mode does not take. CUDA is C++, and most kernels are C in its words:
// those become trees; a function with anything in which C++ does more than its C spelling says stays as it is.

#include "gen/front/kept/beyond_c.hh"

#include "gen/front/kept/visitor.hh"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace mikgen
{

class BeyondC : public Visitor
{
  public:
    std::optional<BeyondCFinding> found;

    bool visit(const Decl *d) override
    {
        const auto *var = dyn_cast<VarDecl>(d);
        if (!var)
            return true;
        if (isa<DecompositionDecl>(var))
            return stop(var->getSourceRange(), "a structured binding");
        return !var->getType()->isReferenceType() || stop(var->getSourceRange(), "a reference");
    }

    bool visit(const Stmt *s) override
    {
        if (const char *what = word_of(s))
            return stop(s->getSourceRange(), what);
        if (const auto *e = dyn_cast<DeclRefExpr>(s))
            return is_c_name(e);
        if (const auto *e = dyn_cast<CXXConstructExpr>(s))
            return is_c_copy(e);
        if (const auto *e = dyn_cast<CallExpr>(s))
            return is_c_call(e);
        if (isa<LabelStmt>(s)) // no jump may pass an initialisation
            return stop(s->getBeginLoc(), "a label");
        const auto *choice = dyn_cast<SwitchStmt>(s);
        const auto *branch = dyn_cast<IfStmt>(s);
        const auto *loop = dyn_cast<WhileStmt>(s);
        const auto *counted = dyn_cast<ForStmt>(s);
        const bool declares = (choice && (choice->hasVarStorage() || choice->hasInitStorage())) ||
                              (branch && (branch->hasVarStorage() || branch->hasInitStorage() || branch->isConstexpr())) ||
                              (loop && loop->hasVarStorage()) || (counted && counted->getConditionVariable());
        return !declares || stop(s->getBeginLoc(), "a declaration in a condition");
    }

  private:
    bool is_c_name(const DeclRefExpr *e)
    {
        if (e->hasQualifier())
            return stop(e->getSourceRange(), "a name with '::'");
        return !e->hasExplicitTemplateArgs() || stop(e->getSourceRange(), "template arguments");
    }

    // Copies of structs that are their bytes are what they are in C.
    bool is_c_copy(const CXXConstructExpr *e)
    {
        const CXXConstructorDecl *called = e->getConstructor();
        const bool is_c = called->isTrivial() && (called->isCopyOrMoveConstructor() || called->isDefaultConstructor());
        return is_c || stop(e->getSourceRange(), "a constructor");
    }

    bool is_c_call(const CallExpr *e)
    {
        if (isa<CXXMemberCallExpr>(e))
            return stop(e->getSourceRange(), "a call of a member function");
        const FunctionDecl *fd = e->getDirectCallee();
        const auto *method = dyn_cast_or_null<CXXMethodDecl>(fd);
        if (isa<CXXOperatorCallExpr>(e) || isa<UserDefinedLiteral>(e))
            return (method && method->isTrivial()) || stop(e->getSourceRange(), "an operator of its own");
        for (unsigned i = 0; fd && i < fd->getNumParams(); i++)
            if (fd->getParamDecl(i)->getType()->isReferenceType())
                return stop(e->getSourceRange(), "an argument by reference");
        return true;
    }

    // What C has no word for; nullptr: none of these.
    static const char *word_of(const Stmt *s)
    {
        switch (s->getStmtClass()) {
        case Stmt::LambdaExprClass: return "a lambda";
        case Stmt::CXXForRangeStmtClass: return "a loop over a range";
        case Stmt::CXXTryStmtClass: return "try";
        case Stmt::CXXThrowExprClass: return "throw";
        case Stmt::CXXNewExprClass: return "new";
        case Stmt::CXXDeleteExprClass: return "delete";
        case Stmt::CXXThisExprClass: return "this";
        case Stmt::CXXDynamicCastExprClass: return "dynamic_cast";
        case Stmt::CXXTypeidExprClass: return "typeid";
        case Stmt::MaterializeTemporaryExprClass: return "a temporary object";
        case Stmt::CXXBindTemporaryExprClass: return "an object with a destructor";
        case Stmt::CoroutineBodyStmtClass: return "a coroutine";
        default: return nullptr;
        }
    }

    bool stop(SourceRange range, const char *what)
    {
        found = {range, what};
        return false;
    }
};

std::optional<BeyondCFinding> beyond_c(const FunctionDecl *fd)
{
    if (fd->isTemplated())
        return BeyondCFinding{fd->getLocation(), "a template"};
    if (isa<CXXMethodDecl>(fd))
        return BeyondCFinding{fd->getLocation(), "a member function"};
    BeyondC visitor;
    visitor.walk(fd);
    return visitor.found;
}

} // namespace mikgen
