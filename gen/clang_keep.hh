// Part of gen/spec_clang.cc: the builder of source-to-source mode. It takes more than a spec's, and notes which
// text belongs to what it makes. This part has functions, variables and expressions; gen/clang_keep_stmt.hh the rest.
//
// Globals are S_LOCAL or S_LOCAL_ARRAY with is_global (pointers: S_ARRAY); no N_DECL declares them, nor the index
// variables of CUDA, which are S_PARAM. A variable whose type is not understood has no symbol: text may name it,
// expressions may not.
#ifndef MIKGEN_GEN_CLANG_KEEP_HH
#define MIKGEN_GEN_CLANG_KEEP_HH

#include "gen/clang_statements.hh"
#include "gen/clang_scan.hh"
#include "gen/clang_text.hh"
#include "gen/source_prelude.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace
{

class Keeper : public Builder
{
  public:
    Keeper(Front *front, ASTContext &context)
        : Builder(front, context), kept(front->kept), source(kept->source), text(front, context)
    {
        keeps = true;
    }

    void translation_unit();

  protected:
    std::nullptr_t lost(const Expr *e) override;
    Node *expr_below(const Expr *e) override;
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
    std::unique_ptr<Scan> scan; // of the function at hand
    llvm::DenseSet<uint32_t> places; // where a statement begins already
    std::vector<Loc> pragmas;        // those that loops have, with what is between them
    llvm::StringMap<Sym *> indices;  // threadIdx.x and its like

    // What was refused since may be forgotten.
    struct Attempt {
        int faults, before;
        bool deep, of_struct;
    };
    Attempt attempt()
    {
        Attempt a = {front->faults.count, faults_before, found_deep, found_struct};
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
    }

    // Functions and variables.
    void function(const FunctionDecl *fd);
    bool body_place(const FunctionDecl *fd, Loc *loc);
    void settle_text(Loc body);
    Sym *parameter(const ParmVarDecl *param);
    Sym *global(const VarDecl *var);
    Sym *function_symbol(const FunctionDecl *fd);
    Sym *index_variable(const MemberExpr *e);
    bool is_marked(const VarDecl *var, StringRef word);
    void declaration(const DeclStmt *d, bool in_head, Vec *out);
    void variable(const VarDecl *var, const DeclStmt *d, bool in_head, Vec *out);
    void split(const VarDecl *var, Type type, const DeclStmt *d, Vec *out);
    bool static_initialiser(const VarDecl *var, bool alone);
    const char *spelling(const VarDecl *var, const DeclStmt *d);

    // Expressions.
    void note_literal(const Node *n, const Expr *e);
    Node *extremum(const CallExpr *e, StringRef name);
    Node *argument_of(const Expr *e);

    // Statements: gen/clang_keep_stmt.hh.
    Loc claim(SourceRange range);
    Loc claim_leaf(SourceRange range, Sym *declared = nullptr);
    Loc unclaimed(Loc loc);
    Node *body(const Stmt *s);
    void compound(const CompoundStmt *c, Vec *out);
    void expression(const Expr *e, bool in_head, Vec *out);
    bool effect(const Expr *e, Vec *out);
    void opaque(const Stmt *s, Vec *out)
    {
        opaque_text(s->getSourceRange(), s, nullptr, out);
    }
    void opaque_text(SourceRange range, const Stmt *names, Sym *assigned, Vec *out);
    void name_all(const Stmt *s, llvm::SetVector<Node *> &named);
    void any_loop(const Stmt *s, Vec *out);
    Node *counted_loop(const ForStmt *s, Loc loc);
    bool is_counter(const VarDecl *var, bool declares);
    Node *free_loop(const Stmt *s, Loc loc);
    Node *head(const Stmt *s);
    void branch(const IfStmt *s, Vec *out);
    void leave(const ReturnStmt *s, Vec *out);
};

// ---------------------------------------------------------------- functions

void Keeper::translation_unit()
{
    Vec reserved = {};
    for (const std::string &name : text.identifiers)
        vec_push(ir->arena, &reserved, arena_strndup(ir->arena, name.data(), name.size()));
    vec_push(ir->arena, &reserved, nullptr);
    ir->reserved = (const char *const *)reserved.items;
    source->has_bool = source->cuda || text.says_bool;
    for (const Decl *d : context.getTranslationUnitDecl()->decls()) {
        const auto *fd = dyn_cast<FunctionDecl>(d);
        if (fd && fd->isThisDeclarationADefinition() && sm.isWrittenInMainFile(sm.getFileLoc(fd->getLocation())))
            function(fd);
    }
}

bool Keeper::body_place(const FunctionDecl *fd, Loc *loc)
{
    SourceRange range = fd->getBody()->getSourceRange();
    return !range.getBegin().isMacroID() && !range.getEnd().isMacroID() && text.spelled(range, loc);
}

// One without a loop is not touched. One that cannot be understood and has a loop is refused.
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
    int faults = front->faults.count;
    Loc body_loc;
    if (!body_place(fd, &body_loc))
        return (void)no(R_KEEP_BODY, fd->getLocation(), name);
    for (const Scan::Finding &f : scan->findings)
        no(f.why, f.range, f.name);
    if (!scan->findings.empty())
        return;
    f->name = arena_strndup(ir->arena, name.data(), name.size());
    f->is_kept = true;
    f->loc = at(fd->getLocation());
    if (!scalar_type(fd->getReturnType(), &f->result))
        f->result = T_VOID;
    f->params = arena_new_array(ir->arena, Sym *, fd->getNumParams() + 1);
    for (const ParmVarDecl *param : fd->parameters()) {
        Sym *s = symbols[param] = parameter(param);
        if (!s)
            continue;
        f->params[f->nparams++] = s;
        if (scan->written.count(param))
            vec_push(ir->arena, &kept->changed, s);
    }
    f->body = body(fd->getBody());
    settle_text(body_loc);
    if (front->faults.count != faults)
        return;
    auto *k = arena_new_array(ir->arena, KeptFunc, 1);
    *k = {f, body_loc};
    vec_push(ir->arena, &source->functions, k);
}

