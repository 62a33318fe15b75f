/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index arithmetic that folds constants and neutral elements while it is built. */
#include "depend/index.h"

Node *ix_int(Ir *ir, int64_t value) { return mk_int(ir, T_INDEX, value); }

Node *ix_add(Ir *ir, Node *a, Node *b)
{
    int64_t sum;
    if (is_int(a, 0))
        return b;
    if (is_int(b, 0))
        return a;
    if (a->kind == N_INT && b->kind == N_INT && !__builtin_add_overflow(a->u.i, b->u.i, &sum))
        return ix_int(ir, sum);
    return mk_binary(ir, N_ADD, a, b);
}

Node *ix_sub(Ir *ir, Node *a, Node *b)
{
    int64_t difference;
    if (is_int(b, 0))
        return a;
    if (a == b)
        return ix_int(ir, 0);
    if (a->kind == N_INT && b->kind == N_INT && !__builtin_sub_overflow(a->u.i, b->u.i, &difference))
        return ix_int(ir, difference);
    return mk_binary(ir, N_SUB, a, b);
}

Node *ix_mul(Ir *ir, Node *a, Node *b)
{
    int64_t product;
    if (is_int(a, 0) || is_int(b, 0))
        return ix_int(ir, 0);
    if (is_int(a, 1))
        return b;
    if (is_int(b, 1))
        return a;
    if (a->kind == N_INT && b->kind == N_INT && !__builtin_mul_overflow(a->u.i, b->u.i, &product))
        return ix_int(ir, product);
    return mk_binary(ir, N_MUL, a, b);
}

Node *ix_div(Ir *ir, Node *a, Node *b)
{
    if (is_int(b, 1))
        return a;
    if (a->kind == N_INT && b->kind == N_INT && b->u.i > 0)
        return ix_int(ir, a->u.i / b->u.i);
    return mk_binary(ir, N_DIV, a, b);
}

Node *ix_mod(Ir *ir, Node *a, Node *b)
{
    if (is_int(b, 1))
        return ix_int(ir, 0);
    if (a->kind == N_INT && b->kind == N_INT && b->u.i > 0)
        return ix_int(ir, a->u.i % b->u.i);
    return mk_binary(ir, N_MOD, a, b);
}

Node *ix_min(Ir *ir, Node *a, Node *b)
{
    if (a->kind == N_INT && b->kind == N_INT)
        return a->u.i < b->u.i ? a : b;
    return a == b ? a : mk_binary(ir, N_MIN, a, b);
}

Node *ix_max(Ir *ir, Node *a, Node *b)
{
    if (a->kind == N_INT && b->kind == N_INT)
        return a->u.i > b->u.i ? a : b;
    return a == b ? a : mk_binary(ir, N_MAX, a, b);
}

bool computes_as_index(Type type) { return type_is_integer(type) && (type_is_signed(type) || type_bits(type) == 64); }

bool converts_as_index(Type from, Type to)
{
    if (!type_is_integer(from) || !type_is_integer(to) || to == T_BOOL)
        return false;
    if (type_bits(to) == 64) /* both extensions to 64 bits keep the value modulo 2^64 */
        return true;
    return type_min(to) <= type_min(from) && type_max(from) <= type_max(to);
}

Node *widen(Ir *ir, Node *e)
{
    Type type = (Type)e->type;
    switch ((Kind)e->kind) {
    case N_INT: return ix_int(ir, e->u.i);
    case N_ADD:
    case N_SUB:
    case N_MUL: {
        if (!computes_as_index(type))
            break;
        Node *a = widen(ir, e->kid[0]), *b = widen(ir, e->kid[1]);
        return e->kind == N_ADD ? ix_add(ir, a, b) : e->kind == N_SUB ? ix_sub(ir, a, b) : ix_mul(ir, a, b);
    }
    case N_NEG:
        if (!computes_as_index(type))
            break;
        return ix_sub(ir, ix_int(ir, 0), widen(ir, e->kid[0]));
    case N_CAST:
        if (!converts_as_index(e->kid[0]->type, type))
            break;
        return widen(ir, e->kid[0]);
    default: break;
    }
    return mk_cast(ir, T_INDEX, e);
}

bool is_converted_var(const Node *e, const Sym *var)
{
    while (e->kind == N_CAST && type_is_integer(e->type) && type_bits(e->type) >= type_bits(e->kid[0]->type))
        e = e->kid[0];
    return e->kind == N_VAR && e->sym == var;
}
