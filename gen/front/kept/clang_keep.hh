/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: the builder of source-to-source mode. It takes more than a spec's, and notes which
// text belongs to what it makes. gen/front/kept/clang_keep_decl.hh, _expr.hh and _stmt.hh have its parts.
//
// Globals are S_LOCAL or S_LOCAL_ARRAY with is_global (pointers: S_ARRAY); no N_DECL declares them, nor the
// index variables of CUDA, which are S_PARAM. A variable whose type is not understood has no symbol: text may
// name it, expressions may not.
#ifndef MIKGEN_GEN_FRONT_KEPT_CLANG_KEEP_HH
#define MIKGEN_GEN_FRONT_KEPT_CLANG_KEEP_HH

#include <map>

#include "gen/front/kept/clang_cpp.hh"
#include "gen/front/kept/clang_keep_changes.hh"
#include "gen/front/kept/clang_scan.hh"
#include "gen/front/tree/clang_statements.hh"
#include "gen/front/kept/clang_text.hh"
#include "gen/front/source_prelude.h"
#include "ir/effect.h"
#include "ir/kept_sym.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace
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

    std::vector<uint32_t> placed;     // where words stand that hang on their place, in order
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

// ---------------------------------------------------------------- functions

// A type called bool, as old code has.
bool Keeper::defines_bool() const
{
    const auto found = context.getTranslationUnitDecl()->lookup(&context.Idents.get("bool"));
    return std::any_of(found.begin(), found.end(), [](const NamedDecl *d) { return isa<TypedefNameDecl>(d); });
}

// Whether something is declared behind a statement or in a `for`, which C89 does not know.
bool Keeper::declares_late() const
{
    struct Late : RecursiveASTVisitor<Late> {
        bool found = false;
        bool VisitForStmt(ForStmt *s) { return !(found |= s->getInit() && isa<DeclStmt>(s->getInit())); }
        bool VisitCompoundStmt(CompoundStmt *c)
        {
            bool behind = false;
            for (const Stmt *s : c->body()) {
                found |= behind && isa<DeclStmt>(s);
                behind |= !isa<DeclStmt>(s);
            }
            return !found;
        }
    } late;
    for (Decl *d : context.getTranslationUnitDecl()->decls())
        if (auto *fd = dyn_cast<FunctionDecl>(d); fd && fd->hasBody() && sm.isWrittenInMainFile(sm.getFileLoc(fd->getLocation())))
            late.TraverseStmt(fd->getBody());
    return late.found;
}

void Keeper::translation_unit()
{
    Vec reserved = {};
    for (const std::string &name : text.identifiers)
        vec_push(ir->arena, &reserved, arena_strndup(ir->arena, name.data(), name.size()));
    vec_push(ir->arena, &reserved, nullptr);
    ir->reserved = (const char *const *)reserved.items;
    source->has_bool = source->cuda || text.says_bool;
    source->other_bool = !source->cuda && (kept->other_bool || defines_bool());
    const bool has_line_comment = llvm::any_of(text.comments, [&](Loc c) { return front->text[c.beg] == '/'; });
    source->is_c89 = !source->has_bool && !has_line_comment && !declares_late();
    functions(context.getTranslationUnitDecl());
}

// Those of the file, in order; of C++ also what stands in `extern "C"` and in namespaces.
void Keeper::functions(const DeclContext *where)
{
    for (const Decl *d : where->decls()) {
        if (isa<LinkageSpecDecl>(d) || isa<NamespaceDecl>(d))
            functions(dyn_cast<DeclContext>(d));
        const auto *made = dyn_cast<FunctionTemplateDecl>(d);
        const auto *fd = made ? made->getTemplatedDecl() : dyn_cast<FunctionDecl>(d);
        if (fd && fd->isThisDeclarationADefinition() && sm.isWrittenInMainFile(sm.getFileLoc(fd->getLocation())))
            function(fd);
    }
}

bool Keeper::body_place(const FunctionDecl *fd, Loc *loc)
{
    SourceRange range = fd->getBody()->getSourceRange();
    return !range.getBegin().isMacroID() && !range.getEnd().isMacroID() && text.spelled(range, loc);
}

