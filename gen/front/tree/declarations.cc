/* SPDX-License-Identifier: GPL-3.0-or-later */
// Types, variables and functions.
#include <utility>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"
#include "clang/AST/DeclCXX.h"

namespace mikgen
{

// ---------------------------------------------------------------- types

bool Builder::scalar_type(QualType type, Type *out)
{
    type = type.getCanonicalType();
    if (const auto *e = type->getAs<EnumType>(); e && keeps && context.getLangOpts().CPlusPlus)
        return false; // no number becomes one by itself
    else if (e)
        type = e->getDecl()->getIntegerType().getCanonicalType();
    if (const auto *r = type->getAs<RecordType>(); r && !keeps && !is_written(sm, r->getDecl()->getLocation())) {
        const StringRef name = r->getDecl()->getName();
        *out = name == "__nv_fp8_e4m3" ? T_E4M3 : T_E5M2;
        return *out == T_E4M3 || name == "__nv_fp8_e5m2";
    }
    const auto *b = dyn_cast_or_null<BuiltinType>(type.isNull() ? nullptr : type.getTypePtr());
    if (!b)
        return false;
    switch (b->getKind()) {
    case BuiltinType::Bool: *out = T_BOOL; return true;
    case BuiltinType::Char_S:
    case BuiltinType::Char_U: *out = T_CHAR; return true;
    case BuiltinType::SChar: *out = T_SCHAR; return true;
    case BuiltinType::UChar: *out = T_UCHAR; return true;
    case BuiltinType::Short: *out = T_SHORT; return true;
    case BuiltinType::UShort: *out = T_USHORT; return true;
    case BuiltinType::Int: *out = T_INT; return true;
    case BuiltinType::UInt: *out = T_UINT; return true;
    case BuiltinType::Long: *out = T_LONG; return true;
    case BuiltinType::ULong: *out = T_ULONG; return true;
    case BuiltinType::LongLong: *out = T_LLONG; return true;
    case BuiltinType::ULongLong: *out = T_ULLONG; return true;
    case BuiltinType::Float16: *out = T_HALF; return !keeps; // generated code has them as their bits
    case BuiltinType::BFloat16: *out = T_BF16; return !keeps;
    case BuiltinType::Float: *out = T_FLOAT; return true;
    case BuiltinType::Double: *out = T_DOUBLE; return true;
    case BuiltinType::LongDouble: *out = T_LDOUBLE; return true;
    default: return false;
    }
}

// The type of something that has a value, or a fault that names what it is instead.
bool Builder::value_type(QualType type, SourceRange range, Type *out)
{
    QualType c = type.getCanonicalType();
    if ((c.isVolatileQualified() && !keeps) || c->isAtomicType())
        no(R_VOLATILE, range);
    else if (scalar_type(type, out))
        return true;
    else if (c->isAnyComplexType())
        no(R_COMPLEX, range);
    else if (c->isSpecificBuiltinType(BuiltinType::Int128) || c->isSpecificBuiltinType(BuiltinType::UInt128))
        no(R_INT128, range);
    else if (c->isRecordType())
        no(keeps ? R_STRUCT : R_STRUCT_VALUE, range);
    else if (c->isFunctionPointerType() || c->isFunctionType())
        no(R_FUNC_POINTER, range);
    else if (c->isPointerType() || c->isArrayType())
        no(R_TOO_FEW, range);
    else
        no(R_TYPE, range, type.getUnqualifiedType().getAsString(context.getPrintingPolicy()));
    return false;
}

// "int64_t" and its like when the declaration goes through one, else NULL.
const char *Builder::standard_spelling(QualType type)
{
    while (const auto *t = type->getAs<TypedefType>()) {
        const TypedefNameDecl *decl = t->getDecl();
        const StringRef name = decl->getName() == "ssize_t" ? "ptrdiff_t" : decl->getName(); // which C itself has
        if (!is_written(sm, decl->getLocation()) && name.ends_with("_t"))
            return arena_strndup(ir->arena, name.data(), name.size());
        type = decl->getUnderlyingType();
    }
    return nullptr;
}

// ---------------------------------------------------------------- declarations

static bool is_extent_expr(const Node *n)
{
    if (n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_REF || n->kind == N_FLOAT)
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!is_extent_expr(n->kid[i]))
            return false;
    return true;
}

