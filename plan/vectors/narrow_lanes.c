/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries lanes of 8 bits, then of 16. */
#include "plan/vectors/narrow_lanes.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/absolute.h"
#include "ir/walk.h"
#include "plan/vectors/narrow_idioms.h"

static bool fits(NarrowLanes *n, Node *e, bool exact);
static bool is_let_of_places(const NarrowLanes *n, Node *e);

/* ---------------------------------------------------------------- ranges */

static Type lane_of(const NarrowLanes *n, bool sign) { return n->width == LANES_8 ? sign ? T_SCHAR : T_UCHAR : sign ? T_SHORT : T_USHORT; }

static Range range_in(const NarrowLanes *n, Node *e) { return range_of(n->ranges, e); }

static bool holds(const NarrowLanes *n, Range range, bool sign) { return range_within(range, type_range(lane_of(n, sign))); }

static bool is_exact(const NarrowLanes *n, Range range) { return holds(n, range, false) || holds(n, range, true); }

static Type lane_for(const NarrowLanes *n, Range range) { return lane_of(n, !holds(n, range, false) && holds(n, range, true)); }

Type narrow_lane(const NarrowLanes *n, Node *e) { return lane_for(n, range_in(n, e)); }

/* With a sign if either will do: there are sets that compare no others. */
Type narrow_common_lane(const NarrowLanes *n, Node *a, Node *b)
{
    return lane_of(n, holds(n, range_hull(range_in(n, a), range_in(n, b)), true));
}

Node *narrow_value_of(const NarrowLanes *n, Node *e)
{
    Node *value = e->kind == N_VAR ? map_get(&n->lets, e->sym->id) : NULL;
    return value ? value : e;
}

bool narrow_is_distance(const NarrowLanes *n, Node *e, Node **a, Node **b)
{
    Node *of = absolute_of(narrow_value_of(n, e)), *difference = of ? narrow_value_of(n, of) : NULL;
    if (n->width != LANES_8 || !difference || difference->kind != N_SUB)
        return false;
    *a = difference->kid[0];
    *b = difference->kid[1];
    return holds(n, range_in(n, *a), false) && holds(n, range_in(n, *b), false);
}

/* ---------------------------------------------------------------- sums */

Node *narrow_next_term(Node **rest, const Sym *acc, bool *minus)
{
    Node *e = *rest;
    if (e->kind == N_VAR || e->nkids != 2)
        return NULL;
    const int at = uses_sym(e->kid[0], acc) ? 1 : 0;
    *minus = e->kind == N_SUB;
    *rest = e->kid[1 - at];
    return e->kid[at];
}

Node *narrow_term(Node *term)
{
    while (term->kind == N_CAST && type_bits(term->type) == 32 && type_is_integer(term->kid[0]->type) &&
           type_bits(term->kid[0]->type) == 32)
        term = term->kid[0];
    return term;
}

bool narrow_is_product(const NarrowLanes *n, Node *term)
{
    return n->width == LANES_16 && term->kind == N_MUL && holds(n, range_in(n, term->kid[0]), true) &&
           holds(n, range_in(n, term->kid[1]), true);
}

static bool term_fits(NarrowLanes *n, Node *term)
{
    return narrow_is_product(n, term) ? fits(n, term->kid[0], true) && fits(n, term->kid[1], true) : fits(n, term, true);
}

static bool sum_fits(NarrowLanes *n, Node *value, const Sym *acc)
{
    bool minus;
    Node *term;
    while ((term = narrow_next_term(&value, acc, &minus)))
        if (!term_fits(n, narrow_term(term)))
            return false;
    return true;
}

/* ---------------------------------------------------------------- expressions */

/* Does it vary with the loop's variable, and with nothing else? */
static bool is_of_places(const NarrowLanes *n, Node *e)
{
    if (e->kind == N_LOAD || e->kind == N_CALL)
        return false;
    if (e->kind == N_VAR)
        return e->sym == n->facts->var || !vector_varies(n->facts, e) || is_let_of_places(n, e);
    for (int i = 0; i < e->nkids; i++)
        if (!is_of_places(n, e->kid[i]))
            return false;
    return true;
}

