/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions are looked at behind names, and behind conversions that change no value. */
#include "plan/vectors/narrow_idioms.h"

static bool holds(const NarrowLanes *n, Node *e, Type element) { return range_within(range_of(n->ranges, e), type_range(element)); }

static Type lane(const NarrowLanes *n, bool sign) { return n->width == LANES_8 ? sign ? T_SCHAR : T_UCHAR : sign ? T_SHORT : T_USHORT; }

/* What has the same value, without names and conversions. */
static Node *plain(const NarrowLanes *n, Node *e)
{
    for (;;) {
        Node *value = narrow_value_of(n, e);
        if (value == e && e->kind == N_CAST && type_is_integer(e->kid[0]->type) && holds(n, e->kid[0], (Type)e->type))
            value = e->kid[0];
        if (value == e)
            return e;
        e = value;
    }
}

/* ---------------------------------------------------------------- clamps */

enum { MOST_CLAMPS = 4 };

/* A value between two bounds, else the one that is next to it. */
typedef struct Clamp {
    Range bounds;
    Node *compared[MOST_CLAMPS]; /* with the bounds: of each this, */
    Node *kept[MOST_CLAMPS];     /* or what is taken if it is inside */
    int count;
} Clamp;

static void tighten(Clamp *clamp, int64_t bound, bool below)
{
    if (below)
        clamp->bounds.hi = min_wide(clamp->bounds.hi, bound);
    else
        clamp->bounds.lo = max_wide(clamp->bounds.lo, bound);
}

/* Of x < k ? k : rest, or the like: rest. NULL: it is none. */
static Node *clamp_step(const NarrowLanes *n, Node *e, Clamp *clamp)
{
    if (e->kind == N_MIN || e->kind == N_MAX) {
        const int at = plain(n, e->kid[0])->kind == N_INT ? 0 : 1;
        const Node *bound = plain(n, e->kid[at]);
        if (bound->kind != N_INT)
            return NULL;
        tighten(clamp, bound->u.i, e->kind == N_MIN);
        return e->kid[1 - at];
    }
    Node *cond = e->kind == N_SEL ? e->kid[0] : NULL;
    if (!cond || (cond->kind != N_LT && cond->kind != N_LE && cond->kind != N_GT && cond->kind != N_GE) || clamp->count == MOST_CLAMPS)
        return NULL;
    const bool greater = cond->kind == N_GT || cond->kind == N_GE;
    Node *more = plain(n, cond->kid[greater ? 0 : 1]), *less = plain(n, cond->kid[greater ? 1 : 0]);
    const Node *bound = more->kind == N_INT ? more : less;
    if (bound->kind != N_INT || !type_is_signed(cond->kid[0]->type))
        return NULL;
    for (int arm = 1; arm <= 2; arm++) {
        const Node *taken = plain(n, e->kid[arm]);
        if (taken->kind != N_INT || taken->u.i != bound->u.i)
            continue;
        const bool taken_if_less = (bound == more) == (arm == 1); /* when what is compared is less than the bound */
        clamp->compared[clamp->count] = bound == more ? less : more;
        clamp->kept[clamp->count++] = plain(n, e->kid[3 - arm]);
        tighten(clamp, bound->u.i, !taken_if_less);
        return e->kid[3 - arm];
    }
    return NULL;
}

/* What is compared with bounds: what is kept inside them, or the value itself. */
static bool compares_value(const Clamp *clamp, const Node *value)
{
    for (int i = 0; i < clamp->count; i++)
        if (clamp->compared[i] != value && clamp->compared[i] != clamp->kept[i])
            return false;
    return clamp->bounds.lo <= clamp->bounds.hi;
}