// Comments inside the body; directives there whose place nobody keeps. Our own pragma is kept as if it were one.
void Keeper::settle_text(Loc body)
{
    std::vector<Loc> comments = text.comments;
    auto inside = [](Loc l, Loc of) { return of.beg <= l.beg && l.end <= of.end; };
    for (int i = 0; i < kept->hidden.count; i++) {
        const Loc *loc = static_cast<const Loc *>(kept->hidden.items[i]);
        if (inside(*loc, body))
            refuse(front, R_KEEP_DIRECTIVE, *loc, "_Pragma");
    }
    for (const Directive &d : text.directives) {
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
        bool free = inside(c, body) &&
                    std::none_of(pragmas.begin(), pragmas.end(), [&](Loc d) { return inside(c, d); });
        if (!free)
            continue;
        Loc *copy = arena_new_array(ir->arena, Loc, 1);
        *copy = c;
        vec_push(ir->arena, &source->comments, copy);
    }
}

// ---------------------------------------------------------------- variables

bool Keeper::is_marked(const VarDecl *var, StringRef word)
{
    for (const auto *a : var->specific_attrs<AnnotateAttr>())
        if (a->getAnnotation() == word)
            return true;
    return false;
}

// nullptr without a fault if its type is not understood.
Sym *Keeper::parameter(const ParmVarDecl *param)
{
    std::string name = param->getNameAsString();
    QualType type = param->getOriginalType(), elem;
    if (const auto *decayed = type->getAs<DecayedType>())
        type = decayed->getOriginalType();
    SmallVector<Node *, 4> extents;
    Type t;
    Attempt a = attempt();
    bool takes_address = param->getType()->isPointerType();
    if (takes_address) {
        const ArrayType *array = context.getAsArrayType(type);
        Node *outer = nullptr;
        if (array && array->getSizeModifier() == ArraySizeModifier::Static) {
            SmallVector<Node *, 4> all;
            if (array_extents(type, param, param->getLocation(), all, &elem))
                outer = all[0];
        }
        extents.push_back(outer);
        type = array ? array->getElementType() : type->getPointeeType();
    }
    bool good = array_extents(type, param, param->getLocation(), extents, &elem) &&
                value_type(elem, param->getLocation(), &t) &&
                !(takes_address && param->getType().isVolatileQualified());
    bool bad = failed(a) || !good;
    forget(a);
    if (bad)
        return nullptr;
    Sym *s = !takes_address ? sym_new(ir, S_PARAM, t, name.c_str(), at(param->getLocation()))
                            : sym_new_array(ir, S_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(),
                                            at(param->getLocation()));
    s->is_const = elem.isConstQualified();
    s->is_volatile = elem.isVolatileQualified();
    s->is_restrict = param->getType().isRestrictQualified();
    s->alias = takes_address ? (s->is_restrict ? ALIAS_NONE : ALIAS_POINTER)
                             : (scan->escaped.count(param) ? ALIAS_NAMED : ALIAS_NONE);
    s->spelling = standard_spelling(elem);
    return s;
}

