/* SPDX-License-Identifier: GPL-3.0-or-later */
// Local variables that are structs or arrays of them, and structs that are assigned as a whole.
//
//     block b = x[i];  ->  half b_d = x_d[i][0]; int8_t b_qs[32]; for (int z = 0; z < 32; z++) b_qs[z] = x_qs[i][2 + z];
//
// A variable that nothing changes, with the value of an element that nothing changes, is another name of the element.
#include "gen/front/tree/struct_locals.hh"

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/tables.hh"

namespace mikgen
{

// Floats of 8 bits are structs in the prelude.
bool Builder::is_struct(QualType type)
{
    Type scalar;
    return !keeps && type->isRecordType() && !scalar_type(type, &scalar);
}

// ---------------------------------------------------------------- uses

bool changes_part(const Stmt *s, const VarDecl *var)
{
    const auto *u = dyn_cast<UnaryOperator>(s);
    const auto *b = dyn_cast<BinaryOperator>(s);
    const Expr *target = u && u->isIncrementDecrementOp() ? u->getSubExpr() : b && b->isAssignmentOp() ? b->getLHS() : nullptr;
    return (target && changed_by(target) == var) ||
           llvm::any_of(s->children(), [=](const Stmt *kid) { return kid && changes_part(kid, var); });
}

static void used_paths(const Stmt *s, const VarDecl *var, Paths &out, int level = 0);

Paths used_of_parameter(const FunctionDecl *fd, unsigned i, int level)
{
    Paths used;
    const auto hangs = [](const ParmVarDecl *param) { return param->getOriginalType()->isVariablyModifiedType(); };
    if (level > 20 || llvm::any_of(fd->parameters(), hangs)) // recursion has a message of its own
        used.push_back({});
    used_paths(fd->getBody(), fd->getParamDecl(i), used, level + 1);
    return used;
}

// Which parts of the variable are used: the members that lead to them; none: all of it.
static void used_paths(const Stmt *s, const VarDecl *var, Paths &out, int level)
{
    const auto *e = dyn_cast<Expr>(s);
    const FunctionDecl *callee = nullptr;
    if (const auto *c = dyn_cast<CallExpr>(s);
        c && level <= 20 && c->getDirectCallee() && c->getDirectCallee()->hasBody(callee) && c->getNumArgs() == callee->getNumParams()) {
        for (unsigned i = 0; i < c->getNumArgs(); i++) {
            const bool is_struct = callee->getParamDecl(i)->getType()->isRecordType() && changed_by(c->getArg(i)) == var;
            Paths whole;
            used_paths(c->getArg(i), var, whole, level);
            const Paths within = is_struct ? used_of_parameter(callee, i, level) : Paths{{}};
            for (size_t k = 0; k < whole.size(); k++)
                for (const auto &more : k + 1 < whole.size() ? Paths{{}} : within) { // the last one is the argument, others are subscripts
                    out.push_back(whole[k]);
                    out.back().append(more.begin(), more.end());
                }
        }
        return;
    }
    const auto *b = dyn_cast<BinaryOperator>(s);
    if (b && b->getOpcode() == BO_Assign && !member_below(b->getLHS()) && changed_by(b->getLHS()) == var) {
        Paths target;
        used_paths(b->getLHS(), var, target, level);
        out.append(target.begin(), target.end() - 1); // of subscripts
        return used_paths(b->getRHS(), var, out, level);
    }
    if (e && changed_by(e) == var) {
        SmallVector<const FieldDecl *, 2> path;
        for (e = bare(e); !as_variable(e);) {
            const auto *m = dyn_cast<MemberExpr>(e);
            const auto *sub = dyn_cast<ArraySubscriptExpr>(e);
            if (m)
                path.insert(path.begin(), llvm::cast<FieldDecl>(m->getMemberDecl()));
            else
                used_paths(sub->getIdx(), var, out, level);
            e = bare(m ? m->getBase() : sub->getBase());
        }
        return out.push_back(path);
    }
    for (const Stmt *kid : s->children())
        if (kid)
            used_paths(kid, var, out, level);
}

bool is_used_path(ArrayRef<const FieldDecl *> path, ArrayRef<SmallVector<const FieldDecl *, 2>> used)
{
    return llvm::any_of(used, [=](const SmallVector<const FieldDecl *, 2> &one) {
        return one.size() <= path.size() && std::equal(one.begin(), one.end(), path.begin());
    });
}

// ---------------------------------------------------------------- variables

// A variable that stands for the leaf.
Sym *Builder::local_member(const Leaf &leaf, Loc loc)
{
    const char *name = leaf.name.c_str();
    if (leaf.dims.empty())
        return sym_new(ir, S_LOCAL, leaf.member->type, name, loc);
    return sym_new_array(ir, S_LOCAL_ARRAY, leaf.member->type, name, (int)leaf.dims.size(), leaf.dims.data(), loc);
}

// A variable for each leaf that is used. Scalars of a variable with a value are declared where they get it.
void Builder::declare_leaves(const VarDecl *var, StructArray *local, ArrayRef<Node *> extents, Vec *out)
{
    Paths used;
    used_paths(llvm::cast<FunctionDecl>(var->getDeclContext())->getBody(), var, used);
    for (Leaf &leaf : local->leaves) {
        leaf.dims.insert(leaf.dims.begin(), extents.begin(), extents.end());
        if (!is_used_path(leaf.path, used))
            continue;
        leaf.view = local_member(leaf, at(var->getLocation()));
        if (!leaf.dims.empty() || !var->getInit())
            vec_push(ir->arena, out, mk_decl(ir, leaf.view, nullptr, at(var->getLocation())));
    }
}

void Builder::struct_local(const VarDecl *var, ArrayRef<Node *> extents, QualType elem, Vec *out)
{
    const RecordDecl *rd = elem->castAs<RecordType>()->getDecl();
    if (elem.isVolatileQualified())
        return (void)no(R_VOLATILE, var->getLocation());
    if (!struct_type(rd) || (extents.empty() && struct_alias(var, out)))
        return;
    arrays.push_back(std::make_unique<StructArray>());
    StructArray *local = arrays.back().get();
    add_leaves(local, rd, {{}, var->getNameAsString(), {}, nullptr, nullptr, {}});
    declare_leaves(var, local, extents, out);
    Access whole;
    whole.array = local;
    declared_struct = local;
    if (var->getInit())
        put_value(whole, var->getType(), var->getInit(), out);
    declared_struct = nullptr;
    struct_locals[var] = local;
}

// Whether the variable is another name of the element that it gets. Subscripts have the value that they had here.
bool Builder::struct_alias(const VarDecl *var, Vec *out)
{
    const Stmt *body = llvm::cast<FunctionDecl>(var->getDeclContext())->getBody();
    const Expr *init = var->getInit() ? bare(var->getInit()) : nullptr;
    const VarDecl *from = init && (isa<ArraySubscriptExpr>(init) || isa<MemberExpr>(init)) ? changed_by(init) : nullptr;
    Sym *array = from && isa<ParmVarDecl>(from) ? symbol_of(from) : nullptr;
    Access a;
    if (!struct_array(array) || !array->is_const || changes_part(body, var) || !access(init, &a))
        return false;
    settle(&a, nullptr, var->getLocation(), out);
    struct_aliases[var] = a;
    return true;
}

// ---------------------------------------------------------------- values

// `n`, or a variable with its value where what it reads may change: another variable than a loop's, or a part of `changed`.
Node *Builder::settled(Node *n, const StructArray *changed, SourceRange range, Vec *out)
{
    const bool own = changed && llvm::any_of(changed->leaves, [=](const Leaf &leaf) { return leaf.view && leaf.view == n->sym; });
    if (n->kind == N_INT || (n->kind == N_VAR && (n->sym->kind == S_LOOP || n->sym->is_const || (changed && !own))))
        return n;
    Sym *s = sym_new(ir, S_LOCAL, (Type)n->type, "at", at(range));
    s->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, s, n, at(range)));
    return mk_var(ir, s);
}

