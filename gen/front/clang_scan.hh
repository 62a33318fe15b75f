/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/spec_clang.cc: what a function of source-to-source mode does with its variables, seen before any
// of it is built: which are written, whose address escapes, what could leave the function in an unusual way.
#ifndef MIKGEN_GEN_CLANG_SCAN_HH
#define MIKGEN_GEN_CLANG_SCAN_HH

#include <vector>

#include "gen/front/clang_builder.hh"

namespace
{

class Scan
{
  public:
    struct Finding {
        Refusal why;
        SourceRange range;
        std::string name;
    };
    bool has_loop = false;
    llvm::DenseSet<const VarDecl *> written; // scalars and pointers
    llvm::DenseSet<const VarDecl *> escaped; // something else may reach the object from here on
    std::vector<Finding> findings;           // faults if the function is to be kept in trees

    explicit Scan(const Stmt *s)
    {
        if (s)
            visit(s);
    }

  private:
    // The variable whose object an lvalue is in, unless a pointer leads there.
    static const VarDecl *object(const Expr *e)
    {
        for (e = e->IgnoreParens();; e = e->IgnoreParens()) {
            if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
                e = bare(s->getBase());
            else if (const auto *m = dyn_cast<MemberExpr>(e); m && !m->isArrow())
                e = m->getBase();
            else
                break;
        }
        return as_variable(e);
    }

    void write(const Expr *target, SourceRange range)
    {
        const VarDecl *var = as_variable(target->IgnoreParens());
        if (!var)
            return;
        written.insert(var);
        if (var->getType()->isPointerType() && !var->isLocalVarDecl())
            findings.push_back({R_KEEP_POINTER_CHANGE, range, var->getNameAsString()});
    }

    void escape(const Expr *e, SourceRange range)
    {
        if (const VarDecl *var = object(e); var && !var->getType()->isPointerType())
            escaped.insert(var);
        write(e, range);
    }

    // Without loops and jumps to other places, which need trees: text does for the rest.
    static bool stays_inside(const Stmt *s)
    {
        if (isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s) || isa<ContinueStmt>(s) || isa<ReturnStmt>(s))
            return false;
        return llvm::all_of(s->children(), [](const Stmt *kid) { return !kid || stays_inside(kid); });
    }

    void visit_kids(const Stmt *s)
    {
        for (const Stmt *kid : s->children())
            if (kid)
                visit(kid);
    }

    // An array below a subscript does not escape.
    void visit_subscript(const ArraySubscriptExpr *s)
    {
        visit(s->getIdx());
        const Expr *base = bare(s->getBase());
        if (const auto *inner = dyn_cast<ArraySubscriptExpr>(base))
            visit_subscript(inner);
        else if (!isa<DeclRefExpr>(base))
            visit(s->getBase());
    }

    void visit_asm(const GCCAsmStmt *s)
    {
        for (unsigned i = 0; i < s->getNumOutputs(); i++)
            escape(s->getOutputExpr(i), s->getOutputExpr(i)->getSourceRange());
        if (s->isAsmGoto())
            findings.push_back({R_GOTO, s->getBeginLoc(), ""});
    }

    void visit(const Stmt *s)
    {
        const auto *once = dyn_cast<DoStmt>(s); // do { ... } while (0) is how macros are written
        const auto *zero = once ? dyn_cast<IntegerLiteral>(bare(once->getCond())) : nullptr;
        has_loop |= isa<ForStmt>(s) || isa<WhileStmt>(s) || (once && !(zero && zero->getValue() == 0));
        if (const auto *sub = dyn_cast<ArraySubscriptExpr>(s))
            return visit_subscript(sub);
        if (const auto *u = dyn_cast<UnaryOperator>(s)) {
            if (u->isIncrementDecrementOp())
                write(u->getSubExpr(), u->getSourceRange());
            if (u->getOpcode() == UO_AddrOf)
                escape(u->getSubExpr(), u->getSourceRange());
        } else if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
            write(b->getLHS(), b->getSourceRange());
        } else if (const auto *c = dyn_cast<CastExpr>(s); c && c->getCastKind() == CK_ArrayToPointerDecay) {
            if (const VarDecl *var = object(c->getSubExpr()))
                escaped.insert(var);
        } else if (isa<GotoStmt>(s) || isa<IndirectGotoStmt>(s)) {
            findings.push_back({R_GOTO, s->getBeginLoc(), ""});
        } else if (isa<LabelStmt>(s)) {
            findings.push_back({R_LABEL, s->getBeginLoc(), ""});
        } else if (isa<SwitchStmt>(s)) {
            if (!stays_inside(s))
                findings.push_back({R_KEEP_SWITCH, s->getBeginLoc(), ""});
        } else if (isa<StmtExpr>(s)) {
            findings.push_back({R_STMT_EXPR, s->getBeginLoc(), ""});
        } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
            visit_asm(a);
        }
        visit_kids(s);
    }
};

} // namespace

#endif
