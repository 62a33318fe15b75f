/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which conversions packing and storing know, by the types of a load and of the sum. */
#include "plan/contract/narrow.h"
#include "plan/contract/wrapping.h"

#include "ir/range.h"
#include "ir/walk.h"
#include "plan/targets.h"

/* ---------------------------------------------------------------- values */

bool fits_between(const Node *e, int64_t lo, int64_t hi)
{
    return type_bits((Type)e->type) <= 32 && range_within(range_by_types(e), (Range){lo, hi});
}

Node *narrowed(Ir *ir, Type narrow, Node *e)
{
    if (e->kind == N_CAST && e->kid[0]->type == narrow)
        return e->kid[0]->kind == N_LOAD || e->kid[0]->kind == N_SEL ? e->kid[0] : NULL;
    if (e->kind == N_FLOAT && e->u.f == 0)
        return mk_float(ir, narrow, 0);
    if (e->kind != N_SEL)
        return NULL;
    Node *a = narrowed(ir, narrow, e->kid[1]), *b = narrowed(ir, narrow, e->kid[2]);
    return a && b ? mk_select(ir, e->kid[0], a, b) : NULL;
}

/* ---------------------------------------------------------------- packing */

/* The load below conversions that keep every value, and below additions of constants, whose sum goes to *plus. */
static Node *load_of_integer(Node *e, int64_t *plus)
{
    if (e->kind == N_LOAD)
        return e;
    if (e->kind == N_CAST)
        return fits_between(e->kid[0], type_min((Type)e->type), type_max((Type)e->type)) ? load_of_integer(e->kid[0], plus) : NULL;
    if ((e->kind != N_ADD && e->kind != N_SUB) || e->kid[1]->kind != N_INT)
        return NULL;
    *plus += e->kind == N_ADD ? e->kid[1]->u.i : -e->kid[1]->u.i;
    return load_of_integer(e->kid[0], plus);
}

Node *packed_load(const Contraction *c, Node *value, int64_t *plus)
{
    *plus = 0;
    if (value->kind == N_LOAD && value->type == c->elem)
        return value;
    if (c->family == FAM_I32)
        return load_of_word(value);
    if (c->family == FAM_F32 && value->kind == N_CAST && value->kid[0]->kind == N_LOAD)
        return value->kid[0]->type == T_HALF || value->kid[0]->type == T_BF16 ? value->kid[0] : NULL;
    Node *load = c->family == FAM_I8 ? load_of_integer(value, plus) : NULL;
    return load && (load->type == T_SCHAR || load->type == T_UCHAR || (load->type == T_SHORT && *plus == 0)) ? load : NULL;
}

bool packing_converts(const Contraction *c, Type type)
{
    return c->family == FAM_F32  ? type == T_HALF || type == T_BF16
           : c->family == FAM_I8 ? type == T_SCHAR || type == T_UCHAR || type == T_SHORT
                                 : false;
}

Node *before_conversion(const Contraction *c, Node *value)
{
    Node *from = value->kind == N_CAST ? value->kid[0] : NULL;
    if (!from)
        return NULL;
    if (c->family == FAM_I32)
        return is_word((Type)value->type) && is_word((Type)from->type) ? from : NULL;
    if (c->family == FAM_I8)
        return fits_between(from, type_min((Type)value->type), type_max((Type)value->type)) ? from : NULL;
    return c->family == FAM_F32 && packing_converts(c, (Type)from->type) ? from : NULL;
}

/* ---------------------------------------------------------------- storing */

bool stores_converted(Type acc, Type out) { return acc == T_FLOAT && (out == T_HALF || out == T_BF16); }

static bool count_stores(void *user, Node *n)
{
    int *stores = user;
    *stores += n->kind == N_STORE;
    return !is_expr(n);
}

bool ends_converted(const Contraction *c)
{
    const Node *block = c->epilogue, *last = block->nkids ? block->kid[block->nkids - 1] : block;
    int stores = 0;
    if (c->kind != EPI_GENERAL || !c->c.strided || c->c.in_place || last->kind != N_STORE || last->sym != c->c.array)
        return false;
    walk(&(Walker){.pre = count_stores, .user = &stores}, c->epilogue);
    return stores == 1 && stmt_value(last)->kind == N_CAST && stmt_value(last)->kid[0]->type == c->acc;
}

bool stores_sum(const Contraction *c)
{
    const Node *value = c->epilogue->nkids == 1 ? stmt_value(c->epilogue->kid[0])->kid[0] : NULL;
    return value && value->kind == N_VAR && value->sym == c->sum;
}

/* ---------------------------------------------------------------- dot-product instructions */

/* e, whose values are bytes of this kind, without conversions to and from wider types. */
static Node *in_bytes(Ir *ir, Type byte, Node *e)
{
    if (e->kind == N_INT)
        return mk_int(ir, byte, e->u.i);
    if (e->kind == N_CAST && fits_between(e->kid[0], type_min((Type)e->type), type_max((Type)e->type)) &&
        fits_between(e->kid[0], type_min(byte), type_max(byte)))
        return in_bytes(ir, byte, e->kid[0]);
    if (e->kind == N_SEL && fits_between(e->kid[1], type_min(byte), type_max(byte)) &&
        fits_between(e->kid[2], type_min(byte), type_max(byte)))
        return mk_select(ir, e->kid[0], in_bytes(ir, byte, e->kid[1]), in_bytes(ir, byte, e->kid[2]));
    return e->type == byte ? e : mk_cast(ir, byte, e);
}

/* NULL: its values are not all bytes of one kind. */
static Node *as_byte(Ir *ir, Node *e)
{
    return fits_between(e, -128, 127) ? in_bytes(ir, T_SCHAR, e) : fits_between(e, 0, 255) ? in_bytes(ir, T_UCHAR, e) : NULL;
}

bool to_bytes(Ir *ir, Contraction *c)
{
    Node *a = as_byte(ir, c->a.value), *b = as_byte(ir, c->b.value);
    if (!a || !b)
        return false;
    c->a.value = a;
    c->b.value = b;
    c->elem = T_SCHAR;
    c->family = FAM_U8S8;
    return true;
}

static bool fits_byte(const Node *e) { return fits_between(e, -128, 127) || fits_between(e, 0, 255); }

void choose_dots(Ir *ir, Contraction *c, unsigned held)
{
    Node *a = c->a.value, *b = c->b.value;
    if (c->family == FAM_F32 && family_is_held(held, FAM_BF16) && narrowed(ir, T_BF16, a) && narrowed(ir, T_BF16, b))
        c->dots = FAM_BF16;
    if (c->family != FAM_I8 || !family_is_held(held, FAM_U8S8) || !fits_byte(a) || !fits_byte(b))
        return;
    c->dots = FAM_U8S8;
    c->a.dots_plus = fits_between(a, 0, 255) ? 0 : 128;
    c->b.dots_plus = fits_between(b, -128, 127) ? 0 : -128;
}