bool Builder::array_extents(QualType type, const ParmVarDecl *param, SourceRange range, SmallVectorImpl<Node *> &extents, QualType *elem)
{
    while (const ArrayType *a = context.getAsArrayType(type)) {
        if (const auto *c = dyn_cast<ConstantArrayType>(a)) {
            int64_t n = c->getSize().getSExtValue();
            extents.push_back(mk_int(ir, n <= INT32_MAX ? T_INT : T_LONG, n));
        } else if (const auto *v = dyn_cast<VariableArrayType>(a)) {
            if (!v->getSizeExpr())
                return no(R_STAR_EXTENT, range), false;
            Node *n = in_context(R_EFFECT_SUB, v->getSizeExpr());
            if (!n)
                return false;
            if (!is_extent_expr(n))
                return no(R_EXTENT, v->getSizeExpr()->getSourceRange()), false;
            extents.push_back(n);
        } else if (keeps) {
            extents.push_back(nullptr);
        } else {
            return no_but(param ? Suggest(context).declaration(param) : "", R_OPEN_EXTENT, range, param ? param->getNameAsString() : ""),
                   false;
        }
        type = a->getElementType();
    }
    *elem = type;
    return true;
}

// What to declare instead of a pointer.
std::string Builder::pointer_parameter(const ParmVarDecl *param)
{
    const auto *record = param->getType()->getPointeeType()->getAs<RecordType>();
    const std::string name = param->getNameAsString(), array = Suggest(context).declaration(param);
    if (array.empty() && record && record->isStructureType())
        return "pass its members by themselves: '" + member_list(record->getDecl(), name + "_", ", ") + "'";
    return array.empty() ? Suggest(context).one_element(param) : array;
}

Sym *Builder::parameter(const ParmVarDecl *param, bool is_helper)
{
    std::string name = param->getNameAsString();
    QualType type = param->getOriginalType();
    if (const auto *decayed = type->getAs<DecayedType>())
        type = decayed->getOriginalType();
    SourceRange range = param->getLocation();
    if (type->isFunctionType() || type->isFunctionPointerType())
        return no(R_FUNC_POINTER, range);
    if (type->isPointerType())
        return no_but(pointer_parameter(param), R_POINTER_PARAM, range, name);
    SmallVector<Node *, 4> extents;
    QualType elem;
    Type t;
    if (!array_extents(type, param, range, extents, &elem))
        return nullptr;
    if (elem->isRecordType() && !keeps && !scalar_type(elem, &t))
        return struct_parameter(param, extents, elem, is_helper);
    if (complex_type(elem, &t) && extents.empty())
        return complex_scalar(param, S_PARAM, t), nullptr;
    if (complex_type(elem, &t))
        extents.push_back(mk_int(ir, T_INT, 2));
    else if (!value_type(elem, range, &t))
        return nullptr;
    Sym *s = extents.empty() ? sym_new(ir, S_PARAM, t, name.c_str(), at(range))
                             : sym_new_array(ir, S_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), at(range));
    s->part = elem->isAnyComplexType() ? COMPLEX_BOTH : COMPLEX_NONE;
    s->is_const = elem.isConstQualified();
    s->is_restrict = param->getType().isRestrictQualified();
    s->spelling = standard_spelling(elem);
    return s;
}

// A scalar that outlives the call.
std::string Builder::kept_by_caller(const VarDecl *var)
{
    Type type;
    if (var->getStorageClass() != SC_Static || !scalar_type(var->getType(), &type))
        return "";
    const std::string name = var->getNameAsString(), words = var->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy());
    return "the caller keeps it: add the parameter '" + words + " " + name + "[1]', and write '" + name + "[0]' here";
}

