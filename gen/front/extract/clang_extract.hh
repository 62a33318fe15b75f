/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: what a function that becomes a spec (gen/front/extract.h) reaches: variables, constants, arrays, and
// what they need.
//
// A walk over the function's statements keeps what is known at each place: the loops around, and sums that are never negative, from the
// loops' bounds and the conditions on the way. gen/front/extract/clang_extract_extents.hh makes extents of that, clang_extract_text.hh the text.
#ifndef MIKGEN_GEN_FRONT_EXTRACT_CLANG_EXTRACT_HH
#define MIKGEN_GEN_FRONT_EXTRACT_CLANG_EXTRACT_HH

#include <set>
#include <unordered_map>

#include "gen/front/extract/clang_poly.hh"
#include "gen/front/extract.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Preprocessor.h"

namespace
{

// Named constants up to this are the sizes of small things, filters and tuples, and stay constants.
const int64_t kSmallConstant = 16;

// What holds at a place.
struct Known {
    std::vector<const VarDecl *> loops; // variables of the loops around, outermost first
    std::vector<Poly> facts; // never negative
};

// One subscript: a polynomial, and what is added to it and is none.
struct Index {
    Poly sum;
    std::vector<const Expr *> others;
    const Expr *as_written; // the whole, if the text has it at one place
};

// An element or row of an array, or as a value the pointer to it.
struct Place {
    const VarDecl *var = nullptr;
    std::vector<Index> index;
};

struct ArrayUse {
    Place place;
    Known known;
    const Expr *at;
};

// A variable that becomes a parameter.
struct Reached {
    const VarDecl *var;
    bool is_array = false;
    bool is_written = false; // a scalar of file scope: an array of one element
    QualType elem; // of scalars the type itself
    std::vector<std::string> declared; // extents as the declaration has them, "" where it has none
    std::vector<ArrayUse> uses;
    const Expr *other = nullptr; // the first use that is no subscript
    bool is_argument = false; // that is what it is
    // Of gen/front/extract/clang_extract_extents.hh:
    std::vector<std::string> extents;
    std::vector<Monomial> strides; // of all but the last dimension, if one subscript becomes several
    std::vector<const VarDecl *> named; // parameters in the extents
};

// One function, or a loop of it.
class Region
{
  public:
    Region(Front *front, ASTContext &context, Preprocessor &pp, const ExtractOptions *opt, const FunctionDecl *f, const Stmt *body,
           bool is_helper)
        : front(front), context(context), pp(pp), sm(context.getSourceManager()), opt(opt), function(f), body(body), is_helper(is_helper)
    {
    }

    // Everything: what it reaches, and extents. Faults are noted.
    void look();

    const FunctionDecl *function_of() const { return function; }
    const Stmt *body_of() const { return body; }
    const std::vector<std::unique_ptr<Reached>> &reached() const { return all; }
    Reached *reached(const VarDecl *var) const
    {
        const auto known = by_variable.find(var->getCanonicalDecl());
        return known == by_variable.end() ? nullptr : known->second;
    }
    const ArrayUse *use_at(const Expr *e) const
    {
        const auto known = by_expression.find(e);
        return known == by_expression.end() ? nullptr : known->second;
    }
    // What is given to a call as a part of an array that has one subscript.
    const Place *part_at(const Expr *e) const
    {
        const auto known = parts.find(e);
        return known == parts.end() ? nullptr : &known->second;
    }
    // Local pointers that are only other names of places.
    bool is_other_name(const VarDecl *var) const { return names.count(var) != 0; }
    // Variables of the function around a loop that the loop sets before it reads them.
    const std::vector<const VarDecl *> &own() const { return own_variables; }

    // The name that the macro or the enumeration constant has that an integer is, as a parameter; "" if it is none.
    std::string constant_name(const Expr *e) const;
    std::string parameter_name(const std::string &constant) const;
    // What it is called in the file.
    const std::string &constant_of(const std::string &parameter) const { return constant_names.at(parameter); }
    bool is_parameter_constant(const std::string &name) const { return parameter_constants.count(name) != 0; }
    const std::map<std::string, std::string> &constants() const { return parameter_constants; }
    int64_t value_of(const std::string &name) const { return constant_values.at(name); }

