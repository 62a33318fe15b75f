/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lo <= x && x <= hi in lanes without a sign: x - lo <= hi - lo, since what is below lo wraps around. */
#include "plan/vectors/vector_state.h"

/* Where a comparison of `of` with a constant holds. */
typedef struct Interval {
    Node *of;
    int64_t lo, hi;
} Interval;

/* Of `e`; of the opposite, if `opposite`. */
static bool find_interval(Node *e, bool opposite, Interval *in)
{
    const bool compares = e->kind == N_LT || e->kind == N_LE || e->kind == N_GT || e->kind == N_GE;
    const bool turned = compares && e->kid[0]->kind == N_INT;
    const Node *bound = compares ? e->kid[turned ? 0 : 1] : NULL;
    if (!bound || bound->kind != N_INT || type_is_vector(bound->type) || type_bits(bound->type) > 32)
        return false;
    const bool below = ((e->kind == N_LT || e->kind == N_LE) != turned) != opposite;
    const bool strict = (e->kind == N_LT || e->kind == N_GT) != opposite;
    in->of = e->kid[turned ? 1 : 0];
    in->lo = below ? INT64_MIN : bound->u.i + strict;
    in->hi = below ? bound->u.i - strict : INT64_MAX;
    return true;
}

Node *vector_narrow_interval(VectorState *s, Node *e, int copy)
{
    Interval a, b;
    const bool outside = e->kind == N_LOR;
    if (!s->narrow || (e->kind != N_LAND && !outside))
        return NULL;
    if (!find_interval(e->kid[0], outside, &a) || !find_interval(e->kid[1], outside, &b) || a.of != b.of)
        return NULL;
    const int64_t lo = a.lo > b.lo ? a.lo : b.lo, hi = a.hi < b.hi ? a.hi : b.hi;
    Node *x = lo >= 0 && lo <= hi ? vector_narrow_value(s, a.of, copy) : NULL;
    const Type element = x ? type_element(x->type) : T_VOID;
    if (!x || !type_is_integer(element) || type_is_signed(element) || hi > (int64_t)type_max(element))
        return NULL;
    Node *from = vector_binary(s->ir, N_SUB, x, mk_splat(s->ir, mk_int(s->ir, element, lo), s->shape.width));
    Node *within = vector_binary(s->ir, N_LE, from, mk_splat(s->ir, mk_int(s->ir, element, hi - lo), s->shape.width));
    return outside ? mk_expr(s->ir, N_BNOT, (Type)within->type, NULL, 1, &within, e->loc) : within;
}
