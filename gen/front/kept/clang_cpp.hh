/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: what of C++ source-to-source mode does not take. CUDA is C++, and most kernels are C in its words:
// those become trees; a function with anything in which C++ does more than its C spelling says stays as it is.
#ifndef MIKGEN_GEN_FRONT_KEPT_CLANG_CPP_HH
#define MIKGEN_GEN_FRONT_KEPT_CLANG_CPP_HH

#include <optional>

#include "gen/front/tree/clang_errors.hh"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"

namespace
{

class BeyondC : public RecursiveASTVisitor<BeyondC>
{
  public:
    struct Finding {
        SourceRange range;
        std::string what;
    };

    // The first such thing in a function, its parameters included.
    static std::optional<Finding> find(const FunctionDecl *fd)
    {
        if (fd->isTemplated())
            return Finding{fd->getLocation(), "a template"};
        if (isa<CXXMethodDecl>(fd))
            return Finding{fd->getLocation(), "a member function"};
        BeyondC visitor;
        visitor.TraverseDecl(const_cast<FunctionDecl *>(fd));
        return visitor.found;
    }

    bool VisitVarDecl(VarDecl *var)
    {
        if (isa<DecompositionDecl>(var))
            return stop(var->getSourceRange(), "a structured binding");
        return !var->getType()->isReferenceType() || stop(var->getSourceRange(), "a reference");
    }

    bool VisitDeclRefExpr(DeclRefExpr *e)
    {
        if (e->hasQualifier())
            return stop(e->getSourceRange(), "a name with '::'");
        return !e->hasExplicitTemplateArgs() || stop(e->getSourceRange(), "template arguments");
    }

    // Copies of structs that are their bytes are what they are in C.
    bool VisitCXXConstructExpr(CXXConstructExpr *e)
    {
        const CXXConstructorDecl *called = e->getConstructor();
        const bool is_c = called->isTrivial() && (called->isCopyOrMoveConstructor() || called->isDefaultConstructor());
        return is_c || stop(e->getSourceRange(), "a constructor");
    }

    bool VisitCallExpr(CallExpr *e)
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

    bool VisitLabelStmt(LabelStmt *s) { return stop(s->getBeginLoc(), "a label"); } // no jump may pass an initialisation
    bool VisitSwitchStmt(SwitchStmt *s) { return plain(s, s->hasVarStorage() || s->hasInitStorage()); }
    bool VisitIfStmt(IfStmt *s) { return plain(s, s->hasVarStorage() || s->hasInitStorage() || s->isConstexpr()); }
    bool VisitWhileStmt(WhileStmt *s) { return plain(s, s->hasVarStorage()); }
    bool VisitForStmt(ForStmt *s) { return plain(s, s->getConditionVariable() != nullptr); }

    bool VisitStmt(Stmt *s)
    {
        const char *what = word_of(s);
        return !what || stop(s->getSourceRange(), what);
    }

  private:
    std::optional<Finding> found;

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

    bool plain(const Stmt *s, bool declares) { return !declares || stop(s->getBeginLoc(), "a declaration in a condition"); }

    bool stop(SourceRange range, const char *what)
    {
        found = {range, what};
        return false;
    }
};

} // namespace

#endif