    std::vector<const FunctionDecl *> callees; // with a body, in the order of their first calls
    std::map<const FunctionDecl *, const Region *> helpers; // what they do
    std::vector<const Decl *> needed; // tables of constants, types, enumerations
    std::vector<std::string> assumptions; // "lda >= n"
    int loops = 0;

    std::string spelled(const Stmt *s) const; // as C, with the names of constants
    std::vector<Poly> split(const Reached &r, const Poly &p) const;
    // The extents of a variable as its declaration has them, "" where it has none, and what its elements are.
    std::vector<std::string> extents_of(const VarDecl *var, QualType *elem) const
    {
        Reached r = {};
        r.var = var;
        declared_extents(&r);
        *elem = r.elem;
        return r.declared;
    }
    static bool has_loop(const Stmt *s);

  private:
    Front *front;
    ASTContext &context;
    Preprocessor &pp;
    const SourceManager &sm;
    const ExtractOptions *opt;
    const FunctionDecl *function;
    const Stmt *body;
    const bool is_helper;
    std::vector<std::unique_ptr<Reached>> all;
    std::map<const VarDecl *, Reached *> by_variable;
    std::unordered_map<const Expr *, ArrayUse *> by_expression;
    std::vector<std::unique_ptr<ArrayUse>> all_uses;
    bool in_argument = false; // of a call
    std::map<const Expr *, Place> parts;
    std::set<const VarDecl *> names;
    std::set<const VarDecl *> changed;
    std::set<const VarDecl *> inner; // declared in the region
    std::vector<const VarDecl *> own_variables;
    std::map<std::string, std::string> parameter_constants; // name, type
    std::map<std::string, int64_t> constant_values;
    std::map<std::string, std::string> constant_names; // by the parameter's
    std::set<std::string> fixed_constants; // that must stay constants

    Loc at(SourceRange range) const { return ::place(front, sm, context.getLangOpts(), range); }
    void no(Refusal why, SourceRange range, const std::string &name, const std::string &help = "") const
    {
        refuse(front, why, at(range), name);
        help_last(front, help);
    }

    // What is there: before the walk.
    void survey(const Stmt *s, const FunctionDecl *inside);
    void survey_reference(const DeclRefExpr *ref, const FunctionDecl *inside);
    void reach(const VarDecl *var);
    void declared_extents(Reached *r) const;
    void note_extents(const VarDecl *var);
    void need(QualType type);
    std::string constant_in(const Expr *e) const;
    void note_constant(const Expr *e, const std::string &constant);
    void note_constants(const Stmt *s, bool fixed);
    void choose_constants(const Stmt *s);
    bool changes(const Stmt *s, const VarDecl *var) const;
    bool sets_first(const VarDecl *var) const;

    // Polynomials.
    std::optional<Poly> poly(const Expr *e, const Known &known, int depth = 0) const;
    std::optional<Poly> poly_of(const VarDecl *var, const Known &known, int depth) const;
    bool is_of_constants(const Stmt *s) const;
    Index index(const Expr *e, const Known &known) const;
    bool place(const Expr *e, const Known &known, Place *out, int depth = 0) const;
    bool pointer(const Expr *e, const Known &known, Place *out, int depth = 0) const;

    // The walk.
    void walk(const Stmt *s, Known &known);
    void walk_for(const ForStmt *s, Known &known);
    void walk_compound(const CompoundStmt *s, Known &known);
    void walk_call(const CallExpr *e, Known &known);
    void use(const Place &p, const Known &known, const Expr *e);
    bool whole_bytes(const CallExpr *e, const Known &known);
    void learn(const Expr *cond, bool holds, Known *known) const;
    void learn_less(const Expr *a, const Expr *b, bool strict, Known *known) const;
    const VarDecl *counter(const ForStmt *s, int *direction, const Expr **start) const;

    // Extents: gen/front/extract/clang_extract_extents.hh.
    void bounds(const Poly &p, const Known &known, size_t nloops, bool top, std::vector<Poly> *out) const;
    std::optional<Poly> bound(const Poly &p, const Known &known, bool top) const;
    bool covers(const Poly &great, const Poly &small, std::vector<std::string> *assumed) const;
    std::optional<Poly> greatest(const std::vector<Poly> &all, std::vector<std::string> *assumed) const;
    std::optional<Poly> outer_extent(Reached *r, std::vector<std::string> *assumed, const Expr **unknown) const;
    bool separate(Reached *r, std::vector<std::string> *assumed) const;
    void extents(Reached *r);
    void set_outer(Reached *r, const Poly &extent);
    bool given_extents(Reached *r);
    void name_parameters(Reached *r, const Poly &p);
    std::optional<Poly> parse_extent(StringRef text) const;
};

const VarDecl *canonical(const VarDecl *var) { return var->getCanonicalDecl(); }

bool Region::has_loop(const Stmt *s)
{
    if (isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s))
        return true;
    return llvm::any_of(s->children(), [](const Stmt *kid) { return kid && has_loop(kid); });
}