// One symbol for all declarations of a variable of file scope. nullptr if its type is not understood.
Sym *Keeper::global(const VarDecl *var)
{
    const VarDecl *first = var->getCanonicalDecl();
    auto known = symbols.find(first);
    if (known != symbols.end())
        return known->second;
    std::string name = var->getNameAsString();
    QualType type = var->getType(), elem;
    SmallVector<Node *, 4> extents;
    Type t;
    Attempt a = attempt();
    bool is_pointer = type->isPointerType();
    if (is_pointer) {
        extents.push_back(nullptr);
        type = type->getPointeeType();
    }
    bool good = array_extents(type, nullptr, var->getLocation(), extents, &elem) &&
                value_type(elem, var->getLocation(), &t) && !(is_pointer && var->getType().isVolatileQualified());
    failed(a);
    forget(a);
    if (!good)
        return symbols[first] = nullptr;
    Loc loc = at(var->getLocation());
    Sym *s = extents.empty() ? sym_new(ir, S_LOCAL, t, name.c_str(), loc)
                             : sym_new_array(ir, is_pointer ? S_ARRAY : S_LOCAL_ARRAY, t, name.c_str(),
                                             (int)extents.size(), extents.data(), loc);
    s->is_global = true;
    s->is_const = elem.isConstQualified() || is_marked(var, "__constant__");
    s->is_volatile = elem.isVolatileQualified();
    s->alias = is_pointer ? ALIAS_POINTER : ALIAS_NAMED;
    return symbols[first] = s;
}

Sym *Keeper::symbol_of(const VarDecl *var)
{
    auto known = symbols.find(var);
    if (known != symbols.end())
        return known->second;
    return var->isFileVarDecl() || var->isLocalExternDecl() ? global(var) : nullptr;
}

// The words in front of a local's name, as written if the file's text has them.
const char *Keeper::spelling(const VarDecl *var, const DeclStmt *d)
{
    SourceLocation from = d->getBeginLoc(), to = (*d->decl_begin())->getLocation();
    std::string words;
    StringRef head;
    if (!from.isMacroID() && !to.isMacroID())
        head = StringRef(front->text, front->len).slice(sm.getFileOffset(from), sm.getFileOffset(to));
    if (head.find_first_of("/(*[\\") != StringRef::npos)
        head = "";
    for (char c : head)
        if (!isWhitespace(c))
            words += c;
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    while (!words.empty() && words.back() == ' ')
        words.pop_back();
    QualType type = context.getBaseElementType(var->getType());
    bool is_local_name = false; // which a declaration that leaves its block must not use
    for (const auto *t = type->getAs<TypedefType>(); t; t = t->desugar()->getAs<TypedefType>())
        is_local_name |= !t->getDecl()->isDefinedOutsideFunctionOrMethod();
    if (is_local_name)
        type = type.getCanonicalType();
    if (words.empty() || is_local_name)
        words = type.getAsString(context.getPrintingPolicy());
    return arena_strndup(ir->arena, words.data(), words.size());
}

// Whether a variable can stay as it is written: alone in its statement if it has an initialiser.
bool Keeper::static_initialiser(const VarDecl *var, bool alone)
{
    const Expr *init = var->getInit();
    if (!init)
        return true;
    if (!alone)
        return no(R_KEEP_DECL, var->getLocation(), var->getNameAsString()), false;
    Expr *e = const_cast<Expr *>(init);
    return e->isConstantInitializer(context, false) ? true
                                                    : (no(R_KEEP_INIT, init->getSourceRange(), var->getNameAsString()), false);
}

