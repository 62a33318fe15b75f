/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions in narrow lanes: as narrow_lanes.c has found them to fit. Vectors have the element that is in the lanes. */
#include "depend/poly.h"
#include "ir/absolute.h"
#include "plan/vectors/narrow_idioms.h"
#include "plan/vectors/vector_state.h"

static Type lanes_of(const VectorState *s, Type element) { return type_vector(element, s->shape.width); }

/* The same bits, with a sign or without: of what has been taken so before as it was. */
static Node *as_lane(VectorState *s, Node *value, Type element)
{
    while (value && value->kind == N_CAST && type_element(value->type) != element && type_element(value->kid[0]->type) != T_MASK)
        value = value->kid[0];
    if (value && value->kind == N_SPLAT)
        return mk_splat(s->ir, mk_cast(s->ir, element, value->kid[0]), s->shape.width);
    return !value || type_element(value->type) == element ? value : mk_cast(s->ir, lanes_of(s, element), value);
}

static Node *value_as(VectorState *s, Node *e, int copy, Type element) { return as_lane(s, vector_narrow_value(s, e, copy), element); }

static Node *load(VectorState *s, Node *e, int copy)
{
    VectorPlace place;
    NarrowPlace group;
    if (narrow_find_place(&s->narrow->groups, e->sym, e->kid[0], &group))
        return vector_load_of_group(s, e, &group, copy);
    if (!vector_place(s, e, copy, &place) || place.apart)
        return vector_refuse(s, "large stride between iterations");
    if (!s->here.where[copy])
        vector_note_certain(s->ir->arena, &s->here.certain, e);
    const bool certain = vector_is_certain(&s->here.certain, e);
    return mk_vload(s->ir, e->sym, place.first, certain ? s->copies.count[copy] : vector_part(s, copy), s->shape.width);
}

/* An integer as one of fewer bits than lanes have. */
static Node *cut(VectorState *s, Node *e, int copy)
{
    Ir *ir = s->ir;
    const int more = lane_bits(s->shape.width) - type_bits(e->type);
    const Range whole = type_range(e->type);
    if (more <= 0 || range_within(range_of(s->narrow->ranges, e->kid[0]), whole))
        return vector_narrow_value(s, e->kid[0], copy);
    const Type lane = narrow_lane(s->narrow, mk_int(ir, T_INT, type_is_signed(e->type) ? -1 : 0));
    Node *value = value_as(s, e->kid[0], copy, lane), *by = mk_splat(ir, mk_int(ir, lane, more), s->shape.width);
    if (!value || !type_is_signed(e->type))
        return value ? vector_binary(ir, N_AND, value, mk_splat(ir, mk_int(ir, lane, (int64_t)whole.hi), s->shape.width)) : NULL;
    return vector_binary(ir, N_SHR, vector_binary(ir, N_SHL, value, by), by);
}

static Node *truth(VectorState *s, Node *e, int copy, Type element)
{
    Node *mask = vector_mask(s, e, copy);
    return mask ? mk_cast(s->ir, lanes_of(s, element), mask) : NULL;
}

/* |a - b| of bytes: the greater one without the lesser one. */
static Node *distance(VectorState *s, Node *a, Node *b, int copy)
{
    Node *x = value_as(s, a, copy, T_UCHAR), *y = x ? value_as(s, b, copy, T_UCHAR) : NULL;
    return y ? vector_binary(s->ir, N_SUB, vector_binary(s->ir, N_MAX, x, y), vector_binary(s->ir, N_MIN, x, y)) : NULL;
}

static Node *absolute(VectorState *s, Node *of, int copy)
{
    Node *x = value_as(s, of, copy, s->shape.width == LANES_8 ? T_SCHAR : T_SHORT);
    return x ? vector_binary(s->ir, N_MAX, x, mk_expr(s->ir, N_NEG, (Type)x->type, NULL, 1, &x, of->loc)) : NULL;
}

