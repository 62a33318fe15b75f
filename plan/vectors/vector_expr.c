/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: what does not vary is spread, neighbouring elements are loaded together, conditions become masks. */
#include <math.h>
#include <string.h>

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_profit.h"
#include "plan/vectors/vector_state.h"

Node *vector_refuse(VectorState *s, const char *why)
{
    if (!s->why)
        s->why = why;
    return NULL;
}

/* ---------------------------------------------------------------- makers */

Node *vector_binary(Ir *ir, Kind kind, Node *a, Node *b)
{
    Node *kids[] = {a, b};
    const bool compares = (kind_info[kind].flags & F_REL) != 0;
    return mk_expr(ir, kind, compares ? type_like(T_MASK, a->type) : (Type)a->type, NULL, 2, kids, (Loc){0, 0});
}

Node *vector_and(Ir *ir, Node *mask_or_null, Node *mask) { return mask_or_null ? vector_binary(ir, N_AND, mask_or_null, mask) : mask; }

/* An integer that all lanes have alike, as a constant; NULL: it is none such. */
static const Node *constant_of(const Node *e)
{
    const Node *scalar = e->kind == N_SPLAT ? e->kid[0] : e;
    return scalar->kind == N_INT ? scalar : NULL;
}

/* Of mask ? low : other: is it x < low ? low : min(high, x), with constants low <= high? Or the like with the greatest of both. */
static bool is_clamp(const Node *mask, const Node *low, const Node *other)
{
    const bool less = other->kind == N_MIN;
    const Node *at_low = constant_of(low);
    if (!at_low || (!less && other->kind != N_MAX))
        return false;
    for (int i = 0; i < 2; i++) {
        const Node *high = constant_of(other->kid[i]), *x = other->kid[1 - i];
        const bool ordered = high && (less ? at_low->u.i <= high->u.i : at_low->u.i >= high->u.i);
        const Kind kind = mask->kind, below = less ? N_LT : N_GT, above = less ? N_GT : N_LT;
        if (ordered &&
            ((kind == below && mask->kid[0] == x && mask->kid[1] == low) || (kind == above && mask->kid[0] == low && mask->kid[1] == x)))
            return true;
    }
    return false;
}

Node *vector_select(Ir *ir, Node *mask, Node *a, Node *b)
{
    const bool same = mask->nkids == 2 && mask->kid[0] == a && mask->kid[1] == b,
               turned = mask->nkids == 2 && mask->kid[0] == b && mask->kid[1] == a;
    if (a == b)
        return a;
    if (same && (mask->kind == N_GT || mask->kind == N_LT)) /* a > b ? a : b */
        return vector_binary(ir, mask->kind == N_GT ? N_MAX : N_MIN, a, b);
    if (turned && (mask->kind == N_GT || mask->kind == N_LT)) /* b > a ? a : b is a < b ? a : b */
        return vector_binary(ir, mask->kind == N_GT ? N_MIN : N_MAX, a, b);
    if (mask->nkids == 2 && is_clamp(mask, a, b))
        return vector_binary(ir, b->kind == N_MIN ? N_MAX : N_MIN, a, b);
    Node *kids[] = {mask, a, b};
    return mk_expr(ir, N_SEL, (Type)a->type, NULL, 3, kids, (Loc){0, 0});
}

static Node *vector_constant(VectorState *s, Type element, int64_t value)
{
    Node *scalar = type_is_float(element) ? mk_float(s->ir, element, (long double)value) : mk_int(s->ir, element, value);
    return mk_splat(s->ir, scalar, s->shape.width);
}

Node *vector_first_lanes(VectorState *s, int copy)
{
    return mk_expr(s->ir, N_FIRST, type_vector(T_MASK, s->shape.width), NULL, 1, &s->copies.count[copy], (Loc){0, 0});
}

Node *vector_part(VectorState *s, int copy)
{
    if (!s->here.where[copy])
        return s->copies.count[copy];
    return s->copies.count[copy] && !s->here.counted[copy] ? vector_and(s->ir, vector_first_lanes(s, copy), s->here.where[copy])
                                                           : s->here.where[copy];
}