// ---------------------------------------------------------------- what is there

// A macro of the command line is one in all that is compiled with it, the spec's code too: there the parameter needs another name.
std::string Region::parameter_name(const std::string &constant) const
{
    const IdentifierTable &known = pp.getIdentifierTable();
    const auto id = known.find(constant);
    const MacroInfo *macro = id != known.end() ? pp.getMacroInfo(id->getValue()) : nullptr;
    std::string name = constant;
    if (macro && sm.isWrittenInCommandLineFile(macro->getDefinitionLoc()))
        do
            name += "_";
        while (known.find(name) != known.end());
    return name;
}

// The macro or enumerator that an expression is; "" if none.
std::string Region::constant_in(const Expr *e) const
{
    if (const auto *ref = dyn_cast<DeclRefExpr>(e))
        return isa<EnumConstantDecl>(ref->getDecl()) ? ref->getDecl()->getNameAsString() : "";
    if (!isa<IntegerLiteral>(e) || !e->getBeginLoc().isMacroID())
        return "";
    const StringRef name = Lexer::getImmediateMacroName(e->getBeginLoc(), sm, context.getLangOpts());
    IdentifierInfo *id = pp.getIdentifierInfo(name);
    const MacroInfo *macro = id ? pp.getMacroInfo(id) : nullptr;
    if (!macro || macro->isFunctionLike())
        return "";
    const size_t n = macro->getNumTokens();
    const Token &token = macro->getReplacementToken(n == 3 ? 1 : 0);
    const bool good = token.is(tok::numeric_constant) && (n == 1 || (n == 3 && macro->getReplacementToken(0).is(tok::l_paren)));
    return good ? name.str() : "";
}

std::string Region::constant_name(const Expr *e) const
{
    const std::string constant = constant_in(e);
    return constant.empty() ? "" : parameter_name(constant);
}

void Region::note_constant(const Expr *e, const std::string &constant)
{
    const std::string name = parameter_name(constant);
    constant_names[name] = constant;
    Expr::EvalResult value;
    if (!e->EvaluateAsInt(value, context))
        return;
    constant_values[name] = value.Val.getInt().getExtValue();
    QualType type = e->getType();
    if (type->isEnumeralType() || isa<DeclRefExpr>(e))
        type = context.IntTy;
    if (!fixed_constants.count(name) && constant_values[name] > kSmallConstant)
        parameter_constants[name] = type.getUnqualifiedType().getAsString(context.getPrintingPolicy());
}

// Of extents and the bounds of loops.
void Region::note_constants(const Stmt *s, bool fixed)
{
    if (const auto *e = dyn_cast<Expr>(s))
        if (const std::string constant = constant_in(e); !constant.empty()) {
            if (fixed)
                fixed_constants.insert(parameter_name(constant));
            else
                note_constant(e, constant);
        }
    for (const Stmt *kid : s->children())
        if (kid)
            note_constants(kid, fixed);
}

// Those that say how far loops go; what must be constant is known.
void Region::choose_constants(const Stmt *s)
{
    if (const auto *loop = dyn_cast<ForStmt>(s)) {
        if (loop->getInit())
            note_constants(loop->getInit(), false);
        if (loop->getCond())
            note_constants(loop->getCond(), false);
    }
    for (const Stmt *kid : s->children())
        if (kid)
            choose_constants(kid);
}

// Types and tables that the spec declares, in the order in which they are met.
void Region::need(QualType type)
{
    type = context.getBaseElementType(type);
    while (type->isPointerType())
        type = context.getBaseElementType(type->getPointeeType());
    const Decl *d = nullptr;
    if (const auto *t = type->getAs<TypedefType>())
        d = t->getDecl();
    else if (const auto *r = type->getAs<RecordType>())
        d = r->getDecl();
    else if (const auto *e = type->getAs<EnumType>())
        d = e->getDecl();
    if (!d || sm.isInSystemHeader(d->getLocation()) || llvm::is_contained(needed, d) || !is_written(sm, d->getLocation()))
        return;
    if (const auto *t = dyn_cast<TypedefNameDecl>(d))
        need(t->getUnderlyingType());
    if (const auto *r = dyn_cast<RecordDecl>(d))
        for (const FieldDecl *field : r->fields())
            need(field->getType());
    needed.push_back(d);
}

