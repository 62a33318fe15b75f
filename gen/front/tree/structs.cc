/* SPDX-License-Identifier: GPL-3.0-or-later */
// Array parameters whose elements are structs. Each scalar member becomes an array of its own type
// over the parameter's bytes: `x[b].qs[i]` of { half d; int8_t qs[32]; } is x_qs[b][2 + i], of `const int8_t x_qs[B][34]`.
#include <algorithm>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"
#include "gen/front/tree/tables.hh"
#include "clang/AST/RecordLayout.h"

namespace mikgen
{

// ---------------------------------------------------------------- types

// The struct's own name, or that of the typedef around it; NULL after a fault.
const char *Builder::struct_tag(const RecordDecl *rd)
{
    StringRef name = rd->getName();
    if (const TypedefNameDecl *t = rd->getTypedefNameForAnonDecl(); t && name.empty())
        name = t->getName();
    return arena_strndup(ir->arena, name.data(), name.size());
}

// "float lo, int8_t qs[32]": the members, as they would be declared by themselves.
std::string Builder::member_list(const RecordDecl *rd, const std::string &prefix, const char *between)
{
    std::string all;
    for (const FieldDecl *field : rd->fields()) {
        const bool is_pointer = field->getType()->isPointerType();
        std::string text = prefix + field->getNameAsString() + (is_pointer ? "[N]" : "");
        (is_pointer ? field->getType()->getPointeeType() : field->getType()).getAsStringInternal(text, context.getPrintingPolicy());
        all += (all.empty() ? "" : between) + text;
    }
    return all;
}

bool Builder::member(const FieldDecl *field, Member *m)
{
    const SourceRange range = field->getLocation();
    const std::string name = field->getNameAsString();
    QualType type = field->getType();
    SmallVector<int64_t, 4> dims;
    if (field->isBitField())
        return no(R_BIT_FIELD, range, name), false;
    if (name.empty())
        return no(R_MEMBER_NAME, range), false;
    for (; const ArrayType *a = context.getAsArrayType(type); type = a->getElementType()) {
        const auto *sized = dyn_cast<ConstantArrayType>(a);
        if (!sized || sized->getSize() == 0)
            return no(R_MEMBER_EXTENT, range, name), false;
        dims.push_back(sized->getSize().getSExtValue());
    }
    if (type->isPointerType())
        return no(R_MEMBER_POINTER, range, name), false;
    const bool is_complex = complex_type(type, &m->type);
    if (is_complex) // laid out as its parts are
        dims.push_back(2);
    m->name = arena_strndup(ir->arena, name.data(), name.size());
    m->spelling = standard_spelling(type);
    m->offset = (int64_t)context.getFieldOffset(field) / 8;
    m->rank = (int)dims.size();
    int64_t *sizes = arena_new_array(ir->arena, int64_t, dims.size() + 1);
    std::copy(dims.begin(), dims.end(), sizes);
    m->dims = sizes;
    if (is_complex)
        return true;
    if (!type->isRecordType() || scalar_type(type, &m->type))
        return value_type(type, range, &m->type);
    m->inner = struct_type(type->castAs<RecordType>()->getDecl());
    return m->inner != nullptr;
}

// What the largest scalar in the struct asks for, as C lays structs out.
static int64_t alignment(const StructType *s)
{
    int64_t most = 1;
    for (int i = 0; i < s->nmembers; i++)
        most = std::max(most, s->members[i].inner ? alignment(s->members[i].inner) : (int64_t)type_bytes(s->members[i].type));
    return most;
}

static bool is_laid_out_plainly(const StructType *s)
{
    int64_t end = 0;
    auto aligned = [&](int64_t to) { return (end + to - 1) / to * to; };
    for (int i = 0; i < s->nmembers; i++) {
        const Member *m = &s->members[i];
        if (m->offset != aligned(m->inner ? alignment(m->inner) : type_bytes(m->type)))
            return false;
        int64_t size = m->inner ? m->inner->bytes : type_bytes(m->type);
        for (int d = 0; d < m->rank; d++)
            size *= m->dims[d];
        end = m->offset + size;
    }
    return s->bytes == aligned(alignment(s));
}

// nullptr after a fault, which is told once.
StructType *Builder::struct_type(const RecordDecl *rd)
{
    rd = rd->getDefinition();
    auto known = structs.find(rd);
    if (!rd || known != structs.end())
        return rd ? known->second : nullptr;
    structs[rd] = nullptr;
    auto *s = arena_new_array(ir->arena, StructType, 1);
    s->tag = struct_tag(rd);
    if (rd->isUnion())
        return no(R_UNION, rd->getLocation());
    SmallVector<Member, 8> all;
    bool good = true;
    for (const FieldDecl *field : rd->fields()) {
        all.push_back({});
        good &= member(field, &all.back());
    }
    if (!good)
        return nullptr;
    if (all.empty())
        return no(R_STRUCT_EMPTY, rd->getLocation(), s->tag);
    Member *members = arena_new_array(ir->arena, Member, all.size());
    std::copy(all.begin(), all.end(), members);
    s->members = members;
    s->nmembers = (int)all.size();
    s->bytes = context.getASTRecordLayout(rd).getSize().getQuantity();
    if (!is_laid_out_plainly(s))
        return no(R_STRUCT_LAYOUT, rd->getLocation(), s->tag);
    return structs[rd] = s;
}

// ---------------------------------------------------------------- parameters

void Builder::add_leaves(StructArray *array, const RecordDecl *rd, const Leaf &outer)
{
    const StructType *s = structs.lookup(rd->getDefinition());
    for (const FieldDecl *field : rd->getDefinition()->fields()) {
        Leaf leaf = outer;
        leaf.path.push_back(field);
        leaf.name += "_" + field->getNameAsString();
        leaf.member = &s->members[field->getFieldIndex()];
        for (int d = 0; d < leaf.member->rank; d++)
            leaf.dims.push_back(mk_int(ir, T_INT, leaf.member->dims[d]));
        if (leaf.member->inner)
            add_leaves(array, context.getBaseElementType(field->getType())->castAs<RecordType>()->getDecl(), leaf);
        else
            array->leaves.push_back(leaf);
    }
}

Sym *Builder::struct_parameter(const ParmVarDecl *param, ArrayRef<Node *> extents, QualType elem, bool is_helper)
{
    const RecordDecl *rd = elem->castAs<RecordType>()->getDecl();
    const SourceRange range = param->getLocation();
    const std::string name = param->getNameAsString();
    const StructType *type = struct_type(rd);
    if (!type)
        return nullptr;
    if (elem.isVolatileQualified())
        return no(R_VOLATILE, range);
    const bool is_value = extents.empty() && !(rows >> std::min(param->getFunctionScopeIndex(), 31u) & 1);
    struct_locals.erase(param);
    struct_values.erase(param);
    if (is_value)
        return struct_value(param, rd, is_helper), nullptr;
    if (!*type->tag)
        return no(R_STRUCT_NAME, range);
    Sym *whole = sym_new_array(ir, S_ARRAY, T_UCHAR, name.c_str(), (int)extents.size(), extents.data(), at(range));
    whole->elements = type;
    whole->is_const = elem.isConstQualified() || extents.empty();
    arrays.push_back(std::make_unique<StructArray>());
    StructArray *array = arrays.back().get();
    array->whole = whole;
    add_leaves(array, rd, {{}, name, {}, nullptr, nullptr, {}});
    struct_arrays[whole] = array;
    return whole;
}

// The array of the member's scalars.
Sym *Builder::view(StructArray *array, Leaf *leaf)
{
    if (leaf->view)
        return leaf->view;
    const Sym *whole = array->whole;
    SmallVector<Node *, 4> extents(whole->extent, whole->extent + whole->rank);
    extents.push_back(mk_int(ir, T_INT, whole->elements->bytes / type_bytes(leaf->member->type)));
    leaf->view = sym_new_array(ir, S_ARRAY, leaf->member->type, leaf->name.c_str(), (int)extents.size(), extents.data(), whole->loc);
    leaf->view->spelling = leaf->member->spelling;
    leaf->view->is_const = whole->is_const;
    leaf->view->whole = array->whole;
    return leaf->view;
}

// Settles the function's parameters when its body has told which members are used. One is there even where none is.
void Builder::parameters(const FunctionDecl *fd, Func *f)
{
    Vec all = {};
    for (const ParmVarDecl *param : fd->parameters()) {
        Sym *s = symbols.lookup(param);
        StructArray *array = struct_array(s);
        if (auto parts = complexes.find(param); parts != complexes.end()) {
            vec_push(ir->arena, &all, parts->second.first);
            vec_push(ir->arena, &all, parts->second.second);
            continue;
        }
        if (const StructArray *value = struct_values.lookup(param)) {
            for (Sym *scalar : value->scalars)
                vec_push(ir->arena, &all, scalar);
            for (const Leaf &leaf : value->leaves)
                if (leaf.view && value->scalars.empty())
                    vec_push(ir->arena, &all, leaf.view);
            continue;
        }
        if (!array) {
            vec_push(ir->arena, &all, s);
            continue;
        }
        const int before = all.count;
        for (const Leaf &leaf : array->leaves)
            if (leaf.view)
                vec_push(ir->arena, &all, leaf.view);
        if (all.count == before)
            vec_push(ir->arena, &all, view(array, &array->leaves[0]));
    }
    if (f->returned)
        vec_push(ir->arena, &all, f->returned);
    f->nparams = all.count;
    f->params = reinterpret_cast<Sym **>(all.items);
}

// ---------------------------------------------------------------- uses

// a + b, as C converts them; nullptr stands for nothing.
Node *Builder::sum(Node *a, Node *b)
{
    if (!a || !b)
        return a ? a : b;
    const Type type = type_common((Type)a->type, (Type)b->type);
    return mk_binary(ir, N_ADD, mk_cast(ir, type, a), mk_cast(ir, type, b));
}

// Takes a chain of subscripts and members apart: x[b].part[j].lo[i], local.d, for example. False after a fault.
bool Builder::access(const Expr *e, Access *out)
{
    SmallVector<const Expr *, 8> chain; // from the end on
    const Expr *whole = e;
    for (e = bare(e); isa<ArraySubscriptExpr>(e) || isa<MemberExpr>(e);) {
        chain.push_back(e);
        const auto *m = dyn_cast<MemberExpr>(e);
        if (m && m->isArrow())
            return no(R_DEREF, e->getSourceRange()), false;
        e = bare(m ? m->getBase() : llvm::cast<ArraySubscriptExpr>(e)->getBase());
    }
    const VarDecl *var = as_variable(e);
    StructArray *local = var ? struct_locals.lookup(var) : nullptr;
    if (auto known = struct_aliases.find(var); known != struct_aliases.end()) {
        *out = known->second;
    } else {
        Sym *base = var && !local ? symbol_of(var) : nullptr;
        out->array = local ? local : struct_array(base);
        if (var && !local && !base)
            return lost(e), false;
    }
    if (!out->array)
        return no(R_STRUCT, whole->getSourceRange()), false;
    for (size_t i = chain.size(); i-- > 0;) {
        if (const auto *m = dyn_cast<MemberExpr>(chain[i])) {
            out->enter(llvm::cast<FieldDecl>(m->getMemberDecl()), context);
            continue;
        }
        Node *n = in_context(R_EFFECT_SUB, llvm::cast<ArraySubscriptExpr>(chain[i])->getIdx());
        if (!n)
            return false;
        out->subscript(n, context.getTypeSizeInChars(chain[i]->getType()).getQuantity());
    }
    return true;
}

// The scalar or array that an access of a scalar leads to, and its subscripts; nullptr: of a variable nothing uses it.
Sym *Builder::place_of(const Access &a, SmallVectorImpl<Node *> &subscripts)
{
    Leaf *leaf = nullptr;
    for (Leaf &known : a.array->leaves)
        if (known.path == a.path)
            leaf = &known;
    subscripts.append(a.outer.begin(), a.outer.end());
    if (!leaf || !a.array->whole) {
        for (const auto &[n, bytes] : a.inner)
            subscripts.push_back(n);
        return leaf ? member_symbol(leaf, subscripts) : nullptr;
    }
    const int64_t size = type_bytes(leaf->member->type);
    Node *inside = nullptr;
    for (const auto &[n, bytes] : a.inner) {
        Node *wide = mk_cast(ir, type_promote((Type)n->type), n);
        inside = sum(inside, bytes == size ? wide : mk_binary(ir, N_MUL, wide, mk_int(ir, (Type)wide->type, bytes / size)));
    }
    Node *first = mk_int(ir, T_INT, a.offset / size);
    subscripts.push_back(a.offset || !inside ? sum(first, inside) : inside);
    return view(a.array, leaf);
}

Sym *Builder::subscripted_member(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    Access a;
    Type type;
    if (!access(e, &a) || !value_type(e->getType(), e->getSourceRange(), &type))
        return nullptr;
    Sym *s = place_of(a, subscripts);
    return s ? s : lost(e);
}

// The arrays of those members that the callee uses.
bool Builder::struct_arguments(const Expr *e, Sym *array, Sym *to, ArrayRef<Node *> subscripts, SmallVectorImpl<Node *> &args)
{
    StructArray *from = struct_array(array), *param = struct_array(to);
    for (size_t i = 0; i < param->leaves.size(); i++) {
        if (!param->leaves[i].view)
            continue;
        Sym *s = view(from, &from->leaves[i]);
        args.push_back(make(N_REF, s->type, s, subscripts, e));
    }
    return true;
}

} // namespace mikgen