/* Of what is compared itself, which is the greater or the lesser one, as it is compared. */
static Type lane_of_choice(const NarrowLanes *n, Node *e)
{
    const Node *cond = e->kid[0];
    const bool compares = kind_info[cond->kind].flags & F_REL && cond->nkids == 2;
    const bool same = compares && ((cond->kid[0] == e->kid[1] && cond->kid[1] == e->kid[2]) ||
                                   (cond->kid[0] == e->kid[2] && cond->kid[1] == e->kid[1]));
    return same ? narrow_common_lane(n, e->kid[1], e->kid[2]) : narrow_lane(n, e);
}

static Node *choose(VectorState *s, Node *e, int copy)
{
    Node *a, *b, *of = absolute_of(e);
    if (narrow_is_distance(s->narrow, e, &a, &b))
        return distance(s, a, b, copy);
    if (of)
        return absolute(s, of, copy);
    const Type element = lane_of_choice(s->narrow, e);
    Node *mask = vector_mask(s, e->kid[0], copy);
    mask = mask ? vector_named_mask(s, mask) : NULL;
    Node *outer = s->here.where[copy], *arm[2] = {NULL, NULL};
    for (int i = 0; mask && i < 2 && (!i || arm[0]); i++) {
        Node *taken = i ? mk_expr(s->ir, N_BNOT, (Type)mask->type, NULL, 1, &mask, e->loc) : mask;
        s->here.where[copy] = vector_mask_within(s, outer, taken);
        arm[i] = s->here.where[copy] ? value_as(s, e->kid[1 + i], copy, element) : NULL;
        s->here.where[copy] = outer;
    }
    return arm[1] ? vector_select(s->ir, mask, arm[0], arm[1]) : NULL;
}

/* Of the lower `bits` of lanes. */
static Node *reversal(VectorState *s, const Node *e, Node *of, int bits, int copy)
{
    const int above = lane_bits(s->shape.width) - bits;
    Node *x = value_as(s, of, copy, s->shape.width == LANES_8 ? T_UCHAR : T_USHORT);
    Node *reverse = x ? mk_expr(s->ir, e->kid[0]->kind, (Type)x->type, NULL, 1, &x, e->loc) : NULL;
    return reverse && above
               ? vector_binary(s->ir, N_SHR, reverse, mk_splat(s->ir, mk_int(s->ir, type_element(x->type), above), s->shape.width))
               : reverse;
}

/* By another count in each lane. Of what is shifted to the left the sign does not matter. */
static Node *lanes_shifted(VectorState *s, Node *e, int copy)
{
    const Type element = e->kind == N_SHL ? T_USHORT : narrow_lane(s->narrow, e->kid[0]);
    Node *value = value_as(s, e->kid[0], copy, element), *counts = value ? value_as(s, e->kid[1], copy, element) : NULL;
    return counts ? vector_binary(s->ir, (Kind)e->kind, value, counts) : NULL;
}

static Node *operation(VectorState *s, Node *e, int copy)
{
    Ir *ir = s->ir;
    int bits;
    Node *reversed = narrow_reversed(e, &bits);
    if (reversed)
        return reversal(s, e, reversed, bits, copy);
    if ((e->kind == N_SHL || e->kind == N_SHR) && vector_varies(&s->loop, e->kid[1]))
        return lanes_shifted(s, e, copy);
    const bool exact = e->kind == N_SHR || e->kind == N_DIV || e->kind == N_MOD || e->kind == N_POPCOUNT;
    const Type element = narrow_lane(s->narrow, exact ? e->kid[0] : e);
    Node *a = value_as(s, e->kid[0], copy, element);
    if (!a || e->nkids == 1)
        return a ? mk_expr(ir, e->kind, (Type)a->type, NULL, 1, &a, e->loc) : NULL;
    Node *b = exact || e->kind == N_SHL ? mk_splat(ir, mk_cast(ir, element, e->kid[1]), s->shape.width)
                                        : value_as(s, e->kid[1], copy, element);
    return b ? vector_binary(ir, e->kind, a, b) : NULL;
}

/* ---------------------------------------------------------------- operations that have instructions */

