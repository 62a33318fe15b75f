/* SPDX-License-Identifier: GPL-3.0-or-later */
// Parameters that are structs, by value.
//
// An operator has a scalar parameter for each scalar in the struct, in the order of memory: float s_alpha, int s_pad_0, int s_pad_1. Elements
// at constant subscripts are those; a local array has them for other subscripts. A helper has a scalar or an array for each member; or, for
// elements of arrays of structs that cannot change meanwhile, arrays over the element's bytes, as arrays of structs have.
#include "gen/front/tree/builder.hh"
#include "gen/front/tree/struct_locals.hh"
#include "gen/front/tree/tables.hh"

namespace mikgen
{

// ---------------------------------------------------------------- parameters

void Builder::add_scalar(StructArray *value, ArrayRef<const FieldDecl *> path, const std::string &name, const std::string &place,
                         const StructPart &whole)
{
    Leaf *leaf = &*llvm::find_if(value->leaves, [=](const Leaf &one) { return ArrayRef(one.path) == path; });
    Sym *s = sym_new(ir, S_PARAM, leaf->member->type, name.c_str(), value->loc);
    s->spelling = leaf->member->spelling;
    auto *part = arena_new_array(ir->arena, StructPart, 1);
    *part = whole;
    part->place = arena_strndup(ir->arena, place.data(), place.size());
    s->struct_part = part;
    value->scalars.push_back(s);
    if (leaf->dims.empty())
        leaf->view = s;
    else
        leaf->elements.push_back(s);
}

// The scalars of a part of `type`, which the members `path` lead to: `name` to callees and `place` in C, "s_pad_0" and ".pad[0]".
void Builder::add_scalars(StructArray *value, QualType type, ArrayRef<const FieldDecl *> path, const std::string &name,
                          const std::string &place, const StructPart &whole)
{
    if (const auto *a = context.getAsConstantArrayType(type)) {
        for (int64_t i = 0; i < a->getSize().getSExtValue(); i++) {
            const std::string at = std::to_string(i);
            add_scalars(value, a->getElementType(), path, name + "_" + at, place + "[" + at + "]", whole);
        }
        return;
    }
    if (is_struct(type)) {
        for (const FieldDecl *field : type->castAs<RecordType>()->getDecl()->getDefinition()->fields()) {
            SmallVector<const FieldDecl *, 2> longer(path.begin(), path.end());
            longer.push_back(field);
            const std::string word = field->getNameAsString();
            add_scalars(value, field->getType(), longer, name + "_" + word, place + "." + word, whole);
        }
        return;
    }
    if (Type part; complex_type(type, &part)) {
        add_scalar(value, path, name + "_re", place + "[0]", whole);
        add_scalar(value, path, name + "_im", place + "[1]", whole);
    } else {
        add_scalar(value, path, name, place, whole);
    }
}

// Whether the struct is short enough to be handed over scalar by scalar.
bool Builder::is_short(const StructArray *value, const ParmVarDecl *param)
{
    for (const Leaf &leaf : value->leaves) {
        if (elements(leaf.dims) <= kMaxSingly)
            continue;
        const FieldDecl *field = leaf.path.back();
        std::string text = param->getNameAsString() + "_" + field->getNameAsString();
        field->getType().getAsStringInternal(text, context.getPrintingPolicy());
        return no_but("pass it as an array parameter: 'const " + text + "'", R_STRUCT_PARAM, param->getLocation(),
                      field->getNameAsString()),
               false;
    }
    return true;
}

// A helper's parameter: a symbol for each member.
void Builder::declare_members(StructArray *value, const ParmVarDecl *param)
{
    const Paths used = used_of_parameter(llvm::cast<FunctionDecl>(param->getDeclContext()), param->getFunctionScopeIndex(), 0);
    for (Leaf &leaf : value->leaves) {
        const char *name = leaf.name.c_str();
        if (!is_used_path(leaf.path, used))
            continue;
        if (leaf.dims.empty()) {
            leaf.view = sym_new(ir, S_PARAM, leaf.member->type, name, value->loc);
        } else {
            leaf.view = sym_new_array(ir, S_ARRAY, leaf.member->type, name, (int)leaf.dims.size(), leaf.dims.data(), value->loc);
            leaf.view->is_const = true;
        }
    }
}

// Stands for the parameter. What the body assigns to, and has arrays in it, is a copy.
void Builder::struct_value(const ParmVarDecl *param, const RecordDecl *rd, bool is_helper)
{
    const std::string name = param->getNameAsString();
    const StructType *type = struct_type(rd);
    arrays.push_back(std::make_unique<StructArray>());
    StructArray *value = arrays.back().get();
    value->loc = at(param->getLocation());
    add_leaves(value, rd, {{}, name, {}, nullptr, nullptr, {}});
    if (is_helper)
        declare_members(value, param);
    else if (is_short(value, param))
        add_scalars(value, context.getRecordType(rd), {}, name, "", {type, arena_strndup(ir->arena, name.data(), name.size()), ""});
    else
        return;
    struct_locals[param] = struct_values[param] = value;
    const bool has_arrays = llvm::any_of(value->leaves, [](const Leaf &leaf) { return !leaf.dims.empty(); });
    if (!has_arrays || !changes_part(llvm::cast<FunctionDecl>(param->getDeclContext())->getBody(), param))
        return;
    arrays.push_back(std::make_unique<StructArray>());
    Access own, given;
    own.array = arrays.back().get();
    given.array = value;
    add_leaves(own.array, rd, {{}, name, {}, nullptr, nullptr, {}});
    declare_leaves(param, own.array, {}, &entry);
    put_copy(own, &given, context.getRecordType(rd), param->getLocation(), &entry);
    struct_locals[param] = own.array;
}

// The array of the elements for subscripts that are not constant. It is filled where the function begins.
Sym *Builder::array_of_elements(Leaf *leaf)
{
    if (leaf->view)
        return leaf->view;
    const Loc loc = leaf->elements[0]->loc;
    leaf->view = sym_new_array(ir, S_LOCAL_ARRAY, leaf->member->type, leaf->name.c_str(), (int)leaf->dims.size(), leaf->dims.data(), loc);
    Vec filled = {};
    vec_push(ir->arena, &filled, mk_decl(ir, leaf->view, nullptr, loc));
    for (size_t i = 0; i < leaf->elements.size(); i++) {
        SmallVector<Node *, 4> subscripts;
        int64_t rest = (int64_t)i;
        for (size_t d = leaf->dims.size(); d-- > 0; rest /= leaf->dims[d]->u.i)
            subscripts.insert(subscripts.begin(), mk_int(ir, T_INT, rest % leaf->dims[d]->u.i));
        vec_push(ir->arena, &filled,
                 mk_store(ir, leaf->view, (int)subscripts.size(), subscripts.data(), mk_var(ir, leaf->elements[i]), N_NONE, loc));
    }
    append(&filled, entry); // what is there already may use it
    entry = filled;
    return leaf->view;
}

// The scalar or the array that stands for a member of a parameter or of a variable at these subscripts, which change with it.
Sym *Builder::member_symbol(Leaf *leaf, SmallVectorImpl<Node *> &subscripts)
{
    if (leaf->elements.empty())
        return leaf->view;
    int64_t at = 0;
    bool known = subscripts.size() == leaf->dims.size();
    for (size_t d = 0; known && d < subscripts.size(); d++) {
        known = subscripts[d]->kind == N_INT && subscripts[d]->u.i >= 0 && subscripts[d]->u.i < leaf->dims[d]->u.i;
        at = known ? at * leaf->dims[d]->u.i + subscripts[d]->u.i : 0;
    }
    if (!known)
        return array_of_elements(leaf);
    subscripts.clear();
    return leaf->elements[(size_t)at];
}

// ---------------------------------------------------------------- arguments

// Whether a call may change what the argument names before the callee has read it.
static bool changes_argument(const CallExpr *e, const FunctionDecl *fd, const Expr *arg, bool is_array)
{
    const VarDecl *var = changed_by(arg);
    bool found = false;
    for (unsigned i = 0; i < fd->getNumParams() && fd->getReturnType()->isVoidType(); i++) {
        const QualType type = fd->getParamDecl(i)->getType();
        const bool writes = type->isPointerType() && !type->getPointeeType().isConstQualified();
        found = found || (writes && (is_array || changed_by(e->getArg(i)) == var));
    }
    return found;
}

// Whether the argument is an element of an array of structs that the callee can have where it is.
bool Builder::is_row(const CallExpr *e, const FunctionDecl *fd, unsigned i)
{
    const ParmVarDecl *param = fd->getParamDecl(i);
    const Expr *arg = bare(e->getArg(i)), *base = arg;
    if (i >= 31 || !is_struct(param->getType()) || changes_part(fd->getBody(), param))
        return false;
    while (const auto *s = dyn_cast<ArraySubscriptExpr>(base))
        base = bare(s->getBase());
    const VarDecl *var = as_variable(base);
    if (!var || struct_locals.count(var))
        return false;
    auto known = struct_aliases.find(var);
    if (known != struct_aliases.end())
        return known->second.path.empty();
    Sym *array = symbol_of(var);
    return struct_array(array) && (array->is_const || !changes_argument(e, fd, arg, true));
}

unsigned Builder::rows_of(const CallExpr *e, const FunctionDecl *fd)
{
    unsigned rows = 0;
    for (unsigned i = 0; i < fd->getNumParams() && e->getNumArgs() == fd->getNumParams(); i++)
        rows |= is_row(e, fd, i) ? 1u << i : 0;
    return rows;
}

// The struct that an argument is; a list of values becomes a variable in front of the statement.
bool Builder::struct_named(const Expr *e, QualType type, Access *out)
{
    const Expr *inner = bare(e);
    if (!isa<CompoundLiteralExpr>(inner))
        return as_variable(inner) || isa<ArraySubscriptExpr>(inner) || isa<MemberExpr>(inner)
                   ? access(inner, out)
                   : (no(R_STRUCT_VALUE, e->getSourceRange()), false);
    if (!sequence || !sequence->before)
        return no(R_COMPLEX_ARM, e->getSourceRange(), "(" + type.getUnqualifiedType().getAsString() + "){...}"), false;
    arrays.push_back(std::make_unique<StructArray>());
    out->array = arrays.back().get();
    add_leaves(out->array, type->castAs<RecordType>()->getDecl(), {{}, "given", {}, nullptr, nullptr, {}});
    for (Leaf &leaf : out->array->leaves) {
        leaf.view = local_member(leaf, at(e));
        vec_push(ir->arena, sequence->before, mk_decl(ir, leaf.view, nullptr, at(e)));
    }
    put_value(*out, type, e, sequence->before);
    return true;
}

// Local arrays with the values of those members of `whole` that are arrays in `to`.
bool Builder::copied_members(const Access &whole, const StructArray *to, QualType type, const Expr *e, StructArray *copy)
{
    for (const Leaf &leaf : to->leaves) {
        if (!leaf.view || leaf.dims.empty())
            continue;
        if (!sequence || !sequence->before)
            return no(R_COMPLEX_ARM, e->getSourceRange(), "a copy of '" + leaf.path.back()->getNameAsString() + "'"), false;
        Leaf own = leaf;
        own.path.insert(own.path.begin(), whole.path.begin(), whole.path.end());
        own.view = local_member(leaf, at(e));
        vec_push(ir->arena, sequence->before, mk_decl(ir, own.view, nullptr, at(e)));
        copy->leaves.push_back(own);
    }
    Access target;
    target.array = copy;
    target.path = whole.path;
    if (!copy->leaves.empty())
        put_copy(target, &whole, type, e->getSourceRange(), sequence->before);
    return true;
}

// What is passed for the parameter that `to` stands for: a value or an array for each member.
bool Builder::struct_value_arguments(const Expr *e, const StructArray *to, QualType type, bool may_change, SmallVectorImpl<Node *> &args)
{
    Access whole;
    StructArray copy{};
    if (!struct_named(e, type, &whole))
        return false;
    const bool copies = whole.array->whole || may_change;
    if (copies && !copied_members(whole, to, type, e, &copy))
        return false;
    for (const Leaf &leaf : to->leaves) {
        if (!leaf.view)
            continue;
        SmallVector<Node *, 4> subscripts;
        Access from = whole;
        for (const FieldDecl *field : leaf.path)
            from.enter(field, context);
        if (copies && !leaf.dims.empty()) {
            from.array = &copy;
            from.outer.clear();
            from.inner.clear();
        }
        Sym *s = place_of(from, subscripts);
        if (!s)
            return lost(e), false;
        const Kind kind = !leaf.dims.empty() ? N_REF : s->rank ? N_LOAD : N_VAR;
        args.push_back(make(kind, s->type, s, subscripts, e));
    }
    return true;
}

bool Builder::struct_argument(const CallExpr *e, const FunctionDecl *fd, unsigned i, SmallVectorImpl<Node *> &args)
{
    const ParmVarDecl *param = fd->getParamDecl(i);
    const Expr *arg = e->getArg(i);
    if (const StructArray *to = struct_values.lookup(param))
        return struct_value_arguments(arg, to, param->getType(), changes_argument(e, fd, arg, false), args);
    Access row;
    Sym *to = symbols.lookup(param);
    return to && access(bare(arg), &row) && struct_arguments(arg, row.array->whole, to, row.outer, args);
}

} // namespace mikgen
