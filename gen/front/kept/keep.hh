/* SPDX-License-Identifier: GPL-3.0-or-later */
// The builder of source-to-source mode. It takes more than a spec's, and notes which
// text belongs to what it makes. gen/front/kept/keep_decl.cc, _expr.hh and _stmt.hh have its parts.
//
// Globals are S_LOCAL or S_LOCAL_ARRAY with is_global (pointers: S_ARRAY); no N_DECL declares them, nor the
// index variables of CUDA, which are S_PARAM. A variable whose type is not understood has no symbol: text may
// name it, expressions may not.
#ifndef MIKGEN_GEN_FRONT_KEPT_KEEP_HH
#define MIKGEN_GEN_FRONT_KEPT_KEEP_HH

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gen/front/kept/scan.hh"
#include "gen/front/kept/source_text.hh"
#include "gen/front/tree/builder.hh"
#include "ir/kept_sym.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace mikgen
{

class Keeper : public Builder
{
  public:
    Keeper(Front *front, ASTContext &context) : Builder(front, context), kept(front->kept), source(kept->source), text(front, context)
    {
        keeps = true;
        for (int i = 0; i < kept->placed.count; i++)
            placed.push_back(static_cast<const Loc *>(kept->placed.items[i])->beg);
        llvm::sort(placed);
    }

    void translation_unit();

  protected:
    std::nullptr_t lost(const Expr *e) override;
    Node *expr_below(const Expr *e) override;
    Node *value_below(const Expr *e);
    Node *reference(const DeclRefExpr *e) override;
    Node *cast(const CastExpr *e) override;
    Node *call(const CallExpr *e) override;
    Sym *symbol_of(const VarDecl *var) override;
    Sym *subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts) override;
    void stmt_below(const Stmt *s, Vec *out) override;

  private:
    Kept *kept;
    Source *source;
    SourceText text;
    std::unique_ptr<Scan> scan;      // of the function at hand
    llvm::DenseSet<uint32_t> places; // where a statement begins already
    std::vector<uint32_t> taken;     // the same in their order
    std::vector<Loc> pragmas;        // those that loops have, with what is between them
    llvm::StringMap<Sym *> indices;  // threadIdx.x and its like
    std::map<std::pair<const VarDecl *, std::string>, Sym *> members; // "s->n" and its like, by the variable and the text
    std::vector<const VarDecl *> scope;                               // scalars that may be named here
    std::map<uint32_t, const Fault *> reasons;                        // by where a text begins: why it is one

    std::vector<uint32_t> placed;     // where words stand that depend on their place, in order
    bool moves_macros = false;        // in the function at hand a macro may mean something else than in front of it
    const Node *noted = nullptr;      // the number of the expression at hand, if it is known where it stands
    bool in_switch = false; // `break` leaves a switch, and what it passes is a text

    // What was refused since may be forgotten.
    struct Attempt {
        int faults, before;
        bool deep, of_struct;
        size_t places, scope;
    };
    Attempt attempt()
    {
        Attempt a = {front->faults.count, faults_before, found_deep, found_struct, taken.size(), scope.size()};
        faults_before = front->faults.count;
        return a;
    }
    bool failed(const Attempt &a)
    {
        faults_before = a.before;
        return front->faults.count > a.faults;
    }
    void forget(const Attempt &a)
    {
        front->faults.count = a.faults;
        found_deep = a.deep;
        found_struct = a.of_struct;
        for (; taken.size() > a.places; taken.pop_back())
            places.erase(taken.back());
        scope.resize(a.scope);
    }

    KeptSym *kept_part(Sym *s)
    {
        if (!s->kept)
            s->kept = arena_new_array(ir->arena, KeptSym, 1);
        return const_cast<KeptSym *>(s->kept);
    }

    bool is_cpp() const { return context.getLangOpts().CPlusPlus; }

    // Functions and variables.
    bool defines_bool() const;
    bool declares_late() const;
    void functions(const DeclContext *where);
    void function(const FunctionDecl *fd);
    bool runs_on_device(const FunctionDecl *fd) const;
    bool counts(Loc function) const;
    Node *whole_function(const FunctionDecl *fd, Func *f, Loc *body_loc);
    void leave_alone(const Func *f, const Fault *why);
    void count_loops(const FunctionDecl *fd, const Func *f, const Fault *why);
    void because(Loc loc, const Fault *why);
    void because(Loc loc, Refusal why, const std::string &name);
    const Fault *first_since(int faults) const;
    bool body_place(const FunctionDecl *fd, Loc *loc);
    void settle_text(Loc body);
    const char *const *other_names(const Stmt *body);
    Sym *parameter(const ParmVarDecl *param);
    Sym *global(const VarDecl *var);
    bool is_libm(const FunctionDecl *fd);
    bool is_intrinsic(const FunctionDecl *fd);
    Sym *function_symbol(const FunctionDecl *fd);
    Sym *index_variable(const MemberExpr *e);
    bool is_marked(const VarDecl *var, StringRef word);
    void declaration(const DeclStmt *d, bool in_head, Vec *out);
    void variable(const VarDecl *var, const DeclStmt *d, bool in_head, Vec *out);
    void pointer(const VarDecl *var, const DeclStmt *d, Vec *out);
    void carrier(const VarDecl *var, Sym *s, const DeclStmt *d, Vec *out);
    const char *declarator(const VarDecl *var, const DeclStmt *d);
    Sym *local_symbol(const VarDecl *var, const DeclStmt *d, QualType elem, Type type, ArrayRef<Node *> extents);
    bool static_initialiser(const VarDecl *var, bool alone);
    const char *spelling(const VarDecl *var, const DeclStmt *d);

    // Expressions.
    bool is_placed(SourceRange range) const;
    bool defines_macros(Loc body) const;
    bool is_captured(const NamedDecl *d, SourceLocation at) const;
    bool names_local(const Stmt *s) const;
    bool spells_number(const Expr *e, Loc *loc) const;
    Node *note_number(Node *n, const Expr *e, bool may_spell = true);
    void note_left(const Node *n, const Expr *e);
    Node *implied_cast(Type type, Node *value);
    Node *extremum(const CallExpr *e, StringRef name);
    Node *argument_of(const Expr *e);
    void note_changes(const Stmt *s, ArrayRef<Node *> named, KeptSym *of);
    Node *as_text(const Expr *e, Type type);
    Node *as_text(SourceRange range, const Stmt *s, Type type);
    Node *value(const Expr *e, Type type);
    Node *condition(Refusal side_effect, const Expr *e);
    Sym *member(const MemberExpr *e);

    // Statements.
    Loc claim(SourceRange range);
    Loc claim_leaf(SourceRange range, Sym *declared = nullptr);
    Loc claim_text(Loc loc, Sym *declared = nullptr);
    Loc unclaimed(Loc loc);
    Node *body(const Stmt *s, SourceLocation behind = {});
    void compound(const CompoundStmt *c, Vec *out);
    void expression(const Expr *e, bool in_head, Vec *out);
    bool effect(const Expr *e, Vec *out);
    void stmt_tree(const Stmt *s, Vec *out);
    bool statement_text(SourceRange range, Loc *loc);
    void opaque(const Stmt *s, Vec *out);
    void forget_variables(const Stmt *s);
    void opaque_text(Loc loc, ArrayRef<const Stmt *> inside, Vec *out);
    void name_all(const Stmt *s, llvm::SetVector<Node *> &named);
    void name_scope(llvm::SetVector<Node *> &named);
    void name_words(Loc loc, llvm::SetVector<Node *> &named);
    const Directive *directive_in(Loc loc) const;
    const Stmt *case_labels(const SwitchCase *first, Loc *loc, Vec *out);
    void section(std::vector<const Stmt *> &stmts, Loc loc, Vec *out);
    bool conditional_cases(ArrayRef<const Stmt *> stmts, size_t *at_stmt, uint32_t from, uint32_t to, Vec *out);
    void switch_tree(const SwitchStmt *s, Vec *out);
    void sequence(ArrayRef<const Stmt *> stmts, uint32_t from, uint32_t end, Vec *out);
    bool is_conditional(size_t i, StringRef word) const;
    bool close_conditionals(Loc *loc) const;
    bool conditional_region(ArrayRef<const Stmt *> stmts, size_t first, uint32_t from, uint32_t to, Loc *region, size_t *behind);
    bool conditional_text(ArrayRef<const Stmt *> stmts, size_t *at, uint32_t from, uint32_t to, Vec *out);
    bool macro_text(ArrayRef<const Stmt *> stmts, size_t *at, Vec *out);
    uint32_t end_of(const Stmt *s);
    bool idle_text(uint32_t from, const Stmt *s, Vec *out);
    bool empty_macro(uint32_t from, const Stmt *s, Vec *out);
    void any_loop(const Stmt *s, Vec *out);
    Node *counted_loop(const ForStmt *s, Loc loc);
    bool is_counter(const VarDecl *var, bool declares);
    Node *free_loop(const Stmt *s, Loc loc);
    Node *head(const Stmt *s);
    void branch(const IfStmt *s, Vec *out);
    void leave(const ReturnStmt *s, Vec *out);
    bool known_text(const Expr *e, Vec *out);
    bool assigned_text(const Expr *e, Vec *out);
    void label(const LabelStmt *s, Vec *out);
    void with_pragmas(uint32_t from, const Stmt *s, Vec *out);
    const Directive *markers(uint32_t from, uint32_t to, Vec *out);
};

} // namespace mikgen

#endif
