/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/extract/region.hh"

#include "gen/front/tree/queries.hh"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

// Named constants up to this are the sizes of small things, filters and tuples, and stay constants.
const int64_t kSmallConstant = 16;

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

} // namespace mikgen