/* Is a row so long, but for some elements, or a few times as long, as one is of which each iteration reads a few? */
static bool is_about(VectorState *s, const Poly *apart, const Poly *row)
{
    enum { FEW = 4 };
    int64_t left;
    for (int each = 1; each <= FEW; each++)
        if (poly_const(poly_sub(s->ir, apart, poly_mul(s->ir, row, poly_int(s->ir, each))), &left))
            return true;
    return false;
}

enum { SHUFFLED = 4 }; /* elements so far apart are loaded by shuffles */

/* Is there a loop inside, of a constant trip count, that fills vectors itself? */
static bool fills_inside(VectorState *s)
{
    for (int i = 0; i < s->here.ninner; i++) {
        const Node *trips = trip_count_of_running(s->ir, s->here.inner[i]);
        if (trips && trips->kind == N_INT && trips->u.i >= s->shape.lanes)
            return true;
    }
    return false;
}

typedef struct LoopWork {
    int loads;
    bool slow; /* quotients of floats, functions */
} LoopWork;

static bool note_work(void *user, Node *n)
{
    LoopWork *w = user;
    w->loads += n->kind == N_LOAD;
    w->slow = w->slow || n->kind == N_CALL || (n->kind == N_DIV && type_is_float((Type)n->type));
    return true;
}

/* Does the innermost loop have an order, and quotients or functions for the few elements that it loads? It waits for these, and lanes wait
 * together. */
static bool waits_inside(VectorState *s)
{
    enum { FEW_LOADS = 4 };
    LoopWork w = {0, false};
    const Node *innermost = s->here.ninner ? s->here.inner[s->here.ninner - 1] : NULL;
    if (!innermost || innermost->aux & FOR_PARALLEL)
        return false;
    walk(&(Walker){.pre = note_work, .user = &w}, innermost->kid[2]);
    return w.slow && w.loads <= FEW_LOADS;
}

/* Would lanes walk along rows that a loop inside goes through from end to end, but for some at the ends? Each row is a stream of its
 * own then. */
static bool walks_rows(VectorState *s, Node *apart)
{
    Poly *p = poly_of(s->ir, expand_names(s->ir, s->in->names, apart));
    if (s->in->wished || s->here.depth == 0 || waits_inside(s))
        return false;
    if (p->nterms == 1 && p->terms[0].natoms == 0 && p->terms[0].coef <= 16)
        return p->terms[0].coef > SHUFFLED && fills_inside(s);
    if (p->nterms != 1 || p->terms[0].natoms != 1)
        return true;
    for (int i = 0; i < s->here.ninner; i++) {
        Poly *row = poly_int(s->ir, 1);
        for (int j = i; j < s->here.ninner; j++) { /* one loop goes through it, or several, of a part each */
            Node *trips = trip_count_of_running(s->ir, s->here.inner[j]);
            row = trips ? poly_mul(s->ir, row, poly_of(s->ir, trips)) : NULL;
            if (!row || is_about(s, p, row))
                return true;
        }
    }
    return false;
}

/* Entries behind the end are those of branches that are left. */
static bool is_noted(const CertainLoads *certain, const Node *load)
{
    const intptr_t at = (intptr_t)map_get(&certain->at, load->id);
    return at && at <= certain->loads.count && certain->loads.items[at - 1] == load;
}

/* Parameters, or the same array. */
static bool have_same_shape(const Sym *a, const Sym *b)
{
    bool same = a->rank == b->rank && a->rank > 0 && a->kind == S_ARRAY && b->kind == S_ARRAY;
    for (int d = 0; same && d < a->rank; d++)
        same = a->extent[d] == b->extent[d];
    return same || a == b;
}

bool vector_is_there(const CertainLoads *certain, const Sym *array, const Node *subscript)
{
    enum { MOST_LOADS = 64 }; /* that are looked at */
    bool there = false;
    for (int i = 0; !there && !array->is_volatile && i < certain->loads.count && i < MOST_LOADS; i++) {
        const Node *other = certain->loads.items[i];
        there = other->nkids == (other->kind == N_LOAD ? 1 : 2) && other->kid[0] == subscript && have_same_shape(array, other->sym);
    }
    return there;
}

bool vector_is_certain(const CertainLoads *certain, const Node *load)
{
    return is_noted(certain, load) || (load->nkids == 1 && vector_is_there(certain, load->sym, load->kid[0]));
}