// What a body names besides variables in trees. Of those in sizeof and typeof, only text knows: they stay.
const char *const *Keeper::other_names(const Stmt *body)
{
    struct Names : RecursiveASTVisitor<Names> {
        Keeper *keeper;
        std::set<std::string> found;
        int unevaluated = 0;
        bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *e)
        {
            unevaluated++;
            bool all = RecursiveASTVisitor<Names>::TraverseUnaryExprOrTypeTraitExpr(e);
            return unevaluated--, all;
        }
        bool TraverseGenericSelectionExpr(GenericSelectionExpr *e)
        {
            unevaluated++;
            bool all = RecursiveASTVisitor<Names>::TraverseGenericSelectionExpr(e);
            return unevaluated--, all;
        }
        bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc type)
        {
            unevaluated++;
            bool all = RecursiveASTVisitor<Names>::TraverseTypeOfExprTypeLoc(type);
            return unevaluated--, all;
        }
        bool VisitDeclRefExpr(DeclRefExpr *e)
        {
            const auto *var = dyn_cast<VarDecl>(e->getDecl());
            Sym *sym = var ? keeper->symbol_of(var) : nullptr;
            if (sym && unevaluated)
                sym->is_spelled = true;
            bool is_constant = var && var->isFileVarDecl() && var->getType().isConstQualified(); // a number in trees
            if (!sym || unevaluated || is_constant)
                found.insert(e->getDecl()->getNameAsString());
            return true;
        }
        bool VisitTypedefTypeLoc(TypedefTypeLoc type)
        {
            found.insert(type.getTypedefNameDecl()->getNameAsString());
            return true;
        }
    } names;
    names.keeper = this;
    names.TraverseStmt(const_cast<Stmt *>(body));
    Vec list = {};
    for (const std::string &name : names.found)
        vec_push(ir->arena, &list, arena_strndup(ir->arena, name.data(), name.size()));
    vec_push(ir->arena, &list, nullptr);
    return (const char *const *)list.items;
}

// One without a loop is not touched, nor is one that has a loop and something that is not understood.
void Keeper::function(const FunctionDecl *fd)
{
    scan = std::make_unique<Scan>(fd->getBody());
    Func *f = arena_new_array(ir->arena, Func, 1);
    auto *def = arena_new_array(ir->arena, Definition, 1);
    *def = {f, at(fd->getSourceRange())};
    vec_push(ir->arena, &kept->definitions, def); // of all functions: a promise may stand in any
    if (!scan->has_loop)
        return;
    std::string name = fd->getNameAsString();
    f->name = arena_strndup(ir->arena, name.data(), name.size());
    f->is_kept = true;
    f->accesses_fenv = fd->UsesFPIntrin();
    f->is_device = source->cuda && runs_on_device(fd);
    f->counts = counts(at(fd->getSourceRange()));
    f->loc = at(fd->getLocation());
    Attempt a = attempt();
    Loc body_loc;
    Node *body = whole_function(fd, f, &body_loc);
    const Fault *why = failed(a) ? first_since(a.faults) : nullptr;
    f->body = body;
    count_loops(fd, f, why);
    if (why) {
        leave_alone(f, why);
        return forget(a);
    }
    f->other_names = other_names(fd->getBody());
    auto *k = arena_new_array(ir->arena, KeptFunc, 1);
    *k = {f, body_loc};
    vec_push(ir->arena, &source->functions, k);
}

// What CUDA's words in front of it say, whatever they are macros of.
bool Keeper::runs_on_device(const FunctionDecl *fd) const
{
    const StringRef all(front->text, front->len);
    const size_t name = sm.getFileOffset(sm.getFileLoc(fd->getLocation()));
    const size_t before = all.slice(0, name).find_last_of(";}");
    const StringRef head = all.slice(before == StringRef::npos ? 0 : before, name);
    return head.contains("__global__") || (head.contains("__device__") && !head.contains("__host__"));
}