bool narrow_is_place(const NarrowLanes *n, Node *e) { return vector_varies(n->facts, e) && is_of_places(n, e); }

static bool is_let_of_places(const NarrowLanes *n, Node *e)
{
    Node *value = narrow_value_of(n, e);
    return value != e && narrow_is_place(n, value);
}

/* Are the elements neighbours that lanes can hold? */
static bool access_fits(const NarrowLanes *n, const Sym *array, Node *subscript)
{
    Ir *ir = n->facts->ir;
    Poly *coef, *rest;
    Sym *var = n->facts->var;
    return type_is_integer(array->type) && type_bits(array->type) <= lane_bits(n->width) &&
           poly_affine(ir, poly_of(ir, subscript), &var, 1, &coef, &rest) && poly_is(coef, 1) &&
           !vector_varies(n->facts, poly_node(ir, rest));
}

/* Members of groups are loaded in all lanes that count. */
static bool load_fits(NarrowLanes *n, Node *e)
{
    NarrowPlace place;
    if (e->nkids != 1)
        return false;
    if (!n->guards)
        *map_at(n->facts->ir->arena, &n->certain, e->id) = e;
    return access_fits(n, e->sym, e->kid[0]) || (map_get(&n->certain, e->id) && narrow_find_place(&n->groups, e->sym, e->kid[0], &place));
}

/* What is evaluated only if a condition says so. */
static bool guarded_fits(NarrowLanes *n, Node *e, bool exact)
{
    n->guards++;
    const bool yes = fits(n, e, exact);
    n->guards--;
    return yes;
}

static bool comparison_fits(NarrowLanes *n, Node *e)
{
    Node *a = e->kid[0], *b = e->nkids == 2 ? e->kid[1] : a;
    if (e->kind == N_LNOT || e->kind == N_LAND || e->kind == N_LOR)
        return fits(n, a, true) && guarded_fits(n, b, true);
    return fits(n, a, true) && fits(n, b, true) && is_exact(n, range_hull(range_in(n, a), range_in(n, b)));
}

static bool choice_fits(NarrowLanes *n, Node *e, bool exact)
{
    Node *of = absolute_of(e), *a, *b;
    if (narrow_is_distance(n, e, &a, &b))
        return fits(n, a, true) && fits(n, b, true);
    if (of)
        return fits(n, of, true) && holds(n, range_in(n, of), true);
    return e->kind == N_SEL && fits(n, e->kid[0], true) && guarded_fits(n, e->kid[1], exact) && guarded_fits(n, e->kid[2], exact);
}

static bool is_shift_by_constant(const NarrowLanes *n, const Node *e)
{
    return e->kid[1]->kind == N_INT && e->kid[1]->u.i >= 0 && e->kid[1]->u.i < lane_bits(n->width);
}

/* By another count in each lane, of 16 bits: no set shifts bytes so. */
static bool shift_fits(NarrowLanes *n, Node *e, bool exact)
{
    if (is_shift_by_constant(n, e))
        return fits(n, e->kid[0], exact);
    const Range counts = {0, lane_bits(LANES_16) - 1};
    return n->width == LANES_16 && vector_varies(n->facts, e->kid[1]) && range_within(range_in(n, e->kid[1]), counts) &&
           fits(n, e->kid[1], true) && fits(n, e->kid[0], exact);
}

/* There are products of 16 bits whose upper half counts. */
static bool is_division_by_constant(const NarrowLanes *n, const Node *e)
{
    const Node *by = e->kid[1];
    return n->width == LANES_16 && by->kind == N_INT && by->u.i > 0 && by->u.i <= type_max(narrow_lane(n, e->kid[0]));
}