// What says the same as the type where it is written.
static TypeLoc without_names(TypeLoc loc)
{
    while (!loc.isNull()) {
        const auto name = loc.getAs<TypedefTypeLoc>();
        if (const auto paren = loc.getAs<ParenTypeLoc>())
            loc = paren.getInnerLoc();
        else if (const auto qualified = loc.getAs<QualifiedTypeLoc>())
            loc = qualified.getUnqualifiedLoc();
        else if (const auto adjusted = loc.getAs<AdjustedTypeLoc>())
            loc = adjusted.getOriginalLoc();
        else if (!name.isNull() && (name.getType()->isArrayType() || name.getType()->isPointerType()))
            loc = name.getTypedefNameDecl()->getTypeSourceInfo()->getTypeLoc();
        else
            break;
    }
    return loc;
}

// Named constants among the extents of a declaration.
void Region::note_extents(const VarDecl *var)
{
    TypeLoc loc = var->getTypeSourceInfo() ? without_names(var->getTypeSourceInfo()->getTypeLoc()) : TypeLoc();
    while (!loc.isNull())
        if (const auto array = loc.getAs<ArrayTypeLoc>()) {
            if (array.getSizeExpr())
                note_constants(array.getSizeExpr(), false);
            loc = without_names(array.getElementLoc());
        } else if (const auto to = loc.getAs<PointerTypeLoc>()) {
            loc = without_names(to.getPointeeLoc());
        } else {
            return;
        }
}

void Region::declared_extents(Reached *r) const
{
    const VarDecl *var = r->var;
    QualType type = isa<ParmVarDecl>(var) ? llvm::cast<ParmVarDecl>(var)->getOriginalType() : var->getType();
    if (const auto *decayed = type->getAs<DecayedType>())
        type = decayed->getOriginalType();
    TypeLoc loc = var->getTypeSourceInfo() ? var->getTypeSourceInfo()->getTypeLoc() : TypeLoc();
    for (bool first = true;; first = false) {
        loc = without_names(loc);
        const ArrayType *array = context.getAsArrayType(type);
        if (!array && !(first && type->isPointerType()))
            break;
        r->is_array = true;
        const auto size = loc.isNull() ? ArrayTypeLoc() : loc.getAs<ArrayTypeLoc>();
        const Expr *e = !size.isNull() ? size.getSizeExpr() : nullptr;
        std::string text;
        if (e) {
            const std::optional<Poly> p = poly(e, Known());
            text = p ? p->text() : spelled(e);
        } else if (const auto *known = dyn_cast_or_null<ConstantArrayType>(array)) {
            text = std::to_string(known->getSize().getSExtValue());
        }
        r->declared.push_back(text);
        if (array) {
            type = array->getElementType();
            loc = size.isNull() ? TypeLoc() : size.getElementLoc();
        } else {
            type = type->getPointeeType();
            const auto to = loc.isNull() ? PointerTypeLoc() : loc.getAs<PointerTypeLoc>();
            loc = to.isNull() ? TypeLoc() : to.getPointeeLoc();
        }
    }
    r->elem = type;
}

void Region::reach(const VarDecl *var)
{
    auto r = std::make_unique<Reached>();
    r->var = var;
    by_variable[canonical(var)] = r.get();
    if (isa<ParmVarDecl>(var) && inner.count(var))
        return;
    if (const VarDecl *definition = var->isFileVarDecl() ? var->getDefinition() : nullptr)
        r->var = definition;
    need(r->var->getType());
    all.push_back(std::move(r));
}