bool Keeper::counts(Loc function) const
{
    for (int i = 0; i < kept->counters.count; i++)
        if (const uint32_t beg = static_cast<const Loc *>(kept->counters.items[i])->beg; function.beg <= beg && beg < function.end)
            return true;
    return false;
}

// Whether a macro may be defined or undefined between two statements.
bool Keeper::defines_macros(Loc body) const
{
    return llvm::any_of(text.directives_in(body.beg, body.end), [](const Directive &d) {
        static const std::set<std::string> words = {"define", "undef", "include", "include_next", "import", "push_macro", "pop_macro"};
        return (!d.words.empty() && words.count(d.words[0])) || (d.words.size() > 1 && words.count(d.words[1]));
    });
}

// Its parameters stay known: a hint about one is no mistake.
void Keeper::leave_alone(const Func *f, const Fault *why)
{
    auto *left = arena_new_array(ir->arena, Left, 1);
    *left = {f->name, {0, 0}, why};
    vec_push(ir->arena, &kept->left, left);
}

// Its parameters and its body; after a fault they are not complete.
Node *Keeper::whole_function(const FunctionDecl *fd, Func *f, Loc *body_loc)
{
    scope.clear();
    pragmas.clear();
    if (!scalar_type(fd->getReturnType(), &f->result))
        f->result = T_VOID;
    f->params = arena_new_array(ir->arena, Sym *, fd->getNumParams() + 1);
    for (const ParmVarDecl *param : fd->parameters()) {
        Sym *s = symbols[param] = fd->isTemplated() ? nullptr : parameter(param);
        if (!s)
            continue;
        scope.push_back(param);
        f->params[f->nparams++] = s;
        if (scan->written.count(param))
            vec_push(ir->arena, &kept->changed, s);
    }
    for (const Scan::Finding &finding : scan->findings)
        no(finding.why, finding.range, finding.name);
    for (int i = 0; i < kept->launches.count; i++)
        if (const auto *launch = static_cast<const Loc *>(kept->launches.items[i]);
            f->loc.beg < launch->beg && launch->end <= at(fd->getBody()->getSourceRange()).end)
            return refuse(front, R_KEEP_LAUNCH, *launch, ""), nullptr;
    if (const auto beyond = is_cpp() ? BeyondC::find(fd) : std::nullopt)
        return no(R_KEEP_CPP, beyond->range, beyond->what);
    if (!body_place(fd, body_loc))
        return no(R_KEEP_BODY, fd->getLocation(), f->name);
    moves_macros = defines_macros(*body_loc);
    if (!scan->findings.empty())
        return nullptr;
    Node *all = body(fd->getBody());
    settle_text(*body_loc);
    return all;
}

// Comments inside the body; directives there whose place nobody keeps. Our own pragma is kept as if it were
// one.
void Keeper::settle_text(Loc body)
{
    std::vector<Loc> comments = text.comments_in(body);
    auto inside = [](Loc l, Loc of) { return of.beg <= l.beg && l.end <= of.end; };
    for (int i = 0; i < kept->hidden.count; i++) {
        const Loc *loc = static_cast<const Loc *>(kept->hidden.items[i]);
        if (inside(*loc, body))
            refuse(front, R_KEEP_DIRECTIVE, *loc, "_Pragma");
    }
    for (const Directive &d : text.directives_in(body.beg, body.end)) {
        if (!inside(d.loc, body))
            continue;
        bool own = d.words.size() > 1 && d.words[0] == "pragma" && d.words[1] == "mikgen";
        if (own)
            comments.push_back(d.loc);
        else if (!d.used)
            refuse(front, R_KEEP_DIRECTIVE, d.loc, d.name());
    }
    std::sort(comments.begin(), comments.end(), [](Loc a, Loc b) { return a.beg < b.beg; });
    for (Loc c : comments) {
        bool free = inside(c, body) && std::none_of(pragmas.begin(), pragmas.end(), [&](Loc d) { return inside(c, d); });
        if (!free)
            continue;
        Loc *copy = arena_new_array(ir->arena, Loc, 1);
        *copy = c;
        vec_push(ir->arena, &source->comments, copy);
    }
}

} // namespace

#endif