/* The value that `e` clamps, itself without bounds if it is none; NULL: it is another choice. */
static Node *clamped(const NarrowLanes *n, Node *e, Range *bounds)
{
    Clamp clamp = {.bounds = {type_min(T_LONG), type_max(T_LONG)}};
    for (;;) {
        e = plain(n, e);
        Node *inside = clamp_step(n, e, &clamp);
        if (!inside && e->kind == N_CAST && type_is_integer(e->kid[0]->type) && e->type != T_BOOL &&
            range_within(clamp.bounds, type_range((Type)e->type)))
            inside = e->kid[0]; /* of what is outside it nothing is left */
        if (!inside)
            break;
        e = inside;
    }
    *bounds = clamp.bounds;
    return compares_value(&clamp, e) ? e : NULL;
}

/* Is the nearest of the type's numbers what the bounds leave of the value? */
static bool is_nearest(const NarrowLanes *n, Node *value, Range bounds, Type type)
{
    const Range range = range_of(n->ranges, value), whole = type_range(type);
    return (bounds.lo == whole.lo || (bounds.lo < whole.lo && range.lo >= whole.lo)) &&
           (bounds.hi == whole.hi || (bounds.hi > whole.hi && range.hi <= whole.hi));
}

/* ---------------------------------------------------------------- operations */

static bool is_constant(const Node *e, int64_t value) { return e->kind == N_INT && e->u.i == value; }

/* Two numbers that such lanes hold, in a sum with a constant *added. */
static bool two_addends(const NarrowLanes *n, Node *sum, Type element, Node **pair, int64_t *added)
{
    enum { MOST = 4 };
    Node *open[MOST] = {sum};
    int nopen = 1, found = 0;
    *added = 0;
    while (nopen) {
        Node *e = plain(n, open[--nopen]);
        if (e->kind == N_ADD && nopen + 2 <= MOST && !holds(n, e, element)) {
            open[nopen++] = e->kid[1];
            open[nopen++] = e->kid[0];
        } else if (e->kind == N_ADD && nopen + 2 <= MOST && is_constant(plain(n, e->kid[1]), 1)) {
            open[nopen++] = e->kid[0];
            *added += 1;
        } else if (e->kind == N_INT) {
            *added += e->u.i;
        } else if (found < 2 && holds(n, e, element)) {
            pair[found++] = e;
        } else {
            return false;
        }
    }
    return found == 2 && (*added == 0 || *added == 1);
}

/* (a + b + 1) >> 1, or without the 1; / 2 likewise, which rounds toward 0. */
static bool find_average(const NarrowLanes *n, Node *e, NarrowIdiom *found)
{
    const bool shifts = e->kind == N_SHR && is_constant(e->kid[1], 1), halves = e->kind == N_DIV && is_constant(e->kid[1], 2);
    Node *pair[2];
    int64_t added;
    for (int sign = 0; sign < 2 && (shifts || (halves && !sign)); sign++) {
        const Type element = lane(n, sign);
        if (!two_addends(n, e->kid[0], element, pair, &added))
            continue;
        *found = (NarrowIdiom){.kind = IDIOM_AVERAGE, .element = element, .a = pair[0], .b = pair[1], .rounds = added == 1};
        return !holds(n, e->kid[0], element) || (added == 1 && !sign); /* else a sum and a shift do */
    }
    return false;
}

/* (a * b) >> shift, or with half of what is shifted away added before. */
static bool find_product(const NarrowLanes *n, Node *e, NarrowIdiom *found)
{
    if (n->width != LANES_16 || e->kind != N_SHR || e->kid[1]->kind != N_INT || e->kid[1]->u.i < 1 || e->kid[1]->u.i > 31)
        return false;
    const int shift = (int)e->kid[1]->u.i;
    Node *sum = plain(n, e->kid[0]), *product = sum;
    int64_t added = 0;
    for (int i = 0; i < 2 && sum->kind == N_ADD; i++) {
        const Node *constant = plain(n, sum->kid[i]);
        if (constant->kind == N_INT) {
            added = constant->u.i;
            product = plain(n, sum->kid[1 - i]);
            break;
        }
    }
    if (product->kind != N_MUL || (added && added != (int64_t)1 << (shift - 1)))
        return false;
    Node *a = plain(n, product->kid[0]), *b = plain(n, product->kid[1]);
    const bool sign = holds(n, a, T_SHORT) && holds(n, b, T_SHORT);
    if (!sign && !(holds(n, a, T_USHORT) && holds(n, b, T_USHORT)))
        return false;
    *found = (NarrowIdiom){
        .kind = IDIOM_HIGH_PRODUCT, .element = sign ? T_SHORT : T_USHORT, .a = a, .b = b, .rounds = added != 0, .shift = shift};
    return !holds(n, sum, T_SHORT) && !holds(n, sum, T_USHORT); /* else a product and a shift do */
}

