/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/spec_clang.cc: the builder of our tree from Clang's, its state and its parts.
//
// Builder walks Clang's syntax tree once and makes ours, bottom-up. What is outside the subset is noted as a
// fault of Front at its place and yields nullptr, which travels up to the enclosing statement; the walk goes on
// with the next one.
#ifndef MIKGEN_GEN_CLANG_BUILDER_HH
#define MIKGEN_GEN_CLANG_BUILDER_HH

#include <cstdlib>
#include <string>
#include <utility>

#include "gen/front/clang_errors.hh"
#include "gen/front/jumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace
{

// Deeper trees than this are refused, so that no later pass can run out of stack.
const int kMaxDepth = 2000;

const Expr *bare(const Expr *e) { return e->IgnoreParenImpCasts(); }

const VarDecl *as_variable(const Expr *e)
{
    const auto *ref = dyn_cast<DeclRefExpr>(bare(e));
    return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}
bool is_deref(const Expr *e)
{
    const auto *u = dyn_cast<UnaryOperator>(e);
    return u && u->getOpcode() == UO_Deref;
}

// A full expression that is evaluated once, whenever its statement is: assignments inside of it can become
// statements of their own, `a = b = c` for example { b = c; a = b; }.
struct Sequence {
    const Expr *whole;                        // nullptr: a place where they cannot
    Vec *before;                              // where those statements go
    Vec *after;                               // the same for i++, whose value is the old one; may be nullptr
    llvm::DenseMap<const Expr *, Node *> done{}; // what stands for them; nullptr after a fault
};

// One side of a comma in the first part of a loop: a declaration, or `var = start`; something else has no var.
struct LoopStart {
    const VarDecl *var;
    const Expr *start, *whole; // whole: nullptr for a declaration
};

// The head of a loop, taken apart at its commas; what concerns its counter is starts[counter] and steps[step].
struct LoopHead {
    SmallVector<LoopStart, 2> starts;
    SmallVector<const Expr *, 2> steps;
    size_t counter = 0, step = 0;
};

class Builder
{
  public:
    Builder(Front *front, ASTContext &context) : front(front), ir(front->ir), context(context), sm(context.getSourceManager()) {}

    virtual ~Builder() = default;

    void translation_unit();

  protected:
    Front *front;
    Ir *ir;
    ASTContext &context;
    const SourceManager &sm;
    llvm::DenseMap<const Decl *, Sym *> symbols;         // nullptr: its declaration was refused
    llvm::DenseMap<const FunctionDecl *, Sym *> helpers; // nullptr: refused
    llvm::DenseMap<const FunctionDecl *, bool> building; // open, to find recursion
    Refusal effect = R_EFFECT_VALUE;                     // what a side effect at this place is called
    Sequence *sequence = nullptr;                        // the full expression that is being built
    Sym *returned = nullptr;                             // where the value of the operator that is being built goes
    bool never_in_front = false;                         // what is built is not evaluated exactly once when its statement is
    int depth = 0;
    bool found_deep = false, found_struct = false;
    bool keeps = false;    // source-to-source mode: objects may be volatile, and outer extents unknown
    int faults_before = 0; // those of earlier statements

    // Places and faults.
    Loc at(SourceRange range) { return place(front, sm, context.getLangOpts(), range); }
    Loc at(const Expr *e) { return at(e->getSourceRange()); }
    std::nullptr_t no(Refusal why, SourceRange range, const std::string &name = "")
    {
        if (why == R_DEEP || why == R_STRUCT) { // once is enough: what follows from the first is everywhere
            bool &known = why == R_DEEP ? found_deep : found_struct;
            if (known)
                return nullptr;
            known = true;
        }
        refuse(front, why, at(range), name);
        return nullptr;
    }
    // `help` says what to write instead; "": the refusal's own help does.
    std::nullptr_t no_but(const std::string &help, Refusal why, SourceRange range, const std::string &name = "")
    {
        no(why, range, name);
        helped(help);
        return nullptr;
    }
    // The same of the last fault.
    void helped(const std::string &help)
    {
        if (!help.empty() && front->faults.count)
            static_cast<Fault *>(front->faults.items[front->faults.count - 1])->help = arena_strndup(ir->arena, help.data(), help.size());
    }

    // No tree without a fault: what has none of its own gets one here.
    virtual std::nullptr_t lost(const Expr *e)
    {
        return front->faults.count > faults_before ? nullptr : no(R_EXPR, e->getSourceRange(), e->getStmtClassName());
    }

    // Types.
    bool scalar_type(QualType type, Type *out);
    bool value_type(QualType type, SourceRange range, Type *out);
    const char *standard_spelling(QualType type);

    // Declarations.
    bool array_extents(QualType type, const ParmVarDecl *param, SourceRange range, SmallVectorImpl<Node *> &extents, QualType *elem);
    Sym *parameter(const ParmVarDecl *param);
    std::string kept_by_caller(const VarDecl *var);
    void local(const VarDecl *var, Vec *out);
    Sym *place_of_value(Func *f, QualType type);
    Func *function(const FunctionDecl *fd, bool is_helper);
    Sym *helper(const FunctionDecl *fd, SourceRange use);
    void global(const VarDecl *var);

    // Expressions; nullptr after a fault.
    Node *make(Kind kind, Type type, Sym *sym, ArrayRef<Node *> kids, const Expr *e)
    {
        for (Node *kid : kids)
            if (!kid)
                return nullptr;
        return mk_expr(ir, kind, type, sym, (int)kids.size(), kids.data(), at(e));
    }
    Node *expr(const Expr *e);
    virtual Node *expr_below(const Expr *e);
    Node *in_context(Refusal side_effect, const Expr *e);
    Node *full_expr(const Expr *e, const Expr *whole, Vec *before, Vec *after);
    Node *sometimes(Refusal side_effect, const Expr *e);
    Node *perhaps(const Expr *e);
    Node *effect_value(const Expr *e, const Expr *target);
    Node *integer(Type type, const llvm::APSInt &value)
    {
        return mk_int(ir, type, value.isSigned() ? value.getSExtValue() : (int64_t)value.getZExtValue());
    }
    Node *floating(Type type, const llvm::APFloat &value);
    Node *folded(const Expr *e);
    virtual Node *reference(const DeclRefExpr *e);
    Node *element(const Expr *e);
    Node *unary(const UnaryOperator *e);
    Node *binary(const BinaryOperator *e);
    Node *constant_arithmetic(const BinaryOperator *e, Type type);
    virtual Node *cast(const CastExpr *e);
    virtual Node *call(const CallExpr *e);
    Sym *libm_function(const FunctionDecl *fd);
    Node *fp8_conversion(const FunctionDecl *fd, const CallExpr *e);
    Node *builtin(StringRef name, const CallExpr *e);
    Node *argument(const Expr *e, const ParmVarDecl *param);
    bool arguments(const CallExpr *e, const FunctionDecl *fd, SmallVectorImpl<Node *> &args);
    // What stands for a variable; nullptr if nothing does.
    virtual Sym *symbol_of(const VarDecl *var) { return symbols.lookup(var); }
    bool is_array(const Expr *e)
    {
        const VarDecl *var = as_variable(e);
        Sym *s = var ? symbol_of(var) : nullptr;
        return s && s->rank;
    }
    // What a side effect is called in an operand that is not always evaluated.
    Refusal seldom() const { return keeps || effect == R_EFFECT_COND ? effect : R_EFFECT_SOMETIMES; }
    virtual Sym *subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts);

    // Statements.
    Node *block(const Stmt *s);
    void stmt(const Stmt *s, Vec *out);
    virtual void stmt_below(const Stmt *s, Vec *out);
    void leave(const ReturnStmt *s, Vec *out);
    void full_stmt(const Expr *e, Vec *out);
    void expr_stmt(const Expr *e, Vec *out);
    void append(Vec *out, const Vec &stmts)
    {
        for (int i = 0; i < stmts.count; i++)
            vec_push(ir->arena, out, stmts.items[i]);
    }
    void assign(const Expr *target, Node *value, Kind compound, const Expr *whole, Vec *out);
    void compound(const CompoundAssignOperator *e, Vec *out);
    void step_stmt(const UnaryOperator *e, Vec *out);
    void loop(const ForStmt *s, Vec *out);
    bool counted_while(const WhileStmt *s, Vec *out);
    bool loop_head(const ForStmt *s, LoopHead *head);
    const VarDecl *loop_start(const ForStmt *s, const LoopHead &head, Node **lo, Vec *before);
    void other_starts(const LoopHead &head, size_t from, size_t to, Vec *out);
    Node *loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down);
    Node *other_condition(const ForStmt *s, const VarDecl *var, bool alone, bool *up, bool *down);
    bool loop_step(const ForStmt *s, const LoopHead &head, const VarDecl *var, int64_t *step);
    Node *loop_body(const ForStmt *s, const LoopHead &head, const VarDecl *var);
    bool constant(const Expr *e, Type type, int64_t *value);
};

} // namespace

#endif