void Builder::settle(Access *a, const StructArray *changed, SourceRange range, Vec *out)
{
    for (Node *&n : a->outer)
        n = settled(n, changed, range, out);
    for (auto &[n, bytes] : a->inner)
        n = settled(n, changed, range, out);
}

// Sets a scalar, unless nothing uses it.
void Builder::put_scalar(const Access &to, Node *value, SourceRange range, Vec *out)
{
    SmallVector<Node *, 4> subscripts;
    Sym *s = place_of(to, subscripts);
    if (!s || !value)
        return;
    const Loc loc = at(range);
    Node *stmt = s->rank                       ? mk_store(ir, s, (int)subscripts.size(), subscripts.data(), value, N_NONE, loc)
                 : to.array == declared_struct ? mk_decl(ir, s, value, loc)
                                               : mk_assign(ir, s, value, N_NONE, loc);
    vec_push(ir->arena, out, stmt);
}

// Sets a scalar to what `from` is; nullptr: to zero.
void Builder::copy_scalar(const Access &to, const Access *from, Type type, SourceRange range, Vec *out)
{
    SmallVector<Node *, 4> subscripts, unused;
    if (!to.array->whole && !place_of(to, unused))
        return;
    Sym *s = from ? place_of(*from, subscripts) : nullptr;
    Node *value = !s ? zero(type) : s->rank ? mk_load(ir, s, (int)subscripts.size(), subscripts.data()) : mk_var(ir, s);
    put_scalar(to, value, range, out);
}