void Keeper::declaration(const DeclStmt *d, bool in_head, Vec *out)
{
    bool variables = true;
    for (const Decl *decl : d->decls()) {
        const auto *var = dyn_cast<VarDecl>(decl);
        variables &= var && (!var->isLocalExternDecl() || is_marked(var, "__shared__"));
        const auto *name = dyn_cast<TypedefNameDecl>(decl);
        if (name && name->getUnderlyingType()->isVariablyModifiedType())
            return (void)no(R_DECL, d->getSourceRange());
    }
    if (variables) {
        for (const Decl *decl : d->decls())
            variable(llvm::cast<VarDecl>(decl), d, in_head, out);
        return;
    }
    for (const Decl *decl : d->decls()) {
        const auto *var = dyn_cast<VarDecl>(decl);
        if (var && !var->isLocalExternDecl())
            return (void)no(R_DECL, d->getSourceRange());
    }
    opaque(d, out); // it declares names for the text that follows
}

void Keeper::variable(const VarDecl *var, const DeclStmt *d, bool in_head, Vec *out)
{
    std::string name = var->getNameAsString();
    SourceRange range = var->getLocation();
    symbols[var] = nullptr;
    QualType type = var->getType(), elem;
    if (type->isPointerType() && !type->isFunctionPointerType())
        return (void)no(R_KEEP_POINTER_VAR, range, name);
    SmallVector<Node *, 4> extents;
    Type t;
    if (!array_extents(type, nullptr, range, extents, &elem) || !value_type(elem, range, &t))
        return;
    bool shared = is_marked(var, "__shared__"), lasting = var->isStaticLocal() || shared, alone = d->isSingleDecl();
    Node *value = nullptr;
    if (lasting || !extents.empty()) {
        if (!static_initialiser(var, alone))
            return;
    } else if (const Expr *init = var->getInit()) {
        const auto *list = dyn_cast<InitListExpr>(init);
        Attempt a = attempt();
        value = expr(list && list->getNumInits() == 1 ? list->getInit(0) : init);
        if (failed(a) || !value) {
            if (!alone || in_head || list)
                return;
            forget(a);
            return split(var, t, d, out);
        }
    }
    Loc loc = at(range);
    Sym *s = extents.empty() ? sym_new(ir, S_LOCAL, t, name.c_str(), loc)
                             : sym_new_array(ir, S_LOCAL_ARRAY, t, name.c_str(), (int)extents.size(),
                                             extents.data(), loc);
    s->is_const = elem.isConstQualified();
    s->is_global = var->isStaticLocal(); // it outlives the call like one
    s->is_volatile = elem.isVolatileQualified() || (shared && extents.empty()); // other threads write it
    s->alias = var->isLocalExternDecl()                              ? ALIAS_POINTER // they all begin at one place
               : lasting || scan->escaped.count(var) ? ALIAS_NAMED
                                                                     : ALIAS_NONE;
    s->spelling = spelling(var, d);
    symbols[var] = s;
    Loc place = !alone || in_head ? claim(range) : claim_leaf(d->getSourceRange(), s);
    if (lasting && var->getInit() && !map_get(&source->whole, (int)loc.beg))
        return (void)no(R_KEEP_MACRO, range);
    if (!extents.empty() && var->getInit() && !map_get(&source->whole, (int)loc.beg))
        return (void)no(R_KEEP_MACRO, range);
    vec_push(ir->arena, out, mk_decl(ir, s, value, place));
}

// A scalar whose initialiser is not understood: its declaration, and what remains of the text as an assignment.
void Keeper::split(const VarDecl *var, Type type, const DeclStmt *d, Vec *out)
{
    Loc place = claim(d->getBeginLoc());
    Sym *s = sym_new(ir, S_LOCAL, type, var->getNameAsString().c_str(), place);
    s->is_volatile = var->getType().isVolatileQualified();
    s->alias = scan->escaped.count(var) ? ALIAS_NAMED : ALIAS_NONE;
    std::string words = var->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy());
    if (s->is_volatile)
        words = "volatile " + words;
    s->spelling = arena_strndup(ir->arena, words.data(), words.size());
    symbols[var] = s;
    vec_push(ir->arena, out, mk_decl(ir, s, nullptr, place));
    opaque_text(SourceRange(var->getLocation(), var->getInit()->getEndLoc()), var->getInit(), s, out);
}

// ---------------------------------------------------------------- expressions