/* (a + half) >> shift, with half of what is shifted away. */
static bool find_rounded_shift(const NarrowLanes *n, Node *e, NarrowIdiom *found)
{
    const int bits = n->width == LANES_8 ? 8 : 16;
    Node *sum = e->kind == N_SHR && e->kid[1]->kind == N_INT && e->kid[1]->u.i >= 1 && e->kid[1]->u.i < bits ? plain(n, e->kid[0]) : NULL;
    if (!sum || sum->kind != N_ADD || holds(n, sum, lane(n, false)) || holds(n, sum, lane(n, true)))
        return false;
    for (int i = 0; i < 4; i++) {
        const Type element = lane(n, i / 2);
        Node *a = plain(n, sum->kid[i % 2]), *half = plain(n, sum->kid[1 - i % 2]);
        if (is_constant(half, (int64_t)1 << (e->kid[1]->u.i - 1)) && holds(n, a, element)) {
            *found = (NarrowIdiom){.kind = IDIOM_ROUNDED_SHIFT, .element = element, .a = a, .b = a, .shift = (int)e->kid[1]->u.i};
            return true;
        }
    }
    return false;
}

static bool find_saturated(const NarrowLanes *n, Node *e, NarrowIdiom *found)
{
    Range bounds;
    Node *x = e->kind == N_SEL || e->kind == N_MIN || e->kind == N_MAX ? clamped(n, e, &bounds) : NULL;
    if (!x || x == e)
        return false;
    const Range range = range_of(n->ranges, x);
    if (x->kind == N_SHR && find_product(n, x, found) && found->element == T_SHORT && found->shift == 15) {
        found->saturates = true;
        return is_nearest(n, x, bounds, T_SHORT) && range.lo > type_min(T_SHORT) && range.hi <= -(Wide)type_min(T_SHORT);
    }
    if (x->kind != N_ADD && x->kind != N_SUB)
        return false;
    Node *a = plain(n, x->kid[0]), *b = plain(n, x->kid[1]);
    for (int sign = 0; sign < 2; sign++) {
        const Type element = lane(n, sign);
        *found = (NarrowIdiom){
            .kind = x->kind == N_ADD ? IDIOM_SATURATED_SUM : IDIOM_SATURATED_DIFFERENCE, .element = element, .a = a, .b = b};
        if (holds(n, a, element) && holds(n, b, element) && is_nearest(n, x, bounds, element))
            return !range_within(range, type_range(element));
    }
    return false;
}

bool narrow_find_idiom(const NarrowLanes *n, Node *e, NarrowIdiom *found)
{
    return find_average(n, e, found) || find_product(n, e, found) || find_rounded_shift(n, e, found) || find_saturated(n, e, found);
}

Node *narrow_saturated(const NarrowLanes *n, const Sym *array, Node *stored)
{
    Range bounds;
    if (n->width != LANES_16 || type_bits(array->type) != 8 || array->type == T_BOOL)
        return NULL;
    Node *x = clamped(n, stored, &bounds);
    return x && vector_varies(n->facts, x) && holds(n, x, T_SHORT) && is_nearest(n, x, bounds, array->type) ? x : NULL;
}
