/* SPDX-License-Identifier: GPL-3.0-or-later */
// Parameters, globals and locals of source-to-source mode.
#include "gen/front/kept/keep.hh"

#include "gen/front/kept/visitor.hh"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

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
    bool good = array_extents(type, param, param->getLocation(), extents, &elem) && value_type(elem, param->getLocation(), &t) &&
                !(takes_address && param->getType().isVolatileQualified());
    bool bad = failed(a) || !good;
    forget(a);
    if (bad)
        return nullptr;
    Sym *s = !takes_address ? sym_new(ir, S_PARAM, t, name.c_str(), at(param->getLocation()))
                            : sym_new_array(ir, S_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), at(param->getLocation()));
    s->is_const = elem.isConstQualified();
    s->is_volatile = elem.isVolatileQualified();
    s->is_restrict = param->getType().isRestrictQualified();
    // Another pointer of the function may lead where this one does.
    bool is_shared = scan->has_pointers && (scan->valued.count(param) || scan->passed.count(param));
    s->alias = takes_address ? (s->is_restrict && !is_shared ? ALIAS_NONE : ALIAS_POINTER)
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
    bool good = array_extents(type, nullptr, var->getLocation(), extents, &elem) && value_type(elem, var->getLocation(), &t) &&
                !(is_pointer && var->getType().isVolatileQualified());
    failed(a);
    forget(a);
    if (!good)
        return symbols[first] = nullptr;
    Loc loc = at(var->getLocation());
    Sym *s = extents.empty()
                 ? sym_new(ir, S_LOCAL, t, name.c_str(), loc)
                 : sym_new_array(ir, is_pointer ? S_ARRAY : S_LOCAL_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), loc);
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

// A type that names what only its own block may show, or that follows an expression, which may become another one.
static bool is_of_place(QualType type)
{
    bool is_local = false;
    for (const auto *t = type->getAs<TypedefType>(); t; t = t->desugar()->getAs<TypedefType>())
        is_local |= !t->getDecl()->isDefinedOutsideFunctionOrMethod();
    return is_local || type->getContainedAutoType() || type->getAs<TypeOfExprType>() || type->getAs<TypeOfType>();
}

// Whether a text names a type or a constant that only its own block may show.
bool Keeper::names_local(const Stmt *s) const
{
    struct Names : Visitor {
        bool found = false;
        bool look(const Decl *d) { return !(found |= d->getParentFunctionOrMethod() != nullptr); }
        bool visit(const Stmt *inner) override
        {
            const auto *e = dyn_cast<DeclRefExpr>(inner);
            return !e || !isa<EnumConstantDecl>(e->getDecl()) || look(e->getDecl());
        }
        bool visit(TypeLoc type) override
        {
            if (const auto name = type.getAs<TypedefTypeLoc>())
                return look(name.getTypedefNameDecl());
            const auto tag = type.getAs<TagTypeLoc>();
            return !tag || look(tag.getDecl());
        }
    } names;
    names.walk(s);
    return names.found;
}

// The words in front of a local's name, as written if the file's text has them.
const char *Keeper::spelling(const VarDecl *var, const DeclStmt *d)
{
    SourceLocation from = d->getBeginLoc(), to = (*d->decl_begin())->getLocation();
    std::string words;
    StringRef head;
    bool spelled = !from.isMacroID() || Lexer::isAtStartOfMacroExpansion(from, sm, context.getLangOpts(), &from);
    if (spelled && !to.isMacroID() && sm.isWrittenInMainFile(from))
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
    if (is_of_place(type) || (moves_macros && !type->isEnumeralType()))
        words = type.getCanonicalType().getAsString(context.getPrintingPolicy());
    else if (words.empty())
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
        return no(R_KEEP_UNKNOWN, var->getLocation(), var->getNameAsString()), false;
    Expr *e = const_cast<Expr *>(init);
    return e->isConstantInitializer(context, false) ? true : (no(R_KEEP_UNKNOWN, init->getSourceRange(), var->getNameAsString()), false);
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
    if (variables && (d->isSingleDecl() || !is_placed(d->getSourceRange()))) {
        for (const Decl *decl : d->decls())
            variable(llvm::cast<VarDecl>(decl), d, in_head, out);
        return;
    }
    opaque(d, out); // it declares names for the text that follows
}

