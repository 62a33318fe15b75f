/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/kept/keep.hh"

#include "gen/front/kept/beyond_c.hh"
#include "gen/front/kept/visitor.hh"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace mikgen
{

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
    struct Late : Visitor {
        bool found = false;
        bool visit(const Stmt *s) override
        {
            const auto *loop = dyn_cast<ForStmt>(s);
            const auto *block = dyn_cast<CompoundStmt>(s);
            found |= loop && isa_and_nonnull<DeclStmt>(loop->getInit());
            bool behind = false;
            for (const Stmt *kid : block ? block->body() : CompoundStmt::body_const_range(nullptr, nullptr)) {
                found |= behind && isa<DeclStmt>(kid);
                behind |= !isa<DeclStmt>(kid);
            }
            return !found;
        }
    } late;
    for (const Decl *d : context.getTranslationUnitDecl()->decls())
        if (const auto *fd = dyn_cast<FunctionDecl>(d); fd && fd->hasBody() && sm.isWrittenInMainFile(sm.getFileLoc(fd->getLocation())))
            late.walk(fd->getBody());
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
    struct Names : Visitor {
        Keeper *keeper;
        std::set<std::string> found;
        bool visit(const Stmt *s) override
        {
            const auto *e = dyn_cast<DeclRefExpr>(s);
            if (!e)
                return true;
            const auto *var = dyn_cast<VarDecl>(e->getDecl());
            Sym *sym = var ? keeper->symbol_of(var) : nullptr;
            if (sym && unevaluated)
                sym->is_spelled = true;
            bool is_constant = var && var->isFileVarDecl() && var->getType().isConstQualified(); // a number in trees
            if (!sym || unevaluated || is_constant)
                found.insert(e->getDecl()->getNameAsString());
            return true;
        }
        bool visit(TypeLoc type) override
        {
            if (const auto name = type.getAs<TypedefTypeLoc>())
                found.insert(name.getTypedefNameDecl()->getNameAsString());
            return true;
        }
    } names;
    names.keeper = this;
    names.walk(body);
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
    if (const auto beyond = is_cpp() ? beyond_c(fd) : std::nullopt)
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

} // namespace mikgen
