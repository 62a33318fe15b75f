/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions to signed types are modulo 2^n on all our targets. */
#include "ir/wrap.h"

static Type unsigned_of(Type type) { return type == T_INT ? T_UINT : type == T_LONG ? T_ULONG : type == T_LLONG ? T_ULLONG : type; }

static Node *as_unsigned(Ir *ir, Node *e)
{
    Type bare = unsigned_of(e->type);
    if (e->kind != N_INT)
        return mk_cast(ir, bare, e);
    return mk_int(ir, bare, type_bits(bare) == 64 ? e->u.i : e->u.i & (((int64_t)1 << type_bits(bare)) - 1));
}

/* The low bits of `v` as a value of a signed type. */
static Node *wrapped_immediate(Ir *ir, Type type, Wide v)
{
    Wide modulus = (Wide)1 << type_bits(type);
    v = ((v % modulus) + modulus) % modulus;
    return mk_int(ir, type, (int64_t)(v > type_range(type).hi ? v - modulus : v));
}

Node *wrapped_op(Ir *ir, Kind kind, Node *a, Node *b)
{
    Type type = a->type;
    bool immediate = a->kind == N_INT && (!b || b->kind == N_INT) && kind != N_SHL;
    if (immediate) {
        Range x = {a->u.i, a->u.i}, y = {b ? b->u.i : 0, b ? b->u.i : 0};
        return wrapped_immediate(ir, type, exact_range(kind, type, x, y).lo);
    }
    Node *left = as_unsigned(ir, a);
    if (!b)
        return mk_cast(ir, type, mk_unary(ir, kind, left));
    Node *right = kind == N_SHL ? b : as_unsigned(ir, b); /* a count keeps its type */
    return mk_cast(ir, type, mk_binary(ir, kind, left, right));
}

bool is_wrapped_op(const Node *e)
{
    const Node *op = e->kind == N_CAST ? e->kid[0] : NULL;
    bool joins = op && (op->kind == N_ADD || op->kind == N_SUB || op->kind == N_MUL || op->kind == N_NEG);
    return joins && type_is_integer(e->type) && unsigned_of(e->type) == (Type)op->type && e->type != op->type;
}

/* -a - b as -(a + b): how a chain of unsigned terms is ordered, so that it stays when it is read again. */
static Node *wrap_negative_sum(Ir *ir, Ranges *r, Node *e)
{
    Node *a = wrap_overflow(ir, r, e->kid[0]->kid[0]), *b = wrap_overflow(ir, r, e->kid[1]);
    return wrapped_op(ir, N_NEG, wrapped_op(ir, N_ADD, a, b), NULL);
}

Node *wrap_overflow(Ir *ir, Ranges *r, Node *e)
{
    if (!(expr_flags(r, e) & EXPR_OVERFLOWS))
        return e;
    if (e->kind == N_SUB && e->kid[0]->kind == N_NEG && is_signed_arithmetic(e))
        return wrap_negative_sum(ir, r, e);
    Node **kids = arena_new_array(ir->scratch, Node *, e->nkids);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = wrap_overflow(ir, r, e->kid[i]);
    if (may_overflow(r, e))
        return wrapped_op(ir, e->kind, kids[0], e->nkids > 1 ? kids[1] : NULL);
    return with_kids(ir, e, e->nkids, kids);
}

static bool is_signed_sum(const Node *e) { return (e->kind == N_ADD || e->kind == N_SUB) && is_signed_arithmetic(e); }

Node *constants_last(Ir *ir, Ranges *r, Node *e)
{
    if (!(expr_flags(r, e) & EXPR_OVERFLOWS))
        return e;
    Node **kids = arena_new_array(ir->scratch, Node *, e->nkids);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = constants_last(ir, r, e->kid[i]);
    Node *left = kids[0];
    if (!is_signed_sum(e) || kids[1]->kind == N_INT || !is_signed_sum(left) || left->kid[1]->kind != N_INT || !may_overflow(r, left))
        return with_kids(ir, e, e->nkids, kids);
    Node *constant = left->kid[1];
    kids[0] = left->kid[0];
    Node *all[] = {with_kids(ir, e, 2, kids), constant};
    return with_kids(ir, left, 2, all);
}
