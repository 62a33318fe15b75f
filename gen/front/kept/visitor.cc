/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/kept/visitor.hh"

#include "clang/AST/RecursiveASTVisitor.h"

namespace mikgen
{

namespace
{

struct Walker : RecursiveASTVisitor<Walker> {
    Visitor *to;
    explicit Walker(Visitor *to) : to(to) {}
    bool VisitStmt(Stmt *s) { return to->visit(s); }
    bool VisitDecl(Decl *d) { return to->visit(d); }
    bool VisitTypeLoc(TypeLoc type) { return to->visit(type); }

    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *e)
    {
        return inside(&RecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr, e, nullptr);
    }
    bool TraverseGenericSelectionExpr(GenericSelectionExpr *e)
    {
        return inside(&RecursiveASTVisitor::TraverseGenericSelectionExpr, e, nullptr);
    }
    bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc type) { return inside(&RecursiveASTVisitor::TraverseTypeOfExprTypeLoc, type); }

  private:
    template <class Traverse, class... Args> bool inside(Traverse traverse, Args... args)
    {
        to->unevaluated++;
        const bool goes_on = (this->*traverse)(args...);
        to->unevaluated--;
        return goes_on;
    }
};

} // namespace

void Visitor::walk(const Stmt *s) { Walker(this).TraverseStmt(const_cast<Stmt *>(s)); }

void Visitor::walk(const Decl *d) { Walker(this).TraverseDecl(const_cast<Decl *>(d)); }

} // namespace mikgen
