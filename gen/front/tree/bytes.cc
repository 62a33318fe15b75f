/* SPDX-License-Identifier: GPL-3.0-or-later */
// memset, memcpy and memmove of arrays and rows, which become loops over their elements.
#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"

namespace mikgen
{

// Conversions of integers that a number of elements survives.
static Node *unconverted(Node *n)
{
    while (n->kind == N_CAST && type_is_integer((Type)n->type) && type_bits((Type)n->type) >= type_bits((Type)n->kid[0]->type))
        n = n->kid[0];
    return n;
}

static void add_factors(Node *n, Product *out)
{
    n = unconverted(n);
    if (n->kind == N_MUL) {
        add_factors(n->kid[0], out);
        add_factors(n->kid[1], out);
    } else if (n->kind == N_INT) {
        out->constant *= n->u.i;
    } else {
        out->factors.push_back(n);
    }
}

// Without those of `by`; false if it is no factor.
static bool divide(Product *p, const Product &by)
{
    if (!by.constant || p->constant % by.constant)
        return false;
    p->constant /= by.constant;
    for (Node *factor : by.factors) {
        auto *at = std::find(p->factors.begin(), p->factors.end(), factor);
        if (at == p->factors.end())
            return false;
        p->factors.erase(at);
    }
    return true;
}

// How many bytes the type has, or a fault.
bool Builder::size_factors(QualType type, const Expr *e, Product *out)
{
    while (const ArrayType *a = context.getAsArrayType(type)) {
        if (const auto *c = dyn_cast<ConstantArrayType>(a)) {
            out->constant *= c->getSize().getSExtValue();
        } else if (const auto *v = dyn_cast<VariableArrayType>(a); v && v->getSizeExpr()) {
            Node *n = in_context(R_EFFECT_SUB, v->getSizeExpr());
            if (!n)
                return false;
            add_factors(n, out);
        } else {
            return no(R_BYTES, e->getSourceRange()), false;
        }
        type = a->getElementType();
    }
    out->constant *= context.getTypeSizeInChars(type).getQuantity();
    return true;
}

// A number of bytes: products of numbers and sizes.
bool Builder::bytes_factors(const Expr *e, Product *out)
{
    e = bare(e);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Mul)
        return bytes_factors(b->getLHS(), out) && bytes_factors(b->getRHS(), out);
    if (const auto *c = dyn_cast<CStyleCastExpr>(e); c && c->getType()->isIntegerType())
        return bytes_factors(c->getSubExpr(), out);
    if (const auto *u = dyn_cast<UnaryExprOrTypeTraitExpr>(e); u && u->getKind() == UETT_SizeOf) {
        const VarDecl *param = u->isArgumentType() ? nullptr : as_variable(u->getArgumentExpr());
        if (param && param->getType()->isPointerType())
            return no(R_SIZEOF_PARAM, e->getSourceRange(), param->getNameAsString()), false;
        return size_factors(u->getTypeOfArgument(), e, out);
    }
    Node *n = expr(e);
    if (n)
        add_factors(n, out);
    return n;
}

// The array or the row that an address is the beginning of: A, A[i], &A[i][0]. nullptr after a fault.
Sym *Builder::row(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    const Expr *inner = e->IgnoreParenCasts();
    const auto *u = dyn_cast<UnaryOperator>(inner);
    const bool addressed = u && u->getOpcode() == UO_AddrOf;
    if (addressed)
        inner = bare(u->getSubExpr());
    if (!isa<ArraySubscriptExpr>(inner) && !isa<DeclRefExpr>(inner))
        return no(R_BYTES_ROW, e->getSourceRange());
    const VarDecl *var = as_variable(inner);
    if (var && var->getType()->isArithmeticType())
        return no(R_BYTES_ROW, e->getSourceRange());
    Sym *array = subscripted(inner, subscripts);
    if (array && addressed && isa<ArraySubscriptExpr>(inner)) // &A[0], &A[i][0]: of a row of A, its first element
        while (!subscripts.empty() && is_int(subscripts.back(), 0))
            subscripts.pop_back();
    if (array && (int)subscripts.size() == array->rank)
        return no(R_BYTES_ROW, e->getSourceRange());
    return array;
}

// How many rows below array[given] the bytes are; nullptr after a fault.
Node *Builder::row_count(const Sym *array, size_t given, const Expr *bytes)
{
    Product product, row;
    const int faults = front->faults.count;
    if (!bytes_factors(bytes, &product))
        return front->faults.count > faults ? nullptr : lost(bytes);
    row.constant = type_bytes(array->type);
    for (int d = (int)given + 1; d < array->rank; d++)
        add_factors(array->extent[d], &row);
    if (!divide(&product, row))
        return no(R_BYTES, bytes->getSourceRange(), array->name);
    for (const Node *factor : row.factors)
        if (factor->kind == N_VAR) {
            Unchanged *unchanged = arena_new_array(ir->arena, Unchanged, 1);
            *unchanged = {factor->sym, at(bytes), array->name};
            vec_push(ir->arena, &front->unchanged, unchanged);
        }
    if (product.factors.size() == 1 && product.constant == 1)
        return product.factors[0];
    if (product.factors.empty())
        return mk_int(ir, product.constant <= INT32_MAX ? T_INT : T_LONG, product.constant);
    Node *count = mk_int(ir, T_LONG, product.constant);
    for (Node *factor : product.factors)
        count = mk_binary(ir, N_MUL, count, mk_cast(ir, T_LONG, factor));
    return count;
}

