/* SPDX-License-Identifier: GPL-3.0-or-later */
// Tables of constants, and local arrays that begin with a list of values.
#include "gen/front/tree/tables.hh"

#include "gen/front/tree/builder.hh"

namespace mikgen
{

// A table may hold so many elements.
const int64_t kMaxTable = 1 << 20;
int64_t elements(ArrayRef<Node *> extents)
{
    int64_t count = 1;
    for (const Node *extent : extents)
        if (extent->kind != N_INT || __builtin_mul_overflow(count, extent->u.i, &count))
            return INT64_MAX;
    return count;
}

// Appends the elements of `value`, which has them from dimension `depth` on. False: one is no number.
bool Builder::flatten(const APValue &value, Type type, ArrayRef<Node *> extents, SmallVectorImpl<Node *> &out)
{
    if (extents.empty()) {
        if (!value.isInt() && !value.isFloat())
            return false;
        out.push_back(value.isInt() ? integer(type, value.getInt()) : floating(type, value.getFloat()));
        return true;
    }
    if (!value.isArray())
        return false;
    for (int64_t i = 0; i < extents[0]->u.i; i++) {
        const APValue &at = i < value.getArrayInitializedElts() ? value.getArrayInitializedElt((unsigned)i) : value.getArrayFiller();
        if (!flatten(at, type, extents.drop_front(), out))
            return false;
    }
    return true;
}

// The values of the array, if its initialiser is constant; nullptr without a fault if not.
const ConstantTable *Builder::table_values(const VarDecl *var, Type type, ArrayRef<Node *> extents)
{
    SmallVector<Node *, 64> values;
    const VarDecl *defined = nullptr;
    if (!var->getAnyInitializer(defined) || elements(extents) > kMaxTable)
        return nullptr;
    const APValue *value = defined->evaluateValue();
    if (!value || !flatten(*value, type, extents, values))
        return nullptr;
    ConstantTable *table = arena_new_array(ir->arena, ConstantTable, 1);
    table->name = arena_strndup(ir->arena, var->getName().data(), var->getName().size());
    table->count = (int)values.size();
    table->value = arena_new_array(ir->arena, Node *, values.size() + 1);
    std::copy(values.begin(), values.end(), table->value);
    return table;
}

Sym *Builder::table_symbol(const VarDecl *var, Type type, ArrayRef<Node *> extents, const ConstantTable *values)
{
    Sym *s = sym_new_array(ir, S_ARRAY, type, var->getNameAsString().c_str(), (int)extents.size(), extents.data(), at(var->getLocation()));
    s->is_const = true;
    s->table = values;
    return s;
}

// The symbol of a constant array; nullptr without a fault if it is none.
Sym *Builder::table(const VarDecl *var)
{
    var = var->getCanonicalDecl();
    auto known = symbols.find(var);
    if (known != symbols.end())
        return known->second;
    SmallVector<Node *, 4> extents;
    const VarDecl *defined = nullptr;
    QualType elem;
    Type type;
    const bool has_values = var->getAnyInitializer(defined) && context.getAsConstantArrayType(defined->getType()) &&
                            array_extents(defined->getType(), nullptr, var->getLocation(), extents, &elem);
    if (!has_values || !elem.isConstQualified() || elem.isVolatileQualified() || !scalar_type(elem, &type))
        return nullptr;
    if (elements(extents) > kMaxTable)
        return no(R_TABLE, var->getLocation(), var->getNameAsString());
    const ConstantTable *values = table_values(defined, type, extents);
    return values ? symbols[var] = table_symbol(defined, type, extents, values) : nullptr;
}

// The element of a table at constant subscripts; nullptr: they are not, or there is none.
Node *Builder::table_element(const Sym *array, ArrayRef<Node *> subscripts)
{
    int64_t at = 0;
    for (size_t i = 0; i < subscripts.size(); i++) {
        const int64_t extent = array->extent[i]->u.i;
        if (subscripts[i]->kind != N_INT || subscripts[i]->u.i < 0 || subscripts[i]->u.i >= extent)
            return nullptr;
        at = at * extent + subscripts[i]->u.i;
    }
    return array->table->value[at];
}

// The two parts of a complex element.
void Builder::fill_parts(Sym *array, const Expr *init, SmallVectorImpl<Node *> &subscripts, Vec *out)
{
    const Pair p = complete(full_pair(init, out, nullptr), array->type);
    for (int part = 0; part < 2 && p.good; part++) {
        subscripts.push_back(mk_int(ir, T_INT, part));
        vec_push(ir->arena, out, mk_store(ir, array, array->rank, subscripts.data(), part ? p.im : p.re, N_NONE, at(init)));
        subscripts.pop_back();
    }
}

// array[subscripts] = what the list has there, element by element.
void Builder::fill_singly(Sym *array, const Expr *init, SmallVectorImpl<Node *> &subscripts, Vec *out)
{
    const auto *list = init ? dyn_cast<InitListExpr>(init) : nullptr;
    if (Type type; init && !list && !isa<ImplicitValueInitExpr>(init) && complex_type(init->getType(), &type))
        return fill_parts(array, init, subscripts, out);
    if ((int)subscripts.size() == array->rank) {
        if (list && list->getNumInits() == 1)
            init = list->getInit(0);
        Node *value = !init || isa<ImplicitValueInitExpr>(init) ? zero(array->type) : full_expr(init, init, out, nullptr);
        if (value)
            vec_push(ir->arena, out, mk_store(ir, array, array->rank, subscripts.data(), value, N_NONE, init ? at(init) : array->loc));
        return;
    }
    if (init && !list && !isa<ImplicitValueInitExpr>(init))
        return (void)no(R_STRING, init->getSourceRange());
    const int64_t extent = array->extent[subscripts.size()]->u.i;
    for (int64_t i = 0; i < extent; i++) {
        const Expr *part = list && i < (int64_t)list->getNumInits() ? list->getInit((unsigned)i) : list ? list->getArrayFiller() : nullptr;
        subscripts.push_back(mk_int(ir, T_INT, i));
        fill_singly(array, part, subscripts, out);
        subscripts.pop_back();
    }
}

// A local array with a list of values, all in their places: of many a table is copied. Stores with too few subscripts become loops
// in gen/front/semantic.c.
void Builder::fill_local(const VarDecl *var, Sym *array, const InitListExpr *list, Vec *out)
{
    const ArrayRef<Node *> extents(array->extent, (size_t)array->rank);
    SmallVector<Node *, 4> subscripts;
    if (is_zero_list(list, context))
        return vec_push(ir->arena, out, mk_store(ir, array, 0, nullptr, zero(array->type), N_NONE, array->loc));
    if (elements(extents) <= kMaxSingly)
        return fill_singly(array, list, subscripts, out);
    const bool is_complex = context.getBaseElementType(var->getType())->isAnyComplexType();
    const ConstantTable *values = is_complex ? nullptr : table_values(var, array->type, extents);
    if (!values)
        return (void)no(elements(extents) > kMaxTable ? R_TABLE : R_INIT_LIST, list->getSourceRange(), var->getNameAsString());
    Node *all = mk_expr(ir, N_REF, array->type, table_symbol(var, array->type, extents, values), 0, nullptr, at(list));
    vec_push(ir->arena, out, mk_store(ir, array, 0, nullptr, all, N_NONE, array->loc));
}

} // namespace mikgen