void Builder::local(const VarDecl *var, Vec *out)
{
    std::string name = var->getNameAsString();
    SourceRange range = var->getLocation();
    const bool is_constant = context.getBaseElementType(var->getType()).isConstQualified() && var->getInit();
    if (!keeps && is_constant && var->getType()->isConstantArrayType() && table(var))
        return;
    symbols[var] = nullptr;
    if (var->getStorageClass() == SC_Extern || (var->getStorageClass() == SC_Static && !is_constant))
        return (void)no_but(kept_by_caller(var), var->getStorageClass() == SC_Static ? R_STATIC : R_EXTERN, range, name);
    QualType type = var->getType(), elem;
    if (type->isPointerType() && !type->isFunctionPointerType())
        return (void)no_but(keeps ? "" : Suggest(context).row_itself(var), R_POINTER_VAR, range, name);
    SmallVector<Node *, 4> extents;
    Type t;
    if (!array_extents(type, nullptr, range, extents, &elem))
        return;
    if (elem->isRecordType() && !keeps && !scalar_type(elem, &t))
        return struct_local(var, extents, elem, out);
    if (complex_type(elem, &t) && extents.empty())
        return complex_local(var, t, out);
    if (complex_type(elem, &t))
        extents.push_back(mk_int(ir, T_INT, 2));
    else if (!value_type(elem, range, &t))
        return;
    const Expr *init = var->getInit();
    const auto *list = init ? dyn_cast<InitListExpr>(init) : nullptr;
    if (!extents.empty()) {
        Sym *s = sym_new_array(ir, S_LOCAL_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), at(range));
        s->is_const = elem.isConstQualified() && !list;
        symbols[var] = s;
        if (init && !list)
            return (void)no(R_STRING, init->getSourceRange());
        vec_push(ir->arena, out, mk_decl(ir, s, nullptr, at(range)));
        if (list)
            fill_local(var, s, list, out);
        return;
    }
    if (list && list->getNumInits() == 1)
        init = list->getInit(0);
    Vec after = {};
    Node *value = init ? full_expr(init, init, out, &after) : nullptr;
    if (init && !value)
        return;
    Sym *s = sym_new(ir, S_LOCAL, t, name.c_str(), at(range));
    s->is_const = elem.isConstQualified();
    vec_push(ir->arena, out, mk_decl(ir, s, value, at(range)));
    append(out, after);
    symbols[var] = s;
}

// An operator's entry returns a status: what the spec returns goes to a parameter behind the others, and the operator is one without a value.
Sym *Builder::place_of_value(Func *f, QualType type)
{
    const bool is_complex = type->isAnyComplexType();
    Node *extents[] = {mk_int(ir, T_INT, 1), mk_int(ir, T_INT, 2)};
    Sym *s = sym_new_array(ir, S_ARRAY, f->result, "result", is_complex ? 2 : 1, extents, f->loc);
    s->spelling = standard_spelling(type);
    s->part = is_complex ? COMPLEX_BOTH : COMPLEX_NONE;
    f->result = T_VOID;
    return s;
}

Func *Builder::function(const FunctionDecl *fd, bool is_helper)
{
    std::string name = fd->getNameAsString();
    int faults = front->faults.count;
    Func *f = arena_new_array(ir->arena, Func, 1);
    f->name = arena_strndup(ir->arena, name.data(), name.size());
    f->is_helper = is_helper;
    f->loc = at(fd->getLocation());
    QualType result = fd->getReturnType();
    if (fd->isVariadic())
        return no(R_VARIADIC, fd->getLocation(), name);
    if (!fd->hasWrittenPrototype() && fd->getNumParams())
        return no(R_OLD_STYLE, fd->getLocation(), name);
    if (fd->isMain())
        return no(R_MAIN, fd->getLocation(), name);
    f->result = T_VOID;
    if (!result->isVoidType() && (result->isPointerType() || (result->isRecordType() && !scalar_type(result, &f->result))))
        return no(R_HELPER_RESULT, fd->getLocation(), name);
    if (!result->isVoidType() && !complex_type(result, &f->result) && !value_type(result, fd->getLocation(), &f->result))
        return nullptr;
    if (result->isAnyComplexType() && is_helper)
        f->name = arena_printf(ir->arena, "%s_%s", f->name, returned_part ? "im" : "re");
    const Vec outer_entry = std::exchange(entry, Vec{});
    for (const ParmVarDecl *param : fd->parameters())
        symbols[param] = parameter(param, is_helper);
    if (!is_helper && f->result != T_VOID)
        f->returned = place_of_value(f, result);
    Sym *outer = std::exchange(returned, f->returned);
    building[fd] = true;
    f->body = block(fd->getBody());
    building[fd] = false;
    if (entry.count) {
        for (int i = 0; i < f->body->nkids; i++)
            vec_push(ir->arena, &entry, f->body->kid[i]);
        f->body = mk_block(ir, entry.count, (Node *const *)entry.items, at(fd->getBody()->getSourceRange()));
    }
    entry = outer_entry;
    returned = outer;
    parameters(fd, f);
    return front->faults.count == faults ? f : nullptr;
}