void vector_note_certain(Arena *arena, CertainLoads *certain, Node *load)
{
    if (is_noted(certain, load))
        return;
    vec_push(arena, &certain->loads, load);
    *map_at(arena, &certain->at, load->id) = (void *)(intptr_t)certain->loads.count;
}

static Node *load(VectorState *s, Node *e, int copy)
{
    VectorPlace place;
    NarrowPlace group;
    int which;
    Node *tile = map_get(&s->joined.tiled, e->id);
    if (tile)
        return tile;
    if (e->sym->type == T_LDOUBLE || e->nkids != 1)
        return vector_refuse(s, "long double has no vectors");
    bool certain = !s->here.where[copy];
    if (vector_is_of_group(s, e, copy, &group))
        return vector_load_of_group(s, e, &group, copy);
    if (!vector_place(s, e, copy, &place))
        return NULL;
    if (place.apart && !type_is_vector(place.apart->type) && walks_rows(s, place.apart))
        return vector_refuse(s, LARGE_STRIDE);
    if (certain)
        vector_note_certain(s->ir->arena, &s->here.certain, e);
    certain = certain || vector_is_certain(&s->here.certain, e);
    Node *part = certain ? s->copies.count[copy] : vector_part(s, copy);
    if (!place.apart)
        return mk_vload(s->ir, e->sym, place.first, part, s->shape.width);
    if (is_int(place.apart, 2) && vector_member(s, e, &which))
        return vector_load_member(s, e, &place, which, part);
    RowElement element;
    if (!part && !type_is_vector(place.apart->type) && vector_row_element(s, e, place.apart, &element))
        return vector_load_element(s, &place, &element);
    if (place.near && (!part || !type_is_vector(part->type)))
        return mk_near_gather(s->ir, e->sym, place.first, place.apart, part);
    Node *kids[] = {place.first, place.apart, part};
    return mk_expr(s->ir, N_GATHER, type_vector(e->sym->type, s->shape.width), e->sym, part ? 3 : 2, kids, e->loc);
}

/* ---------------------------------------------------------------- operators */

/* Lane 0 has `first`, and lanes differ by `stride`. */
static Node *equidistant(const VectorState *s, Type type, Node *first, Node *stride)
{
    Ir *ir = s->ir;
    Node *lanes = mk_expr(ir, N_IOTA, type_vector(type, s->shape.width), NULL, 0, NULL, (Loc){0, 0});
    if (!is_int(stride, 1))
        lanes = vector_binary(ir, N_MUL, lanes, mk_splat(ir, mk_cast(ir, type, stride), s->shape.width));
    return vector_binary(ir, N_ADD, mk_splat(ir, mk_cast(ir, type, first), s->shape.width), lanes);
}

/* The loop's variable, or a sum with it: one value for lane 0, and by how much lanes differ. */
static Node *numbers(VectorState *s, Node *e, int copy)
{
    Node *stride;
    if (type_bits(e->type) < 32 || !vector_stride(s, e, &stride) || (type_bits(e->type) == 64 && s->shape.width != LANES_64))
        return vector_refuse(s, "an integer that changes with the loop is used as a number");
    return equidistant(s, (Type)e->type, vector_first_lane(s, e, copy), stride);
}

/* The same of a place in 64 bits as an int, in lanes of 32; NULL: it is no such one. */
static Node *place_as_int(VectorState *s, const Node *e, int copy)
{
    Node *stride, *of = e->kid[0];
    if (e->type != T_INT || of->type != T_INDEX || s->shape.width != LANES_32 || !vector_stride(s, of, &stride))
        return NULL;
    return equidistant(s, T_INT, vector_first_lane(s, of, copy), stride);
}

static Node *variable(VectorState *s, Node *e, int copy)
{
    const Varying *v = map_get(&s->scalars.varying, e->sym->id);
    Node *place = v ? NULL : map_get(&s->scalars.places, e->sym->id), *stride;
    if (v)
        return mk_var(s->ir, v->copy[copy]);
    return place && !vector_stride(s, e, &stride) ? vector_value(s, place, copy) : numbers(s, e, copy);
}

/* Conversions that one function of the vocabulary makes, rounding once. */
static bool converts_once(Type from, Type to)
{
    const bool from_integer = type_is_integer(from), narrow = to == T_HALF || to == T_BF16;
    if (from == T_LDOUBLE || to == T_LDOUBLE)
        return false;
    if (narrow && from == T_DOUBLE)
        return false;
    return !(narrow && from_integer && type_bits(from) > 16);
}

