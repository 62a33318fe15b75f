/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/kept/scan.hh"

#include "gen/front/tree/queries.hh"

namespace mikgen
{

bool is_real_loop(const Stmt *s)
{
    const auto *once = dyn_cast<DoStmt>(s);
    const auto *zero = once ? dyn_cast<IntegerLiteral>(bare(once->getCond())) : nullptr;
    return isa<ForStmt>(s) || isa<WhileStmt>(s) || (once && !(zero && zero->getValue() == 0));
}

Scan::Scan(const Stmt *s)
{
    if (s)
        visit(s);
    find_entries();
}

// The variable whose object an lvalue is in, unless a pointer leads there.
const VarDecl *Scan::object(const Expr *e)
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

void Scan::write(const Expr *target)
{
    const VarDecl *var = as_variable(target->IgnoreParens());
    if (!var)
        return;
    written.insert(var);
    has_pointers |= var->getType()->isPointerType();
}

void Scan::escape(const Expr *e)
{
    if (const VarDecl *var = object(e); var && !var->getType()->isPointerType())
        escaped.insert(var);
    write(e);
}

void Scan::visit_kids(const Stmt *s)
{
    for (const Stmt *kid : s->children())
        if (kid)
            visit(kid);
}

// An array below a subscript does not escape, and no value of a pointer goes anywhere.
void Scan::visit_subscript(const ArraySubscriptExpr *s)
{
    visit(s->getIdx());
    visit_place(s->getBase());
}

// *(p + i) is p[i].
void Scan::visit_sum(const BinaryOperator *sum)
{
    const bool pointer_first = sum->getLHS()->getType()->isPointerType();
    visit_place(pointer_first ? sum->getLHS() : sum->getRHS());
    visit(pointer_first ? sum->getRHS() : sum->getLHS());
}

void Scan::visit_place(const Expr *e)
{
    const Expr *base = bare(e);
    if (const auto *inner = dyn_cast<ArraySubscriptExpr>(base))
        visit_subscript(inner);
    else if (const auto *member = dyn_cast<MemberExpr>(base))
        visit_place(member->getBase());
    else if (const auto *sum = dyn_cast<BinaryOperator>(base); sum && sum->getOpcode() == BO_Add && sum->getType()->isPointerType())
        visit_sum(sum);
    else if (!isa<DeclRefExpr>(base))
        visit(e);
}

void Scan::visit_call(const CallExpr *c)
{
    visit(c->getCallee());
    for (const Expr *arg : c->arguments())
        if (const VarDecl *var = as_variable(arg); var && var->getType()->isPointerType())
            passed.insert(var);
        else
            visit(arg);
    const FunctionDecl *fd = c->getDirectCallee();
    if (fd && fd->getDeclName().isIdentifier() && fd->getName().ends_with("setjmp"))
        findings.push_back({R_KEEP_SETJMP, c->getSourceRange(), fd->getNameAsString()});
}

void Scan::visit_loop(const Stmt *s)
{
    loops.push_back(s);
    visit_kids(s);
    loops.pop_back();
}

// What a goto from outside leads to inside a loop would find nothing of what has moved in front of that.
void Scan::find_entries()
{
    for (const auto &[target, around] : gotos) {
        const LabelStmt *label = target->getStmt();
        const auto place = labels.find(target);
        if (place == labels.end() || !place->second || llvm::is_contained(around, place->second))
            continue;
        findings.push_back({R_KEEP_LABEL, label->getBeginLoc(), label->getName()});
        labels.erase(place);
    }
}

void Scan::visit_asm(const GCCAsmStmt *s)
{
    for (unsigned i = 0; i < s->getNumOutputs(); i++)
        escape(s->getOutputExpr(i));
    if (s->isAsmGoto())
        findings.push_back({R_GOTO, s->getBeginLoc(), ""});
    visit_kids(s);
}

void Scan::visit_unary(const UnaryOperator *u)
{
    if (u->isIncrementDecrementOp())
        write(u->getSubExpr());
    if (u->getOpcode() == UO_AddrOf)
        escape(u->getSubExpr());
    if (u->getOpcode() == UO_Deref)
        visit_place(u->getSubExpr());
    else
        visit_kids(u);
}

void Scan::visit_label(const LabelStmt *l)
{
    has_label = true;
    labels[l->getDecl()] = loops.empty() ? nullptr : loops.back();
    visit_kids(l);
}

void Scan::visit_declaration(const DeclStmt *d)
{
    for (const Decl *decl : d->decls())
        if (const auto *var = dyn_cast<VarDecl>(decl))
            has_pointers |= var->getType()->isPointerType();
    visit_kids(d);
}

void Scan::visit(const Stmt *s)
{
    has_loop |= is_real_loop(s);
    if (isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s)) // what moves stands in front of do { ... } while (0), too
        return visit_loop(s);
    if (const auto *jump = dyn_cast<GotoStmt>(s))
        gotos.push_back({jump->getLabel(), loops});
    if (const auto *sub = dyn_cast<ArraySubscriptExpr>(s))
        return visit_subscript(sub);
    if (const auto *u = dyn_cast<UnaryOperator>(s))
        return visit_unary(u);
    if (const auto *call = dyn_cast<CallExpr>(s))
        return visit_call(call);
    if (const auto *label = dyn_cast<LabelStmt>(s))
        return visit_label(label);
    if (const auto *d = dyn_cast<DeclStmt>(s))
        return visit_declaration(d);
    if (const auto *a = dyn_cast<GCCAsmStmt>(s))
        return visit_asm(a);
    if (const auto *m = dyn_cast<MemberExpr>(s))
        return visit_place(m->getBase());
    if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
        write(b->getLHS());
        if (as_variable(b->getLHS()->IgnoreParens())) // written, and not read
            return visit(b->getRHS());
    } else if (const auto *c = dyn_cast<CastExpr>(s)) {
        const VarDecl *var = c->getCastKind() == CK_ArrayToPointerDecay ? object(c->getSubExpr()) : nullptr;
        if (var)
            escaped.insert(var);
    } else if (isa<IndirectGotoStmt>(s)) {
        findings.push_back({R_GOTO, s->getBeginLoc(), ""});
    } else if (const VarDecl *var = isa<DeclRefExpr>(s) ? as_variable(llvm::cast<DeclRefExpr>(s)) : nullptr;
               var && var->getType()->isPointerType()) {
        valued.insert(var);
    }
    visit_kids(s);
}

} // namespace mikgen
