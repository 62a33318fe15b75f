/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Additions and multiplications of integers keep their low bits, whatever becomes of the high ones. */
#include "plan/contract/wrapping.h"

bool is_word(Type type) { return type_is_integer(type) && type_bits(type) == 32; }

static bool computes(const Node *e)
{
    return is_word((Type)e->type) && (e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL || e->kind == N_NEG);
}

/* Is the value a word that was converted from one, or computed? */
static bool is_made(const Node *e)
{
    return computes(e) || (e->kind == N_CAST && is_word((Type)e->type) && is_word((Type)e->kid[0]->type));
}

static Node *as_unsigned(Ir *ir, Node *e)
{
    if (e->kind == N_INT)
        return mk_int(ir, T_UINT, (int64_t)(uint32_t)e->u.i);
    if (e->kind == N_SEL)
        return mk_select(ir, e->kid[0], as_unsigned(ir, e->kid[1]), as_unsigned(ir, e->kid[2]));
    if (!is_made(e))
        return mk_cast(ir, T_UINT, e);
    if (e->kind == N_CAST)
        return as_unsigned(ir, e->kid[0]);
    if (e->kind == N_NEG)
        return mk_unary(ir, N_NEG, as_unsigned(ir, e->kid[0]));
    return mk_binary(ir, e->kind, as_unsigned(ir, e->kid[0]), as_unsigned(ir, e->kid[1]));
}

Node *wrapping(Ir *ir, Type type, Node *e)
{
    if (e->kind == N_INT)
        return mk_int(ir, type, type == T_UINT ? (int64_t)(uint32_t)e->u.i : (int64_t)(int32_t)(uint32_t)e->u.i);
    if (e->kind == N_SEL)
        return mk_select(ir, e->kid[0], wrapping(ir, type, e->kid[1]), wrapping(ir, type, e->kid[2]));
    while (e->kind == N_CAST && is_made(e))
        e = e->kid[0];
    return mk_cast(ir, type, computes(e) ? as_unsigned(ir, e) : e);
}

Node *load_of_word(Node *value)
{
    while (value->kind == N_CAST && is_made(value))
        value = value->kid[0];
    return value->kind == N_LOAD && is_word((Type)value->type) ? value : NULL;
}

Node *wrapping_factors(Ir *ir, const Node *e)
{
    const Node *product = e->kind == N_CAST && is_word((Type)e->type) ? e->kid[0] : NULL;
    if (!product || product->kind != N_MUL || !type_is_integer((Type)product->type))
        return NULL;
    return mk_binary(ir, N_MUL, mk_cast(ir, (Type)e->type, product->kid[0]), mk_cast(ir, (Type)e->type, product->kid[1]));
}

Type panel_type(const Contraction *c) { return c->family == FAM_I32 ? T_UINT : c->elem; }
Type sums_type(const Contraction *c) { return c->family == FAM_I32 ? T_UINT : c->acc; }