/* Shifted in lanes of 32 bits. */
static Node *shifted(VectorState *s, Kind kind, Node *value, int by)
{
    Node *word = kind == N_SHL ? vector_shifted_word(s->ir, value, by) : NULL;
    if (word)
        return word;
    return vector_binary(s->ir, kind, value, vector_constant(s, T_INT, by));
}

/* An integer as one of fewer bits: lanes have 32, of which the upper ones go. */
static Node *narrowed(VectorState *s, Node *value, Type to)
{
    const int bits = type_bits(to);
    if (type_element(value->type) != T_INT)
        value = mk_cast(s->ir, type_vector(T_INT, s->shape.width), value);
    Node *kept = type_is_signed(to) ? shifted(s, N_SHR, shifted(s, N_SHL, value, 32 - bits), 32 - bits)
                                    : vector_binary(s->ir, N_AND, value, vector_constant(s, T_INT, (1 << bits) - 1));
    return mk_cast(s->ir, type_vector(to, s->shape.width), kept);
}

/* Does every integer of `from` have its value in `to`? -1 of 8 bits is 65535 in 16 without a sign. */
static bool holds_all(Type from, Type to)
{
    return type_is_integer(from) && type_bits(from) < type_bits(to) && (type_is_signed(to) || !type_is_signed(from));
}

static bool narrows(Type from, Type to) { return type_is_integer(to) && type_bits(to) < 32 && !holds_all(from, to); }

static Node *convert(VectorState *s, Node *e, int copy)
{
    if (!converts_once(e->kid[0]->type, e->type))
        return vector_refuse(s, "a conversion has no vectors");
    if (e->type == T_BOOL) {
        Node *mask = vector_mask(s, e->kid[0], copy);
        return mask ? mk_cast(s->ir, type_vector(T_INT, s->shape.width), mask) : NULL;
    }
    Node *place = place_as_int(s, e, copy);
    if (place)
        return place;
    Node *of = vector_kept_wide(s, e);
    Node *kid = vector_value(s, type_is_integer(e->type) ? wide_shift_narrowed(s->ir, of, e->type) : of, copy);
    if (kid && narrows(of->type, e->type))
        return narrowed(s, kid, e->type);
    if (kid && type_is_fp8(e->kid[0]->type) != type_is_fp8(e->type)) /* of 8 bits there are no conversions but to and from float */
        kid = mk_cast(s->ir, type_vector(T_FLOAT, s->shape.width), kid);
    if (kid && type_is_float(e->type))
        kid = vector_for_float(s, of, kid);
    return kid ? mk_cast(s->ir, type_vector(e->type, s->shape.width), kid) : NULL;
}

/* Integers cannot be divided by lanes that do not count, which may be 0. */
static bool divides_safely(const Node *e)
{
    const Node *by = e->kid[1];
    return type_is_float(e->type) ? e->kind == N_DIV : by->kind == N_INT && by->u.i > 0;
}

/* By a number that goes into no value twice, where `once` says whether it goes at all: the quotient is 1 or 0. */
static Node *divided_once(Ir *ir, const Node *e, Kind once)
{
    const Type type = e->type;
    Node *goes = mk_binary(ir, once, e->kid[0], e->kid[1]),
         *left = once == N_EQ ? mk_int(ir, type, 0) : mk_binary(ir, N_SUB, e->kid[0], e->kid[1]);
    return e->kind == N_DIV ? mk_cast(ir, type, goes) : mk_select(ir, goes, left, e->kid[0]);
}

/* By constants that vectors do not divide by, in terms of others; `e` itself if it is none such. C's quotient is cut off towards 0: a / -3 is
 * -(a / 3), a % -3 is a % 3. Only the least number goes into itself, and it has no opposite; what is as large as a number's upper bit, once. */