void Keeper::variable(const VarDecl *var, const DeclStmt *d, bool in_head, Vec *out)
{
    std::string name = var->getNameAsString();
    SourceRange range = var->getLocation();
    symbols[var] = nullptr;
    QualType type = var->getType(), elem;
    if (type->isPointerType())
        return pointer(var, d, out);
    SmallVector<Node *, 4> extents;
    Type t;
    Attempt a = attempt();
    bool is_known = array_extents(type, nullptr, range, extents, &elem) && value_type(elem, range, &t);
    if (failed(a) || !is_known) {
        forget(a);
        return carrier(var, nullptr, d, out);
    }
    bool alone = d->isSingleDecl(), stays = is_marked(var, "__shared__") || var->isStaticLocal() || !extents.empty();
    Node *value = nullptr;
    const Expr *init = var->getInit();
    if (stays && !static_initialiser(var, alone))
        return;
    if (init && !stays) {
        const auto *list = dyn_cast<InitListExpr>(init);
        if (!(value = this->value(list && list->getNumInits() == 1 ? list->getInit(0) : init, t)))
            return;
    }
    Sym *s = local_symbol(var, d, elem, t, extents);
    if (!s)
        return;
    symbols[var] = s;
    if (!in_head)
        scope.push_back(var);
    // A declaration whose text may not move, for what its type names, is printed anew.
    bool anew = !stays && (moves_macros || is_of_place(context.getBaseElementType(type)) || (init && names_local(init)));
    Loc place = !alone || in_head || anew ? claim(range) : claim_leaf(d->getSourceRange(), s);
    if (init && stays && !map_get(&source->whole, (int)s->loc.beg))
        return (void)no(in_head ? R_KEEP_UNKNOWN : R_KEEP_MACRO, range);
    vec_push(ir->arena, out, mk_decl(ir, s, value, place));
}

Sym *Keeper::local_symbol(const VarDecl *var, const DeclStmt *d, QualType elem, Type type, ArrayRef<Node *> extents)
{
    std::string name = var->getNameAsString();
    Loc loc = at(var->getLocation());
    Sym *s = extents.empty() ? sym_new(ir, S_LOCAL, type, name.c_str(), loc)
                             : sym_new_array(ir, S_LOCAL_ARRAY, type, name.c_str(), (int)extents.size(), extents.data(), loc);
    bool shared = is_marked(var, "__shared__"), lasting = var->isStaticLocal() || shared;
    s->is_const = elem.isConstQualified();
    s->is_global = var->isStaticLocal(); // it outlives the call like one
    // Other threads write a shared scalar; all extern __shared__ arrays begin at one place.
    s->is_volatile = elem.isVolatileQualified() || (shared && extents.empty());
    s->alias = lasting || scan->escaped.count(var) ? ALIAS_NAMED : ALIAS_NONE;
    if (var->isLocalExternDecl())
        s->alias = ALIAS_POINTER;
    s->spelling = spelling(var, d);
    if (lasting && !d->isSingleDecl() && !StringRef(s->spelling).contains(shared ? "__shared__" : "static"))
        return no(R_KEEP_UNKNOWN, var->getLocation(), name);
    return s;
}

// The text of its declaration up to the initialiser; nullptr after a fault.
const char *Keeper::declarator(const VarDecl *var, const DeclStmt *d)
{
    std::string words = var->getNameAsString();
    var->getType().getAsStringInternal(words, context.getPrintingPolicy());
    if (var->isStaticLocal())
        words = "static " + words;
    bool has_no_name = words.find("(unnamed") != std::string::npos || words.find("(anonymous") != std::string::npos;
    if (!d->isSingleDecl() && (has_no_name || var->hasAttrs()))
        return no(R_KEEP_UNKNOWN, var->getLocation(), var->getNameAsString());
    return arena_strndup(ir->arena, words.data(), words.size());
}

// A pointer leads to memory that all others may lead to. Where it leads may change: the text that changes it names it.
void Keeper::pointer(const VarDecl *var, const DeclStmt *d, Vec *out)
{
    QualType to = var->getType()->getPointeeType();
    Type t = T_INT;
    bool is_plain = !var->getType().isVolatileQualified() && !scan->escaped.count(var) && scalar_type(to, &t);
    std::string name = var->getNameAsString();
    Node *extent = nullptr;
    Sym *s = sym_new_array(ir, S_ARRAY, is_plain ? t : T_INT, name.c_str(), 1, &extent, at(var->getLocation()));
    s->is_const = to.isConstQualified();
    s->is_volatile = to.isVolatileQualified();
    s->alias = ALIAS_POINTER;
    symbols[var] = is_plain ? s : nullptr;
    scope.push_back(var);
    carrier(var, s, d, out);
}

// A local that is declared and is no scalar; without a symbol of its own, nothing but text names it.
void Keeper::carrier(const VarDecl *var, Sym *s, const DeclStmt *d, Vec *out)
{
    std::string name = var->getNameAsString();
    Node *extent = nullptr, *value = nullptr;
    if (!s) {
        s = sym_new_array(ir, S_ARRAY, T_INT, name.c_str(), 1, &extent, at(var->getLocation()));
        s->alias = ALIAS_POINTER;
    }
    if (!(kept_part(s)->declarator = declarator(var, d)))
        return;
    const auto *made = dyn_cast_or_null<CXXConstructExpr>(var->getInit());
    const bool has_value = var->getInit() && !(made && made->getConstructor()->isDefaultConstructor());
    if (has_value && !(value = as_text(var->getInit(), s->type)))
        return;
    Loc place = d->isSingleDecl() ? claim_leaf(d->getSourceRange(), s) : claim(var->getLocation());
    vec_push(ir->arena, out, mk_decl(ir, s, value, place));
}

} // namespace mikgen