Node *narrow_reversed(const Node *e, int *bits)
{
    const Node *reverse = e->kind == N_SHR && e->kid[1]->kind == N_INT ? e->kid[0] : NULL;
    if (!reverse || (reverse->kind != N_BIT_REVERSE && reverse->kind != N_BYTE_REVERSE))
        return NULL;
    *bits = type_bits(reverse->type) - (int)e->kid[1]->u.i;
    return *bits == 8 || *bits == 16 ? reverse->kid[0] : NULL;
}

static bool reversal_fits(NarrowLanes *n, Node *of, int bits)
{
    return bits <= lane_bits(n->width) && range_within(range_in(n, of), type_range(bits == 8 ? T_UCHAR : T_USHORT)) && fits(n, of, true);
}

static bool operation_fits(NarrowLanes *n, Node *e)
{
    int bits;
    Node *reversed = narrow_reversed(e, &bits);
    if (reversed)
        return reversal_fits(n, reversed, bits);
    switch ((Kind)e->kind) {
    case N_MUL: return n->width == LANES_16 && fits(n, e->kid[0], false) && fits(n, e->kid[1], false);
    case N_ADD:
    case N_SUB:
    case N_AND:
    case N_OR:
    case N_XOR: return fits(n, e->kid[0], false) && fits(n, e->kid[1], false);
    case N_NEG:
    case N_BNOT: return fits(n, e->kid[0], false);
    case N_POPCOUNT: return range_in(n, e->kid[0]).lo >= 0 && fits(n, e->kid[0], true);
    case N_SHL: return shift_fits(n, e, false);
    case N_SHR: return shift_fits(n, e, true);
    case N_DIV:
    case N_MOD: return is_division_by_constant(n, e) && fits(n, e->kid[0], true);
    default: return false;
    }
}

/* Can lanes hold it, or at least its lower bits? */
static bool fits(NarrowLanes *n, Node *e, bool exact)
{
    NarrowIdiom idiom;
    if (!type_is_integer(e->type) || type_bits(e->type) > 32 || (exact && !is_exact(n, range_in(n, e))))
        return false;
    if (!vector_varies(n->facts, e))
        return true;
    if (kind_info[e->kind].flags & F_REL)
        return comparison_fits(n, e);
    if (narrow_find_idiom(n, e, &idiom))
        return fits(n, idiom.a, true) && fits(n, idiom.b, true);
    switch ((Kind)e->kind) {
    case N_VAR: return vector_fact(n->facts, e->sym, OWN) && e->sym != n->facts->var && !is_let_of_places(n, e);
    case N_LOAD: return load_fits(n, e);
    case N_CAST:
        return type_is_integer(e->kid[0]->type) && fits(n, e->kid[0], e->type == T_BOOL || type_bits(e->type) > type_bits(e->kid[0]->type));
    case N_CALL:
    case N_SEL: return choice_fits(n, e, exact);
    default: return operation_fits(n, e);
    }
}

/* ---------------------------------------------------------------- statements */

Node *narrow_operand(const Reduction *r, Node *value)
{
    const bool choice = value->kind == N_SEL;
    for (int i = choice; i < value->nkids; i++)
        if (value->kid[i]->kind == N_VAR && value->kid[i]->sym == r->acc)
            return value->kid[value->nkids - 1 - i + choice];
    return NULL;
}

static bool reduction_fits(NarrowLanes *n, NarrowAcc *acc, Node *value)
{
    const Reduction *r = acc->reduction;
    if (r->op == RED_SUM)
        return sum_fits(n, value, r->acc);
    Node *operand = narrow_operand(r, value);
    if (!operand || !fits(n, operand, true))
        return false;
    acc->operands = range_hull(acc->operands, range_in(n, operand));
    acc->lane = lane_for(n, acc->operands);
    return is_exact(n, acc->operands);
}

/* Of what is stored only the bits that elements have count. */
static bool store_fits(NarrowLanes *n, Node *s)
{
    return s->nkids == 2 && (access_fits(n, s->sym, s->kid[0]) || narrow_find_group(&n->groups, s)) && fits(n, s->kid[1], false);
}