static Node *by_positive(Ir *ir, Node *e)
{
    const Type type = e->type;
    Node *by = e->kid[e->nkids - 1];
    if ((e->kind != N_DIV && e->kind != N_MOD) || !type_is_integer(type) || by->kind != N_INT || by->u.i >= 0)
        return e;
    if (!type_is_signed(type) || by->u.i == type_min(type))
        return divided_once(ir, e, type_is_signed(type) ? N_EQ : N_GE);
    Node *positive = mk_binary(ir, (Kind)e->kind, e->kid[0], mk_int(ir, type, -by->u.i));
    return e->kind == N_DIV ? mk_unary(ir, N_NEG, positive) : positive;
}

/* x / y by --math=fast. By what is the same for all lanes: times its inverse. By a square root: times an inverse root. */
static Node *fast_quotient(VectorState *s, Node *e, int copy)
{
    Node *by = e->kid[1];
    if (!vector_varies(&s->loop, by)) {
        Node *inverse = mk_binary(s->ir, N_DIV, mk_float(s->ir, T_FLOAT, 1), by);
        return vector_value(s, mk_binary(s->ir, N_MUL, e->kid[0], inverse), copy);
    }
    const bool root = by->kind == N_CALL && is_libm(by->sym, "sqrt");
    Node *kids[] = {vector_value(s, e->kid[0], copy), NULL};
    kids[1] = kids[0] ? vector_value(s, root ? by->kid[0] : by, copy) : NULL;
    return kids[1] ? mk_expr(s->ir, root ? N_OVER_ROOT : N_QUOTIENT, (Type)kids[0]->type, NULL, 2, kids, e->loc) : NULL;
}

static Node *arithmetic(VectorState *s, Node *e, int copy)
{
    if (e->kind == N_DIV && e->type == T_FLOAT && s->in->math == MATH_FAST) {
        *s->in->reorders = true;
        return fast_quotient(s, e, copy);
    }
    Node *by_other = by_positive(s->ir, e);
    if (by_other != e)
        return vector_value(s, by_other, copy);
    if ((e->kind == N_DIV || e->kind == N_MOD) && !divides_safely(e))
        return vector_refuse(s, "integers are divided by what is no constant");
    Node *a = vector_value(s, e->kid[0], copy);
    Node *b = a && e->nkids == 2 ? vector_value(s, e->kid[1], copy) : NULL;
    if (!a || (e->nkids == 2 && !b))
        return NULL;
    if (e->nkids == 1)
        return mk_expr(s->ir, e->kind, (Type)a->type, NULL, 1, &a, e->loc);
    if (e->kind == N_SHL || e->kind == N_SHR)
        b = mk_cast(s->ir, (Type)a->type, b);
    return e->kind == N_MUL ? vector_product(s, e, a, b) : vector_binary(s->ir, e->kind, a, b);
}

/* What is evaluated only where the mask says so. */
static Node *value_where(VectorState *s, Node *e, Node *mask, int copy)
{
    Node *outer = s->here.where[copy];
    s->here.where[copy] = vector_mask_within(s, outer, mask);
    Node *value = s->here.where[copy] ? vector_value(s, e, copy) : NULL;
    s->here.where[copy] = outer;
    return value;
}

/* By a condition that is the same for all lanes only one arm is evaluated. */
static Node *choose_all(VectorState *s, Node *e, int copy)
{
    const int certain = s->here.certain.loads.count;
    Vec *branch = s->here.branch.out, *now = s->here.now;
    s->here.branch.out = s->here.now = NULL;
    s->here.depth++;
    Node *kids[] = {e->kid[0], vector_value(s, e->kid[1], copy), NULL};
    s->here.certain.loads.count = certain;
    kids[2] = kids[1] ? vector_value(s, e->kid[2], copy) : NULL;
    s->here.certain.loads.count = certain;
    s->here.depth--;
    s->here.branch.out = branch;
    s->here.now = now;
    return kids[2] ? mk_expr(s->ir, N_SEL, (Type)kids[1]->type, NULL, 3, kids, e->loc) : NULL;
}

/* a && b ? x : y with an a that is the same for all lanes: a ? (b ? x : y) : y; a || b likewise. NULL: it is no such one. */
static Node *same_first(VectorState *s, const Node *e)
{
    Node *cond = e->kid[0], *rest;
    if ((cond->kind != N_LAND && cond->kind != N_LOR) || vector_varies(&s->loop, cond->kid[0]))
        return NULL;
    rest = mk_select(s->ir, cond->kid[1], e->kid[1], e->kid[2]);
    const bool both = cond->kind == N_LAND;
    return mk_select(s->ir, cond->kid[0], both ? rest : e->kid[1], both ? e->kid[2] : rest);
}