// What has no fault of its own names a variable without a symbol, mostly.
std::nullptr_t Keeper::lost(const Expr *e)
{
    if (front->faults.count > faults_before)
        return nullptr;
    const Expr *inner = bare(e);
    while (const auto *s = dyn_cast<ArraySubscriptExpr>(inner))
        inner = bare(s->getBase());
    if (const VarDecl *var = as_variable(inner))
        return no(var->getType()->isRecordType() ? R_KEEP_STRUCT : R_KEEP_TYPE, e->getSourceRange(),
                  var->getNameAsString());
    return Builder::lost(e);
}

Node *Keeper::expr_below(const Expr *e)
{
    if (const auto *m = dyn_cast<MemberExpr>(e)) {
        Sym *s = index_variable(m);
        return s ? mk_var(ir, s) : no(R_KEEP_STRUCT, e->getSourceRange());
    }
    Node *n = is_deref(e) ? element(e) : Builder::expr_below(e);
    if (n && (isa<IntegerLiteral>(e) || isa<CharacterLiteral>(e) || isa<FloatingLiteral>(e)))
        note_literal(n, e);
    return n;
}

// The array below subscripts and stars: *p is p[0], and *(p + i) is p[i].
Sym *Keeper::subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    SmallVector<const Expr *, 4> chain; // nullptr: 0
    for (e = bare(e); isa<ArraySubscriptExpr>(e) || is_deref(e); e = bare(e)) {
        if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
            chain.push_back(s->getIdx());
            e = s->getBase();
            continue;
        }
        e = bare(llvm::cast<UnaryOperator>(e)->getSubExpr());
        const auto *sum = dyn_cast<BinaryOperator>(e);
        if (!sum || sum->getOpcode() != BO_Add) {
            chain.push_back(nullptr);
            continue;
        }
        bool pointer_first = sum->getLHS()->getType()->isPointerType();
        chain.push_back(pointer_first ? sum->getRHS() : sum->getLHS());
        e = pointer_first ? sum->getLHS() : sum->getRHS();
    }
    const VarDecl *var = as_variable(e);
    if (!var)
        return no(R_KEEP_POINTER, e->getSourceRange());
    Sym *array = symbol_of(var);
    if (!array || !array->rank)
        return lost(e);
    for (size_t i = chain.size(); i-- > 0;) {
        subscripts.push_back(chain[i] ? in_context(R_EFFECT_SUB, chain[i]) : mk_int(ir, T_INT, 0));
        if (!subscripts.back())
            return nullptr;
    }
    return array;
}

// A place that spells it; a number rather than a character. Numbers of several spellings have none: which of them
// belongs where, the tree does not know.
void Keeper::note_literal(const Node *n, const Expr *e)
{
    Loc loc;
    if (!e->getBeginLoc().isFileID() || !text.spelled(e->getSourceRange(), &loc))
        return;
    void **entry = map_at(ir->arena, &source->literal, n->id);
    auto *known = static_cast<Loc *>(*entry);
    auto spelling = [&](Loc l) { return StringRef(front->text + l.beg - 1, l.end - l.beg); };
    if (!known)
        *entry = known = arena_new_array(ir->arena, Loc, 1);
    else if (isa<CharacterLiteral>(e) || !known->beg)
        return;
    else if (front->text[known->beg - 1] != '\'' && spelling(*known) != spelling(loc))
        loc = {};
    *known = loc;
}

// threadIdx.x and its like: never written, within what every GPU allows.
Sym *Keeper::index_variable(const MemberExpr *e)
{
    static const struct {
        const char *name;
        int64_t lo, hi[3];
    } known[] = {{"threadIdx", 0, {1023, 1023, 63}},
                 {"blockIdx", 0, {65535, 65535, 65535}},
                 {"blockDim", 1, {1024, 1024, 64}},
                 {"gridDim", 1, {65536, 65536, 65536}}};
    const VarDecl *var = as_variable(e->getBase());
    if (!source->cuda || !var || sm.isWrittenInMainFile(var->getLocation()))
        return nullptr;
    for (const auto &k : known) {
        if (var->getName() != k.name)
            continue;
        std::string name = var->getNameAsString() + "." + e->getMemberDecl()->getNameAsString();
        Sym *&s = indices[name];
        if (!s) {
            s = sym_new(ir, S_PARAM, T_UINT, name.c_str(), at(e));
            s->is_const = s->has_range = true;
            s->lo = k.lo;
            s->hi = k.hi[name.back() - 'x'];
            vec_push(ir->arena, &kept->indices, s);
        }
        return s;
    }
    return nullptr;
}