// A function that is inlined where it is called. There are two of one whose result is complex, one for each part of it; and one for each set
// of parameters, by bits, that are elements of arrays of structs.
Inlined Builder::helper(const FunctionDecl *fd, SourceRange use, unsigned as_rows, int part)
{
    if (building.lookup(fd))
        return no(R_RECURSION, use, fd->getNameAsString()), Inlined{};
    auto known = helpers.find({fd, as_rows * 2 + (unsigned)part});
    if (known != helpers.end())
        return known->second;
    const int outer_part = std::exchange(returned_part, part);
    const unsigned outer_rows = std::exchange(rows, as_rows);
    Refusal outer = effect;
    Sequence *caller = sequence;
    effect = R_EFFECT_VALUE;
    sequence = nullptr;
    Func *f = function(fd, true);
    effect = outer;
    sequence = caller;
    returned_part = outer_part;
    rows = outer_rows;
    Inlined version;
    for (const ParmVarDecl *param : fd->parameters()) {
        version.symbols.push_back(symbols.lookup(param));
        version.values.push_back(struct_values.lookup(param));
    }
    if (f) {
        version.s = sym_new(ir, S_FUNC, f->result, f->name, f->loc);
        version.s->func = f;
        Definition *d = arena_new_array(ir->arena, Definition, 1);
        *d = {f, at(fd->getSourceRange())};
        vec_push(ir->arena, &front->helpers, d);
    }
    return helpers[{fd, as_rows * 2 + (unsigned)part}] = version;
}

// Makes the parameters those of this version.
void Builder::use_parameters(const FunctionDecl *fd, const Inlined &version)
{
    for (unsigned i = 0; i < version.symbols.size(); i++) {
        const ParmVarDecl *param = fd->getParamDecl(i);
        symbols[param] = version.symbols[i];
        struct_values.erase(param);
        if (version.values[i])
            struct_values[param] = version.values[i];
    }
}

// Constants at file scope are folded where they are used; anything else is refused.
void Builder::global(const VarDecl *var)
{
    Type t;
    Expr::EvalResult value;
    bool is_constant = var->getType().isConstQualified() && scalar_type(var->getType(), &t) && var->getInit() &&
                       var->getInit()->EvaluateAsRValue(value, context);
    QualType type = var->getType();
    if (is_constant || table(var))
        return;
    const bool never_changes = context.getBaseElementType(type).isConstQualified();
    const Refusal array = never_changes ? R_TABLE_VALUES : R_GLOBAL_ARRAY;
    no(type->isRecordType() ? R_STRUCT_GLOBAL : type->isArrayType() ? array : R_GLOBAL, var->getLocation(), var->getNameAsString());
}

// Of a file that the spec includes, what it does not use may be anything.
void Builder::included(const Decl *d)
{
    const auto *fd = dyn_cast<FunctionDecl>(d);
    if (fd && fd->isThisDeclarationADefinition() && fd->isExternallyVisible() && is_written(sm, d->getLocation()))
        no(R_INCLUDED_OPERATOR, d->getLocation(), fd->getNameAsString());
}

void Builder::translation_unit()
{
    for (const Decl *d : context.getTranslationUnitDecl()->decls()) {
        if (!sm.isWrittenInMainFile(sm.getFileLoc(d->getLocation())) || d->isImplicit()) {
            included(d);
            continue;
        }
        if (const auto *fd = dyn_cast<FunctionDecl>(d)) {
            if (!fd->isThisDeclarationADefinition())
                continue;
            if (!fd->isExternallyVisible()) {
                helper(fd, fd->getLocation());
            } else if (Func *f = function(fd, false)) {
                Definition *def = arena_new_array(ir->arena, Definition, 1);
                *def = {f, at(fd->getSourceRange())};
                vec_push(ir->arena, &front->operators, def);
            }
        } else if (const auto *var = dyn_cast<VarDecl>(d)) {
            global(var);
        } else if (const auto *rd = dyn_cast<RecordDecl>(d)) {
            if (rd->isThisDeclarationADefinition())
                struct_type(rd);
        } else if (isa<FileScopeAsmDecl>(d)) {
            no(R_INLINE_ASM, d->getLocation());
        } else if (!isa<TypedefDecl>(d) && !isa<EnumDecl>(d) && !isa<EmptyDecl>(d) && !isa<StaticAssertDecl>(d)) {
            no(R_DECL, d->getSourceRange());
        }
    }
}

} // namespace mikgen