static Node *choose(VectorState *s, Node *e, int copy)
{
    Node *by_first = vector_varies(&s->loop, e->kid[0]) ? same_first(s, e) : e;
    if (by_first)
        return choose_all(s, by_first, copy);
    Node *mask = vector_mask(s, e->kid[0], copy);
    mask = mask ? vector_named_mask(s, mask) : NULL;
    Node *a = mask ? value_where(s, e->kid[1], mask, copy) : NULL;
    Node *b = a ? value_where(s, e->kid[2], mk_expr(s->ir, N_BNOT, (Type)mask->type, NULL, 1, &mask, e->loc), copy) : NULL;
    return b ? vector_select(s->ir, mask, a, b) : NULL;
}

bool vector_has_exactly(const Sym *f)
{
    static const char *const exact[] = {"sqrt",  "fabs", "floor", "ceil",     "trunc", "rint", "nearbyint",
                                        "round", "fmax", "fmin",  "copysign", "fma",   NULL};
    return is_libm_among(f, exact);
}

/* The vocabulary has it: exactly, or by vector maths. */
static bool has_function(const VectorState *s, const Sym *f)
{
    static const char *const maths[] = {"exp",  "exp2", "expm1", "log", "log2", "log10", "log1p", "pow",   "tanh", "sinh",  "cosh", "erf",
                                        "erfc", "sin",  "cos",   "tan", "asin", "acos",  "atan",  "atan2", "cbrt", "hypot", NULL};
    if (!f->libm || (f->type != T_FLOAT && f->type != T_DOUBLE))
        return false;
    if (vector_has_exactly(f))
        return true;
    if (s->in->math == MATH_LIBM || !is_libm_among(f, maths))
        return false;
    *s->in->reorders = true;
    return true;
}

/* Is it never NaN? */
static bool is_number(const VectorState *s, const Node *e)
{
    if (e->kind == N_VAR) {
        const Varying *v = map_get(&s->scalars.varying, e->sym->id);
        return v && v->number;
    }
    if (e->kind == N_CALL && is_extreme(e->sym))
        return is_number(s, e->kid[0]) || is_number(s, e->kid[1]);
    if (e->kind == N_CAST)
        return type_is_integer(e->kid[0]->type) || is_number(s, e->kid[0]);
    return e->kind == N_FLOAT ? !isnan(e->u.f) : e->kind == N_NEG && is_number(s, e->kid[0]);
}

/* fmaxf(x, top), of which top is never NaN: x > top ? x : top. */
static Node *extreme_of_numbers(VectorState *s, Node *e, int copy)
{
    const int top = is_number(s, e->kid[1]) ? 1 : 0;
    if (!is_number(s, e->kid[top]))
        return NULL;
    Node *number = vector_value(s, e->kid[top], copy), *other = number ? vector_value(s, e->kid[1 - top], copy) : NULL;
    return other ? vector_binary(s->ir, is_libm(e->sym, "fmax") ? N_MAX : N_MIN, other, number) : NULL;
}

static Node *call(VectorState *s, Node *e, int copy)
{
    Node *args[3];
    Node *simple = is_extreme(e->sym) ? extreme_of_numbers(s, e, copy) : NULL;
    if (simple)
        return simple;
    if (e->sym->libm && type_is_integer(e->type) && strstr(e->sym->name, "abs")) { /* abs, labs, llabs */
        args[0] = vector_value(s, e->kid[0], copy);
        args[1] = args[0] ? mk_expr(s->ir, N_NEG, (Type)args[0]->type, NULL, 1, args, e->loc) : NULL;
        return args[0] ? vector_binary(s->ir, N_MAX, args[0], args[1]) : NULL;
    }
    if (!has_function(s, e->sym) || e->nkids > 3)
        return vector_refuse(s, arena_printf(s->ir->arena, "%s has no vectors", e->sym->name));
    for (int i = 0; i < e->nkids; i++)
        if (!(args[i] = vector_value(s, e->kid[i], copy)))
            return NULL;
    Sym *function = s->in->math == MATH_FAST && e->sym->fast ? e->sym->fast : e->sym;
    return mk_expr(s->ir, N_CALL, type_vector(e->type, s->shape.width), function, e->nkids, args, e->loc);
}