// What all bytes of an element being this one makes of it; nullptr after a fault.
Node *Builder::repeated_byte(const Sym *array, const Expr *e)
{
    Expr::EvalResult result;
    const Type type = array->type;
    const bool is_known = e->EvaluateAsInt(result, context), is_integer = type_is_integer(type) && type != T_BOOL;
    const uint64_t byte = is_known ? result.Val.getInt().getZExtValue() & 255 : 0;
    if (is_known && (byte == 0 || is_integer)) {
        uint64_t bits = byte * UINT64_C(0x0101010101010101);
        const int shift = 64 - type_bits(type);
        return byte == 0 ? zero(type)
                         : mk_int(ir, type, type_is_signed(type) ? (int64_t)(bits << shift) >> shift : (int64_t)(bits << shift >> shift));
    }
    Node *n = is_known || !is_integer || type_bytes(type) != 1 ? no(R_BYTES_VALUE, e->getSourceRange(), array->name) : expr(e);
    return n ? mk_cast(ir, type, n) : nullptr;
}

// Is it one of these functions, as <string.h> declares them?
bool Builder::moves_bytes(const CallExpr *e)
{
    const FunctionDecl *fd = e->getDirectCallee();
    const bool named = fd && (fd->getName() == "memset" || fd->getName() == "memcpy" || fd->getName() == "memmove");
    return named && !keeps && !fd->isDefined() && e->getNumArgs() == 3;
}

// Rows of the same shape: the extents behind the first are the same.
static bool same_rows(const Sym *a, size_t given_a, const Sym *b, size_t given_b)
{
    if (a->type != b->type || a->rank - given_a != b->rank - given_b)
        return false;
    for (size_t d = 1; given_a + d < (size_t)a->rank; d++)
        if (unconverted(a->extent[given_a + d]) != unconverted(b->extent[given_b + d]))
            return false;
    return true;
}

// The type of the numbers that an address leads to, whatever it is cast to; of others none.
static QualType element_type(const Expr *address)
{
    QualType type = address->IgnoreParenCasts()->getType();
    while (type->isArrayType() || type->isPointerType())
        type = QualType(type->getPointeeOrArrayElementType(), 0);
    return type->isArithmeticType() ? type.getCanonicalType() : QualType();
}

void Builder::byte_stmt(const CallExpr *e, Vec *out)
{
    SmallVector<Node *, 4> to, from;
    const bool sets = e->getDirectCallee()->getName() == "memset";
    const QualType target = element_type(e->getArg(0)), copied = sets ? QualType() : element_type(e->getArg(1));
    if (!target.isNull() && !copied.isNull() && target != copied)
        return (void)no_but(Suggest(context).bits_as(target), R_BYTES_COPY, e->getSourceRange());
    Sym *array = row(e->getArg(0), to), *source = sets || !array ? nullptr : row(e->getArg(1), from);
    if (!array || (!sets && !source))
        return;
    if (array->is_const)
        return (void)no(R_CONST_WRITE, e->getArg(0)->getSourceRange());
    if (source && (!same_rows(array, to.size(), source, from.size()) || source == array))
        return (void)no(R_BYTES_COPY, e->getSourceRange(), array->name);
    Node *count = row_count(array, to.size(), e->getArg(2)), *value = sets ? repeated_byte(array, e->getArg(1)) : nullptr;
    if (!count || (sets && !value))
        return;
    Node *at = mk_var(ir, sym_new(ir, S_LOOP, (Type)count->type, "z", this->at(e)));
    to.push_back(at);
    from.push_back(at);
    if (source) // a row of it is an N_REF: gen/front/semantic.c makes the loops below
        value = mk_expr(ir, (int)from.size() == source->rank ? N_LOAD : N_REF, source->type, source, (int)from.size(), from.data(),
                        this->at(e));
    Node *body = mk_store(ir, array, (int)to.size(), to.data(), value, N_NONE, this->at(e));
    body = mk_block(ir, 1, &body, this->at(e));
    vec_push(ir->arena, out,
             mk_for(ir, at->sym, mk_int(ir, (Type)count->type, 0), mk_binary(ir, N_LT, at, count), 1, body, true, this->at(e)));
}

} // namespace mikgen