Node *Keeper::reference(const DeclRefExpr *e)
{
    const auto *var = dyn_cast<VarDecl>(e->getDecl());
    if (!var)
        return Builder::reference(e);
    if (var->isFileVarDecl() && var->getType().isConstQualified() && !var->getType().isVolatileQualified())
        if (Node *n = folded(e))
            return n;
    Sym *s = symbol_of(var);
    if (!s)
        return nullptr;
    return s->rank ? no(R_ARRAY_VALUE, e->getSourceRange(), s->name) : make(N_VAR, s->type, s, {}, e);
}

Node *Keeper::cast(const CastExpr *e)
{
    Node *n = Builder::cast(e);
    if (!n || n->kind != N_CAST)
        return n;
    const auto *implicit = dyn_cast<ImplicitCastExpr>(e);
    Expr::EvalResult result;
    if (implicit && n->kid[0]->kind == N_INT && type_is_integer((Type)n->type) && n->type != T_BOOL &&
        e->EvaluateAsRValue(result, context) && result.Val.isInt())
        return integer((Type)n->type, result.Val.getInt()); // of long i, i + 1 adds an immediate like any other
    if (isa<CStyleCastExpr>(e))
        *map_at(ir->arena, &source->is_cast, n->id) = n;
    else if (implicit && !implicit->isPartOfExplicitCast())
        *map_at(ir->arena, &source->is_implied, n->id) = n;
    return n;
}

// Any function that is not libm's is one symbol without a body.
Sym *Keeper::function_symbol(const FunctionDecl *fd)
{
    if (!fd->hasBody())
        if (Sym *s = libm_function(fd))
            return s;
    Sym *&s = symbols[fd->getCanonicalDecl()];
    Type result = T_VOID;
    if (!s && (fd->getReturnType()->isVoidType() || scalar_type(fd->getReturnType(), &result))) {
        s = sym_new(ir, S_FUNC, result, fd->getNameAsString().c_str(), at(fd->getLocation()));
        s->is_pure = fd->getMostRecentDecl()->hasAttr<ConstAttr>();
    }
    return s;
}

Node *Keeper::call(const CallExpr *e)
{
    const FunctionDecl *fd = e->getDirectCallee();
    if (!fd)
        return no(R_FUNC_POINTER, e->getCallee()->getSourceRange());
    StringRef name = fd->getName();
    if ((name == "min" || name == "max") && fd->hasAttr<OverloadableAttr>() && e->getType()->isIntegerType() &&
        !sm.isWrittenInMainFile(fd->getLocation()))
        return extremum(e, name);
    if (name.starts_with("__builtin_"))
        if (Node *n = folded(e))
            return n; // INFINITY and NAN
    Sym *s = function_symbol(fd);
    if (!s)
        return no(R_KEEP_POINTER, e->getSourceRange());
    SmallVector<Node *, 8> args;
    for (const Expr *arg : e->arguments()) {
        args.push_back(argument_of(arg));
        if (!args.back())
            return nullptr;
    }
    return make(N_CALL, s->type, s, args, e);
}

// A number, an array or a row of one.
Node *Keeper::argument_of(const Expr *e)
{
    if (!e->getType()->isPointerType())
        return expr(e);
    const Expr *inner = bare(e);
    SmallVector<Node *, 4> subscripts;
    if (!isa<ArraySubscriptExpr>(inner) && !as_variable(inner))
        return no(R_KEEP_POINTER, e->getSourceRange());
    Sym *array = subscripted(inner, subscripts);
    return array ? make(N_REF, array->type, array, subscripts, e) : nullptr;
}

Node *Keeper::extremum(const CallExpr *e, StringRef name)
{
    Node *a = expr(e->getArg(0)), *b = expr(e->getArg(1));
    if (!a || !b)
        return nullptr;
    Type type = type_common((Type)a->type, (Type)b->type);
    return mk_binary(ir, name == "min" ? N_MIN : N_MAX, mk_cast(ir, type, a), mk_cast(ir, type, b));
}

} // namespace

#endif