/* `value kind number`, in such lanes. */
static Node *by_number(VectorState *s, Kind kind, Node *value, int64_t number)
{
    return vector_binary(s->ir, kind, value, mk_splat(s->ir, mk_int(s->ir, type_element(value->type), number), s->shape.width));
}

/* Of numbers with a sign: they and the result are moved up by half of what lanes hold. */
static Node *average(VectorState *s, const NarrowIdiom *idiom, Node *a, Node *b)
{
    const Type numbers = s->shape.width == LANES_8 ? T_UCHAR : T_USHORT;
    const int64_t half = type_is_signed(idiom->element) ? -(int64_t)type_min(idiom->element) : 0;
    a = half ? by_number(s, N_XOR, as_lane(s, a, numbers), half) : a;
    b = half ? by_number(s, N_XOR, as_lane(s, b, numbers), half) : b;
    Node *mean = vector_binary(s->ir, N_AVERAGE, a, b);
    if (!idiom->rounds) /* up, where the sum is odd */
        mean = vector_binary(s->ir, N_SUB, mean, by_number(s, N_AND, vector_binary(s->ir, N_XOR, a, b), 1));
    return half ? by_number(s, N_XOR, mean, half) : mean;
}

/* The upper and the lower half, shifted down together. */
static Node *shifted_product(VectorState *s, const NarrowIdiom *idiom, Node *a, Node *b)
{
    enum { HALF = 16 };
    const int shift = idiom->shift;
    if (shift == HALF - 1 && idiom->rounds && idiom->element == T_SHORT)
        return vector_binary(s->ir, N_MUL_ROUND, a, b);
    Node *high = vector_binary(s->ir, N_MUL_HIGH, a, b);
    Node *low = vector_binary(s->ir, N_MUL, as_lane(s, a, T_USHORT), as_lane(s, b, T_USHORT));
    Node *value = high, *last; /* the bit that is shifted out last */
    if (shift > HALF)
        value = by_number(s, N_SHR, high, shift - HALF);
    else if (shift < HALF)
        value = vector_binary(s->ir, N_OR, by_number(s, N_SHL, as_lane(s, high, T_USHORT), HALF - shift), by_number(s, N_SHR, low, shift));
    if (!idiom->rounds)
        return value;
    last = shift > HALF ? by_number(s, N_SHR, high, shift - HALF - 1) : by_number(s, N_SHR, low, shift - 1);
    last = shift == HALF ? last : by_number(s, N_AND, last, 1);
    return vector_binary(s->ir, N_ADD, as_lane(s, value, T_USHORT), as_lane(s, last, T_USHORT));
}

static Node *product(VectorState *s, const NarrowIdiom *idiom, Node *a, Node *b)
{
    Node *value = as_lane(s, shifted_product(s, idiom, a, b), T_SHORT);
    Node *most = mk_splat(s->ir, mk_int(s->ir, T_SHORT, type_max(T_SHORT)), s->shape.width);
    return idiom->saturates ? vector_select(s->ir, by_number(s, N_EQ, value, type_min(T_SHORT)), most, value) : value;
}

/* The bit that is shifted out last rounds. */
static Node *rounded_shift(VectorState *s, const NarrowIdiom *idiom, Node *a)
{
    Node *last = idiom->shift > 1 ? by_number(s, N_SHR, a, idiom->shift - 1) : a;
    return vector_binary(s->ir, N_ADD, by_number(s, N_SHR, a, idiom->shift), by_number(s, N_AND, last, 1));
}

static Node *of_idiom(VectorState *s, const NarrowIdiom *idiom, int copy)
{
    Node *a = value_as(s, idiom->a, copy, idiom->element), *b = a ? value_as(s, idiom->b, copy, idiom->element) : NULL;
    if (!b)
        return NULL;
    switch (idiom->kind) {
    case IDIOM_AVERAGE: return average(s, idiom, a, b);
    case IDIOM_ROUNDED_SHIFT: return rounded_shift(s, idiom, a);
    case IDIOM_HIGH_PRODUCT: return product(s, idiom, a, b);
    default: return vector_binary(s->ir, idiom->kind == IDIOM_SATURATED_SUM ? N_ADD_SAT : N_SUB_SAT, a, b);
    }
}