void Region::survey_reference(const DeclRefExpr *ref, const FunctionDecl *inside)
{
    if (const auto *fd = dyn_cast<FunctionDecl>(ref->getDecl())) {
        const FunctionDecl *definition = fd->getDefinition();
        if (definition && !sm.isInSystemHeader(definition->getLocation()) && !llvm::is_contained(callees, definition))
            callees.push_back(definition);
        return;
    }
    if (const auto *constant = dyn_cast<EnumConstantDecl>(ref->getDecl())) {
        const auto *list = llvm::cast<EnumDecl>(constant->getDeclContext());
        if (!llvm::is_contained(needed, list))
            needed.push_back(list);
        return;
    }
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    if (!var || inner.count(var) || by_variable.count(canonical(var)))
        return;
    const VarDecl *definition = var->isFileVarDecl() ? var->getDefinition() : nullptr;
    const QualType elem = context.getBaseElementType(var->getType());
    if (definition && elem.isConstQualified() && definition->hasInit() && !elem->isPointerType()) {
        if (!llvm::is_contained(needed, definition)) {
            need(definition->getType());
            note_constants(definition->getInit(), true);
            needed.push_back(definition);
        }
        return;
    }
    if (!var->isFileVarDecl() && !inner.count(var) && body != function->getBody() && !isa<ParmVarDecl>(var) && sets_first(var)) {
        by_variable[canonical(var)] = nullptr;
        own_variables.push_back(var);
        inner.insert(var);
        return;
    }
    if (var->isFileVarDecl() && is_helper)
        return no(R_EXTRACT_HELPER, ref->getSourceRange(), var->getNameAsString());
    (void)inside;
    reach(var);
}

void Region::survey(const Stmt *s, const FunctionDecl *inside)
{
    if (isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s))
        loops++;
    if (const auto *d = dyn_cast<DeclStmt>(s))
        for (const Decl *decl : d->decls())
            if (const auto *var = dyn_cast<VarDecl>(decl)) {
                inner.insert(var);
                need(var->getType());
                if (const auto *array = context.getAsConstantArrayType(var->getType()); array && var->hasInit() && array->getSizeExpr())
                    note_constants(array->getSizeExpr(), true);
            }
    if (const auto *label = dyn_cast<CaseStmt>(s))
        note_constants(label->getLHS(), true);
    if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp())
        if (const VarDecl *var = as_variable(b->getLHS()))
            changed.insert(canonical(var));
    if (const auto *u = dyn_cast<UnaryOperator>(s); u && (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf))
        if (const VarDecl *var = as_variable(u->getSubExpr()))
            changed.insert(canonical(var));
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        survey_reference(ref, inside);
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(s))
        need(cast->getTypeAsWritten());
    for (const Stmt *kid : s->children())
        if (kid)
            survey(kid, inside);
}

bool Region::changes(const Stmt *s, const VarDecl *var) const
{
    const auto *b = dyn_cast<BinaryOperator>(s);
    const auto *u = dyn_cast<UnaryOperator>(s);
    if (b && b->isAssignmentOp() && as_variable(b->getLHS()) == var)
        return true;
    if (u && (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf) && as_variable(u->getSubExpr()) == var)
        return true;
    return llvm::any_of(s->children(), [&](const Stmt *kid) { return kid && changes(kid, var); });
}

// The first thing that happens to it in the text, if it is a plain assignment or the head of a loop; and nothing behind the region reads it.
static const Stmt *first_mention(const Stmt *s, const VarDecl *var)
{
    if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->getOpcode() == BO_Assign && as_variable(b->getLHS()) == var) {
        const Stmt *inside = first_mention(b->getRHS(), var);
        return inside ? inside : b;
    }
    if (const auto *ref = dyn_cast<DeclRefExpr>(s); ref && ref->getDecl() == var)
        return ref;
    for (const Stmt *kid : s->children())
        if (const Stmt *found = kid ? first_mention(kid, var) : nullptr)
            return found;
    return nullptr;
}

static const Stmt *mention_behind(const Stmt *s, const VarDecl *var, const Stmt *region, bool *behind)
{
    if (s == region) {
        *behind = true;
        return nullptr;
    }
    if (*behind)
        return first_mention(s, var);
    for (const Stmt *kid : s->children())
        if (const Stmt *found = kid ? mention_behind(kid, var, region, behind) : nullptr)
            return found;
    return nullptr;
}

bool Region::sets_first(const VarDecl *var) const
{
    bool behind = false;
    const Stmt *first = first_mention(body, var), *next = mention_behind(function->getBody(), var, body, &behind);
    return var->getType()->isScalarType() && !isa_and_nonnull<DeclRefExpr>(first) && !isa_and_nonnull<DeclRefExpr>(next);
}

} // namespace

#endif