// Sets a part of `type`, which may be all, to what `from` is; nullptr: to zeros.
void Builder::put_copy(const Access &to, const Access *from, QualType type, SourceRange range, Vec *out)
{
    Type scalar;
    Access target = to, source = from ? *from : Access();
    if (const auto *a = context.getAsConstantArrayType(type)) {
        const int64_t bytes = context.getTypeSizeInChars(a->getElementType()).getQuantity();
        Sym *z = sym_new(ir, S_LOOP, T_INT, "z", at(range));
        Vec stmts = {};
        for (Access *one : {&target, &source})
            one->subscript(mk_var(ir, z), bytes);
        put_copy(target, from ? &source : nullptr, a->getElementType(), range, &stmts);
        if (!stmts.count)
            return;
        Node *body = mk_block(ir, stmts.count, (Node *const *)stmts.items, at(range));
        Node *below = mk_binary(ir, N_LT, mk_var(ir, z), mk_int(ir, T_INT, a->getSize().getSExtValue()));
        vec_push(ir->arena, out, mk_for(ir, z, mk_int(ir, T_INT, 0), below, 1, body, true, at(range)));
    } else if (is_struct(type)) {
        for (const FieldDecl *field : type->castAs<RecordType>()->getDecl()->getDefinition()->fields()) {
            Access part = to, other = source;
            part.enter(field, context);
            other.enter(field, context);
            put_copy(part, from ? &other : nullptr, field->getType(), range, out);
        }
    } else if (scalar_type(type, &scalar)) {
        copy_scalar(to, from, scalar, range, out);
    } else if (complex_type(type, &scalar)) {
        for (int part = 0; part < 2; part++) {
            target = to;
            source = from ? *from : Access();
            for (Access *one : {&target, &source})
                one->subscript(mk_int(ir, T_INT, part), type_bytes(scalar));
            copy_scalar(target, from ? &source : nullptr, scalar, range, out);
        }
    }
}

void Builder::put_list(const Access &to, QualType type, const InitListExpr *list, Vec *out)
{
    const auto *a = context.getAsConstantArrayType(type);
    if (a && is_zero_list(list, context))
        return put_copy(to, nullptr, type, list->getSourceRange(), out);
    if (a && a->getSize().getSExtValue() > kMaxSingly)
        return (void)no(R_INIT_LIST, list->getSourceRange());
    for (int64_t i = 0; a && i < a->getSize().getSExtValue(); i++) {
        Access part = to;
        part.subscript(mk_int(ir, T_INT, i), context.getTypeSizeInChars(a->getElementType()).getQuantity());
        put_value(part, a->getElementType(), i < list->getNumInits() ? list->getInit((unsigned)i) : list->getArrayFiller(), out);
    }
    unsigned next = 0;
    if (!a)
        for (const FieldDecl *field : type->castAs<RecordType>()->getDecl()->getDefinition()->fields()) {
            Access part = to;
            part.enter(field, context);
            put_value(part, field->getType(), next < list->getNumInits() ? list->getInit(next) : nullptr, out);
            next++;
        }
}

// value: nullptr: zeros.
void Builder::put_value(const Access &to, QualType type, const Expr *value, Vec *out)
{
    const Expr *e = value ? bare(value) : nullptr;
    if (const auto *c = dyn_cast_or_null<CompoundLiteralExpr>(e))
        e = bare(c->getInitializer());
    const SourceRange range = value ? value->getSourceRange() : SourceRange();
    const auto *list = dyn_cast_or_null<InitListExpr>(e);
    if (!e || isa<ImplicitValueInitExpr>(e))
        return put_copy(to, nullptr, type, range, out);
    if (list && (type->isArrayType() || is_struct(type)))
        return put_list(to, type, list, out);
    if (type->isArrayType())
        return (void)no(isa<StringLiteral>(e) ? R_STRING : R_ARRAY_VALUE, range);
    if (Type part; complex_type(type, &part)) {
        const Pair p = complete(full_pair(list && list->getNumInits() ? list->getInit(0) : value, out, nullptr), part);
        for (int i = 0; i < 2 && p.good; i++) {
            Access half = to;
            half.subscript(mk_int(ir, T_INT, i), type_bytes(part));
            put_scalar(half, i ? p.im : p.re, range, out);
        }
        return;
    }
    if (!is_struct(type))
        return put_scalar(to, full_expr(list && list->getNumInits() ? list->getInit(0) : value, value, out, nullptr), range, out);
    Access from;
    if (!as_variable(e) && !isa<ArraySubscriptExpr>(e) && !isa<MemberExpr>(e))
        return (void)no(R_STRUCT_VALUE, range);
    if (!access(e, &from))
        return;
    settle(&from, to.array, range, out);
    put_copy(to, &from, type, range, out);
}

void Builder::struct_assign(const BinaryOperator *e, Vec *out)
{
    Access to;
    if (!access(e->getLHS(), &to))
        return;
    settle(&to, to.array, e->getSourceRange(), out);
    const QualType type = e->getLHS()->getType().getUnqualifiedType();
    Access list;
    if (isa<CompoundLiteralExpr>(bare(e->getRHS())) && is_used(e->getRHS(), nullptr, changed_by(e->getLHS()))) { // (pair){x[i].b, x[i].a}
        if (struct_named(e->getRHS(), type, &list))
            put_copy(to, &list, type, e->getSourceRange(), out);
        return;
    }
    put_value(to, type, e->getRHS(), out);
}

} // namespace mikgen