Node *vector_narrow_value(VectorState *s, Node *e, int copy)
{
    NarrowIdiom idiom;
    const Type element = narrow_lane(s->narrow, e);
    Node *value;
    if (!vector_varies(&s->loop, e))
        return vector_spread(s, mk_cast(s->ir, element, e), copy);
    if (kind_info[e->kind].flags & F_REL)
        return truth(s, e, copy, element);
    if (narrow_find_idiom(s->narrow, e, &idiom))
        return as_lane(s, of_idiom(s, &idiom, copy), element);
    switch ((Kind)e->kind) {
    case N_VAR: {
        const Varying *v = map_get(&s->scalars.varying, e->sym->id);
        Node *place = map_get(&s->scalars.places, e->sym->id);
        value = v       ? mk_var(s->ir, v->copy[copy])
                : place ? vector_narrow_value(s, place, copy)
                        : vector_refuse(s, "an integer that changes with the loop is used as a number");
        break;
    }
    case N_LOAD: value = load(s, e, copy); break;
    case N_CAST: value = e->type == T_BOOL ? truth(s, e->kid[0], copy, element) : cut(s, e, copy); break;
    case N_CALL:
    case N_SEL: value = choose(s, e, copy); break;
    default: value = operation(s, e, copy);
    }
    return as_lane(s, value, element);
}

Node *vector_narrow_stored(VectorState *s, const Sym *array, Node *e, int copy)
{
    const bool fills = type_bits(array->type) == lane_bits(s->shape.width);
    return value_as(s, e, copy,
                    s->shape.width == LANES_16    ? (fills ? array->type : T_SHORT)
                    : type_is_signed(array->type) ? T_SCHAR
                                                  : T_UCHAR);
}

Node *vector_narrow_saturated(VectorState *s, const Sym *array, Node *e, int copy)
{
    Node *value = s->narrow ? narrow_saturated(s->narrow, array, e) : NULL;
    return value ? value_as(s, value, copy, T_SHORT) : NULL;
}

Node *vector_narrow_comparison(VectorState *s, Node *e, int copy)
{
    const Type element = narrow_common_lane(s->narrow, e->kid[0], e->kid[1]);
    Node *a = value_as(s, e->kid[0], copy, element), *b = a ? value_as(s, e->kid[1], copy, element) : NULL;
    return b ? vector_binary(s->ir, e->kind, a, b) : NULL;
}

Type vector_narrow_scalar(const VectorState *s, const Sym *sym)
{
    const NarrowAcc *acc = map_get(&s->narrow->reduced, sym->id);
    if (acc && acc->reduction->op == RED_SUM)
        return type_vector(sym->type, LANES_32);
    return lanes_of(s, acc ? acc->lane : narrow_lane(s->narrow, mk_var(s->ir, (Sym *)sym)));
}

/* ---------------------------------------------------------------- reductions */

/* What of a value is added up: lanes that do not count are 0. */
static Node *counting(VectorState *s, Node *value, int copy)
{
    Node *counts = value ? vector_part(s, copy) : NULL;
    const bool is_zero = value && value->kind == N_VLOAD && value->nkids > 1 && value->kid[1] == counts; /* in others */
    if (!counts || is_zero)
        return value;
    if (!type_is_vector(counts->type))
        counts = vector_first_lanes(s, copy);
    return vector_select(s->ir, counts, value, mk_splat(s->ir, mk_int(s->ir, type_element(value->type), 0), s->shape.width));
}