/* ---------------------------------------------------------------- */

/* Of an expression that is true or false. */
static Node *truth(VectorState *s, Node *e, int copy)
{
    Ir *ir = s->ir;
    if (e->kind == N_LNOT) {
        Node *kid = vector_mask(s, e->kid[0], copy);
        return kid ? mk_expr(ir, N_BNOT, (Type)kid->type, NULL, 1, &kid, e->loc) : NULL;
    }
    Node *interval = vector_narrow_interval(s, e, copy);
    if (interval)
        return interval;
    if (e->kind == N_LAND || e->kind == N_LOR) {
        Node *a = vector_mask(s, e->kid[0], copy);
        a = a ? vector_named_mask(s, a) : NULL;
        if (!a)
            return NULL;
        Node *outer = s->here.where[copy], *then = e->kind == N_LAND ? a : mk_expr(ir, N_BNOT, (Type)a->type, NULL, 1, &a, e->loc);
        s->here.where[copy] = vector_mask_within(s, outer, then);
        Node *b = s->here.where[copy] ? vector_mask(s, e->kid[1], copy) : NULL;
        s->here.where[copy] = outer;
        return b ? vector_binary(ir, e->kind == N_LAND ? N_AND : N_OR, a, b) : NULL;
    }
    if (s->narrow)
        return vector_narrow_comparison(s, e, copy);
    Node *a = vector_value(s, e->kid[0], copy), *b = a ? vector_value(s, e->kid[1], copy) : NULL;
    return b ? vector_binary(ir, e->kind, a, b) : NULL;
}

Node *vector_mask(VectorState *s, Node *e, int copy)
{
    while (e->kind == N_CAST && type_is_integer(e->type) && kind_info[e->kid[0]->kind].flags & F_REL)
        e = e->kid[0];
    if (kind_info[e->kind].flags & F_REL && vector_varies(&s->loop, e))
        return truth(s, e, copy);
    Node *value = vector_value(s, e, copy);
    return value ? vector_binary(s->ir, N_NE, value, vector_constant(s, type_element(value->type), 0)) : NULL;
}

static bool is_trap(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || ((n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type));
}

Node *vector_spread(VectorState *s, Node *e, int copy)
{
    if (e->type == T_LDOUBLE)
        return vector_refuse(s, "long double has no vectors");
    const bool traps = any_node(e, is_trap, NULL);
    if (s->here.where[copy] && traps) {
        Node *any = mk_any(s->ir, vector_part(s, copy));
        Node *zero = type_is_float(e->type) ? mk_float(s->ir, e->type, 0) : mk_int(s->ir, e->type, 0);
        return mk_splat(s->ir, vector_shared(s, e, mk_select(s->ir, any, e, zero), copy), s->shape.width);
    }
    return mk_splat(s->ir, s->here.where[copy] ? e : vector_before_loop(s, e), s->shape.width);
}

Node *vector_value(VectorState *s, Node *e, int copy)
{
    if (type_bits(e->type) == 64 && s->shape.width != LANES_64)
        return vector_refuse(s, "a number of 64 bits changes with the loop");
    if (s->narrow)
        return vector_narrow_value(s, e, copy);
    if (!vector_varies(&s->loop, e))
        return vector_spread(s, e, copy);
    if (kind_info[e->kind].flags & F_REL) {
        Node *mask = truth(s, e, copy);
        return mask ? mk_cast(s->ir, type_vector(T_INT, s->shape.width), mask) : NULL;
    }
    Node *word = vector_word(s, e, copy);
    if (word)
        return word;
    switch ((Kind)e->kind) {
    case N_VAR: return variable(s, e, copy);
    case N_LOAD: return load(s, e, copy);
    case N_CAST: return convert(s, e, copy);
    case N_SEL: return choose(s, e, copy);
    case N_CALL: return call(s, e, copy);
    case N_MUL_SHIFT: return vector_scaled(s, e, copy);
    case N_LOW_INT: {
        Node *number = vector_value(s, e->kid[0], copy);
        return number ? mk_expr(s->ir, N_LOW_INT, type_vector(T_INT, s->shape.width), NULL, 1, &number, e->loc) : NULL;
    }
    default: return arithmetic(s, e, copy);
    }
}