static bool statement_fits(NarrowLanes *n, Node *s)
{
    bool all = true;
    switch ((Kind)s->kind) {
    case N_BLOCK:
        for (int i = 0; all && i < s->nkids; i++)
            all = statement_fits(n, s->kid[i]);
        return all;
    case N_IF: /* stores to some lanes are no instruction */
        all = fits(n, s->kid[0], true);
        n->guards++;
        for (int i = 1; all && i < s->nkids; i++)
            all = !has_kind(s->kid[i], N_STORE) && statement_fits(n, s->kid[i]);
        n->guards--;
        return all;
    case N_STORE: return store_fits(n, s);
    case N_DECL:
        if (!s->sym->rank && s->nkids && narrow_is_place(n, s->kid[0]))
            return true;
        return !s->sym->rank && type_is_integer(s->sym->type) && type_bits(s->sym->type) <= 32 && (!s->nkids || fits(n, s->kid[0], false));
    case N_ASSIGN: {
        NarrowAcc *acc = map_get(&n->reduced, s->sym->id);
        return acc ? reduction_fits(n, acc, s->kid[0]) : type_bits(s->sym->type) <= 32 && fits(n, s->kid[0], false);
    }
    default: return false;
    }
}

static bool note_let(void *user, Node *s)
{
    NarrowLanes *n = user;
    if (s->kind == N_DECL && s->nkids && !vector_fact(n->facts, s->sym, ASSIGNED))
        *map_at(n->facts->ir->arena, &n->lets, s->sym->id) = s->kid[0];
    return !is_expr(s);
}

/* Lanes of 32 bits have all others. */
static bool is_reduced(const Reduction *r)
{
    const bool narrow = r->op == RED_GREATEST || r->op == RED_LEAST || r->op == RED_AND || r->op == RED_OR || r->op == RED_XOR;
    return r->acc && !r->choice && type_is_integer(r->acc->type) && type_bits(r->acc->type) == 32 && (narrow || r->op == RED_SUM);
}

static bool loads_narrow(Node *e)
{
    bool yes = e->kind == N_LOAD && type_bits(e->sym->type) < 32;
    for (int i = 0; !yes && i < e->nkids; i++)
        yes = loads_narrow(e->kid[i]);
    return yes;
}

/* Has it as many iterations as the widest vectors have lanes? */
static bool fills_lanes(Ir *ir, Node *loop, LaneWidth width)
{
    enum { WIDEST = 512 };
    const Node *count = trip_count(ir, loop);
    return !count || count->kind != N_INT || count->u.i >= WIDEST / lane_bits(width);
}

bool find_narrow_lanes(Ir *ir, Node *loop, const LoopFacts *facts, const Vec *reductions, const Map *names, NarrowLanes *n)
{
    for (int i = 0; i < reductions->count; i++)
        if (!is_reduced(reductions->items[i]))
            return false;
    if (has_kind(loop->kid[2], N_FOR) || !loads_narrow(loop->kid[2]))
        return false;
    *n = (NarrowLanes){.width = LANES_8, .facts = facts, .groups = {.facts = facts, .names = names}, .ranges = ranges_new(ir, loop)};
    walk(&(Walker){.pre = note_let, .user = n}, loop->kid[2]);
    for (int tries = 0; tries < 2; tries++, n->width = LANES_16) {
        if (!reductions->count && !fills_lanes(ir, loop, n->width))
            continue;
        n->certain = n->groups.stores = (Map){0};
        for (int i = 0; i < reductions->count; i++) {
            const Reduction *r = reductions->items[i];
            NarrowAcc *acc = arena_alloc(ir->arena, sizeof *acc);
            *acc = (NarrowAcc){.reduction = r, .lane = r->acc->type, .operands = range_empty()};
            *map_at(ir->arena, &n->reduced, r->acc->id) = acc;
        }
        if (statement_fits(n, loop->kid[2]))
            return true;
    }
    return false;
}