/* Lanes of 32 bits that together have the sum of a term's narrow lanes. */
static Node *partial_sum(VectorState *s, Node *term, int copy)
{
    Ir *ir = s->ir;
    const Type sums = type_vector(T_INT, LANES_32);
    Node *a, *b, *kids[2];
    if (narrow_is_product(s->narrow, term)) {
        kids[0] = counting(s, value_as(s, term->kid[0], copy, T_SHORT), copy);
        kids[1] = kids[0] ? value_as(s, term->kid[1], copy, T_SHORT) : NULL;
        return kids[1] ? mk_expr(ir, N_DOT, sums, NULL, 2, kids, term->loc) : NULL;
    }
    if (narrow_is_distance(s->narrow, term, &a, &b)) {
        kids[0] = counting(s, value_as(s, a, copy, T_UCHAR), copy);
        kids[1] = kids[0] ? counting(s, value_as(s, b, copy, T_UCHAR), copy) : NULL;
        return kids[1] ? mk_expr(ir, N_PARTIAL, sums, NULL, 2, kids, term->loc) : NULL;
    }
    kids[0] = counting(s, vector_narrow_value(s, term, copy), copy);
    return kids[0] ? mk_expr(ir, N_PARTIAL, sums, NULL, 1, kids, term->loc) : NULL;
}

static Node *added(VectorState *s, const Sym *acc, Node *value, Node *old, int copy)
{
    bool minus;
    Node *sum = old, *term;
    while ((term = narrow_next_term(&value, acc, &minus))) {
        Node *part = partial_sum(s, narrow_term(term), copy);
        if (!part)
            return NULL;
        part = acc->type == T_INT ? part : mk_cast(s->ir, (Type)old->type, part);
        sum = vector_binary(s->ir, minus ? N_SUB : N_ADD, sum, part);
    }
    return sum;
}

static Kind kind_of(ReduceOp op)
{
    switch (op) {
    case RED_GREATEST: return N_MAX;
    case RED_LEAST: return N_MIN;
    case RED_AND: return N_AND;
    case RED_OR: return N_OR;
    default: return N_XOR;
    }
}

Node *vector_narrow_reduced(VectorState *s, const NarrowAcc *acc, Node *value, Node *old, int copy)
{
    const Reduction *r = acc->reduction;
    if (r->op == RED_SUM)
        return added(s, r->acc, value, old, copy);
    Node *operand = value_as(s, narrow_operand(r, value), copy, acc->lane), *counts = operand ? vector_part(s, copy) : NULL;
    if (!operand)
        return NULL;
    if (counts && !type_is_vector(counts->type))
        counts = vector_first_lanes(s, copy);
    Node *both = vector_binary(s->ir, kind_of(r->op), operand, old);
    return counts ? vector_select(s->ir, counts, both, old) : both;
}

Node *vector_narrow_start(VectorState *s, const NarrowAcc *acc)
{
    const Type type = acc->lane;
    int64_t start = 0;
    switch (acc->reduction->op) {
    case RED_GREATEST: start = type_min(type); break;
    case RED_LEAST: start = type_max(type); break;
    case RED_AND: start = type_is_signed(type) ? -1 : type_max(type); break;
    default: break;
    }
    return mk_splat(s->ir, mk_int(s->ir, type, start), acc->reduction->op == RED_SUM ? LANES_32 : s->shape.width);
}

/* Where no iteration has run lanes hold no element. */
void vector_narrow_end(VectorState *s, const NarrowAcc *acc, Node *lanes, Vec *out)
{
    Ir *ir = s->ir;
    const Reduction *r = acc->reduction;
    Sym *folded = sym_new(ir, S_LOCAL, r->acc->type, "folded", r->acc->loc);
    folded->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, folded, mk_cast(ir, r->acc->type, mk_fold(ir, (int)r->op, lanes)), r->acc->loc));
    Node *a = mk_var(ir, r->acc), *b = mk_var(ir, folded), *value;
    if (r->op == RED_GREATEST || r->op == RED_LEAST)
        value = mk_select(ir, mk_binary(ir, r->op == RED_GREATEST ? N_GT : N_LT, b, a), b, a);
    else
        value = mk_binary(ir, kind_of(r->op), a, b);
    vec_push(ir->arena, out, mk_assign(ir, r->acc, mk_select(ir, s->reductions.runs, value, a), N_NONE, r->acc->loc));
}
