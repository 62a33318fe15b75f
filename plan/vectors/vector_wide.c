/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products, shifts and conversions of wide integers, for which most sets have instructions only in part. */
#include "plan/vectors/vector_state.h"

static Range range_in_body(VectorState *s, Node *e)
{
    s->ranges = s->ranges ? s->ranges : ranges_new(s->ir, s->loop.body);
    return range_of(s->ranges, e);
}

/* Do 32 bits hold both factors? *type: with a sign or without. */
static bool is_of_lower_halves(VectorState *s, const Node *e, Type *type)
{
    if (!type_is_integer(e->type) || type_bits(e->type) != 64)
        return false;
    const Range both = range_hull(range_in_body(s, e->kid[0]), range_in_body(s, e->kid[1]));
    *type = range_within(both, type_range(T_INT)) ? T_LONG : T_ULONG;
    return *type == T_LONG || range_within(both, type_range(T_UINT));
}

Node *vector_product(VectorState *s, const Node *e, Node *a, Node *b)
{
    Type numbers;
    if (!is_of_lower_halves(s, e, &numbers))
        return vector_binary(s->ir, N_MUL, a, b);
    const Type lanes = type_vector(numbers, s->shape.width);
    return mk_cast(s->ir, (Type)a->type, vector_binary(s->ir, N_MUL_LOW, mk_cast(s->ir, lanes, a), mk_cast(s->ir, lanes, b)));
}

Node *vector_scaled(VectorState *s, Node *e, int copy)
{
    Node *a = vector_value(s, e->kid[0], copy), *b = a ? vector_value(s, e->kid[1], copy) : NULL;
    Node *kids[] = {a, b, e->kid[2], e->kid[3]};
    return b ? mk_expr(s->ir, N_MUL_SHIFT, (Type)a->type, NULL, 4, kids, e->loc) : NULL;
}

Node *vector_kept_wide(VectorState *s, Node *e)
{
    Node *narrow = e->kid[0], *wide = narrow->kind == N_CAST ? narrow->kid[0] : NULL;
    const bool back = wide && type_is_integer(e->type) && type_is_integer(narrow->type) && type_is_integer(wide->type) &&
                      type_bits(e->type) == 64 && type_bits(narrow->type) < 64 && type_bits(wide->type) == 64;
    return back && narrow->type != T_BOOL && range_within(range_in_body(s, wide), type_range(narrow->type)) ? wide : narrow;
}

Node *vector_for_float(VectorState *s, const Node *of, Node *value)
{
    const Type type = of->type, as = type == T_UINT ? T_INT : type == T_ULONG ? T_LONG : type == T_ULLONG ? T_LLONG : T_VOID;
    const bool fits = as != T_VOID && range_within(range_in_body(s, (Node *)of), type_range(as));
    return fits ? mk_cast(s->ir, type_vector(as, s->shape.width), value) : value;
}

Node *wide_shift_narrowed(Ir *ir, Node *e, Type to)
{
    const bool shifts = e->kind == N_SHR && type_bits(e->type) == 64 && type_is_signed(e->type) && e->kid[1]->kind == N_INT;
    const Type wide = e->type == T_LLONG ? T_ULLONG : T_ULONG;
    if (!shifts || e->kid[1]->u.i < 0 || e->kid[1]->u.i > 64 - type_bits(to))
        return e;
    return mk_binary(ir, N_SHR, mk_cast(ir, wide, e->kid[0]), e->kid[1]);
}
