/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/dual.h"

#include <math.h>

#define MOST 1e15 /* what is beyond is not known */

/* ---------------------------------------------------------------- symbols */

void numbers_bind(Numbers *numbers, const Sym *sym, const Dual *value)
{
    Dual **at = (Dual **)map_at(numbers->arena, &numbers->values, sym->id);
    if (!*at)
        *at = arena_alloc(numbers->arena, sizeof **at);
    **at = *value;
}

void numbers_set(Numbers *numbers, const Sym *sym, double value)
{
    const Dual d = {.known = true, .value = value};
    numbers_bind(numbers, sym, &d);
}

void numbers_forget(Numbers *numbers, const Sym *sym, unsigned wild)
{
    const Dual d = {.wild = wild};
    numbers_bind(numbers, sym, &d);
}

/* ---------------------------------------------------------------- arithmetic */

unsigned dual_moves(const Dual *d)
{
    unsigned moves = d->wild;
    for (int i = 0; i < DUAL_LOOPS; i++)
        moves |= d->slope[i] != 0 ? 1u << i : 0;
    return moves;
}

static Dual unknown(unsigned wild) { return (Dual){.wild = wild}; }

static Dual number(double value) { return (Dual){.known = true, .value = value}; }

/* A slope of a loop that is wild says nothing. */
static Dual settled(Dual d)
{
    bool fits = fabs(d.value) <= MOST;
    for (int i = 0; i < DUAL_LOOPS; i++) {
        fits = fits && fabs(d.slope[i]) <= MOST;
        if (d.wild >> i & 1)
            d.slope[i] = 0;
    }
    return fits ? d : unknown(dual_moves(&d));
}

static Dual sum(const Dual *a, const Dual *b, double sign)
{
    Dual d = {.known = a->known && b->known, .wild = a->wild | b->wild, .value = a->value + sign * b->value};
    for (int i = 0; i < DUAL_LOOPS; i++)
        d.slope[i] = a->slope[i] + sign * b->slope[i];
    return settled(d);
}

static Dual scaled(const Dual *a, double factor)
{
    Dual d = {.known = a->known, .wild = a->wild, .value = a->value * factor};
    for (int i = 0; i < DUAL_LOOPS; i++)
        d.slope[i] = a->slope[i] * factor;
    return settled(d);
}

static Dual product(const Dual *a, const Dual *b)
{
    if (b->known && !dual_moves(b))
        return scaled(a, b->value);
    if (a->known && !dual_moves(a))
        return scaled(b, a->value);
    if (!a->known || !b->known)
        return unknown(dual_moves(a) | dual_moves(b));
    Dual d = {.known = true, .wild = a->wild | b->wild, .value = a->value * b->value};
    for (int i = 0; i < DUAL_LOOPS; i++)
        d.slope[i] = a->slope[i] * b->value + b->slope[i] * a->value;
    return settled(d);
}

static Dual quotient(const Dual *a, const Dual *b, bool rounds)
{
    if (!b->known || b->value == 0 || dual_moves(b))
        return unknown(dual_moves(a) | dual_moves(b));
    Dual d = scaled(a, 1 / b->value);
    d.value = rounds ? trunc(a->value / b->value) : d.value;
    return d;
}

/* An interval that is gone through again and again moves as what it is the rest of. */
static Dual rest(const Dual *a, const Dual *b)
{
    if (!a->known || !b->known || b->value == 0 || dual_moves(b))
        return unknown(dual_moves(a) | dual_moves(b));
    Dual d = *a;
    d.value = fmod(a->value, b->value);
    return d;
}

static Dual extreme(const Dual *a, const Dual *b, bool least)
{
    if (!a->known || !b->known)
        return unknown(dual_moves(a) | dual_moves(b));
    return (a->value < b->value) == least ? *a : *b;
}

static Dual of_bits(Kind kind, const Dual *a, const Dual *b)
{
    const unsigned moves = dual_moves(a) | dual_moves(b);
    if (!a->known || !b->known)
        return unknown(moves);
    const int64_t x = (int64_t)a->value, y = (int64_t)b->value;
    Dual d = number((double)(kind == N_AND ? x & y : kind == N_OR ? x | y : x ^ y));
    d.wild = moves;
    return settled(d);
}

static Dual shifted(const Dual *a, const Dual *by, bool left)
{
    if (!by->known || dual_moves(by) || by->value < 0 || by->value > 62)
        return unknown(dual_moves(a) | dual_moves(by));
    Dual d = scaled(a, ldexp(1, left ? (int)by->value : -(int)by->value));
    d.value = floor(d.value);
    return d;
}

/* ---------------------------------------------------------------- expressions */

static Dual of_operands(const Numbers *numbers, const Node *e)
{
    unsigned moves = 0;
    for (int i = 0; i < e->nkids; i++) {
        const Dual d = dual_of(numbers, e->kid[i]);
        moves |= dual_moves(&d);
    }
    return unknown(moves);
}

static Dual of_truth(const Numbers *numbers, const Node *e)
{
    const double chance = chance_of(numbers, e);
    return chance == 0 || chance == 1 ? number(chance) : of_operands(numbers, e);
}

/* Arrays begin at a line of memory. */
static Dual of_head(const Numbers *numbers, const Node *e)
{
    const Dual place = dual_of(numbers, e->kid[0]);
    const double lanes = vector_sets[numbers->set].bytes / (is_int(e->kid[1], 1) ? 8 : 4);
    if (!place.known)
        return number(0);
    Dual d = number(fmod(lanes - fmod(place.value, lanes), lanes));
    d.wild = dual_moves(&place);
    return d;
}

static Dual of_choice(const Numbers *numbers, const Node *e)
{
    const double chance = chance_of(numbers, e->kid[0]);
    return dual_of(numbers, e->kid[chance >= 0.5 ? 1 : 2]);
}

static Dual of_cast(const Numbers *numbers, const Node *e)
{
    Dual d = dual_of(numbers, e->kid[0]);
    if (type_is_integer((Type)e->type) && type_is_float((Type)e->kid[0]->type))
        d.value = trunc(d.value);
    return d;
}

static Dual of_two(const Numbers *numbers, const Node *e)
{
    const Dual a = dual_of(numbers, e->kid[0]), b = dual_of(numbers, e->kid[1]);
    switch ((Kind)e->kind) {
    case N_ADD: return sum(&a, &b, 1);
    case N_SUB: return sum(&a, &b, -1);
    case N_MUL: return product(&a, &b);
    case N_DIV: return quotient(&a, &b, !type_is_float((Type)e->type));
    case N_MOD: return rest(&a, &b);
    case N_MIN: return extreme(&a, &b, true);
    case N_MAX: return extreme(&a, &b, false);
    case N_SHL: return shifted(&a, &b, true);
    case N_SHR: return shifted(&a, &b, false);
    default: return of_bits((Kind)e->kind, &a, &b);
    }
}

Dual dual_of(const Numbers *numbers, const Node *e)
{
    switch ((Kind)e->kind) {
    case N_INT: return settled(number((double)e->u.i));
    case N_FLOAT: return isfinite(e->u.f) ? settled(number((double)e->u.f)) : unknown(0);
    case N_VAR: {
        const Dual *d = map_get(&numbers->values, e->sym->id);
        return d ? *d : unknown(0);
    }
    case N_CAST: return of_cast(numbers, e);
    case N_NEG: {
        const Dual d = dual_of(numbers, e->kid[0]);
        return scaled(&d, -1);
    }
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_DIV:
    case N_MOD:
    case N_MIN:
    case N_MAX:
    case N_SHL:
    case N_SHR:
    case N_AND:
    case N_OR:
    case N_XOR: return of_two(numbers, e);
    case N_SEL: return of_choice(numbers, e);
    case N_HEAD: return of_head(numbers, e);
    case N_LNOT:
    case N_LAND:
    case N_LOR: return of_truth(numbers, e);
    default: return kind_info[e->kind].flags & F_REL ? of_truth(numbers, e) : of_operands(numbers, e);
    }
}

/* ---------------------------------------------------------------- conditions */

/* How often something is the case, and with which loop that changes: -1: with none, or with some that nobody knows. */
typedef struct Chance {
    double share;
    int loop;
} Chance;

static int innermost_mover(const Numbers *numbers, const Dual *d)
{
    for (int i = numbers->depth - 1; i >= 0; i--)
        if (d->slope[i] != 0)
            return i;
    return -1;
}

static double between(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* In how many iterations of the loop the difference is below 0, or at most 0. */
static double iterations_below(const Numbers *numbers, const Dual *d, int loop, bool or_equal)
{
    const double n = numbers->trips[loop], slope = d->slope[loop], zero = numbers->at[loop] - d->value / slope;
    if (slope > 0)
        return between(or_equal ? floor(zero) + 1 : ceil(zero), 0, n);
    return n - between(or_equal ? ceil(zero) : floor(zero) + 1, 0, n);
}

static double share_below(const Numbers *numbers, const Dual *d, int loop, bool or_equal)
{
    if (loop < 0 || numbers->trips[loop] < 1)
        return d->value < 0 || (or_equal && d->value == 0);
    return iterations_below(numbers, d, loop, or_equal) / numbers->trips[loop];
}

static Chance of_difference(const Numbers *numbers, Kind kind, const Dual *d)
{
    if (!d->known || d->wild)
        return (Chance){EVEN_CHANCE, -1};
    const int loop = innermost_mover(numbers, d);
    const double below = share_below(numbers, d, loop, false), most = share_below(numbers, d, loop, true);
    switch (kind) {
    case N_LT: return (Chance){below, loop};
    case N_LE: return (Chance){most, loop};
    case N_GT: return (Chance){1 - most, loop};
    case N_GE: return (Chance){1 - below, loop};
    case N_EQ: return (Chance){most - below, loop};
    default: return (Chance){1 - (most - below), loop};
    }
}

static Chance chance(const Numbers *numbers, const Node *e);

#define ANOTHER_GUESS 0.7 /* how often one holds where another does */

static bool is_guess(Chance a) { return a.loop < 0 && a.share > 0 && a.share < 1; }

/* Of two that change with one loop, each holds on a side of it; others do not know of one another. Guesses are often about one thing: both sides of
 * a range, both coordinates of a place. */
static Chance both(Chance a, Chance b)
{
    const int loop = a.loop >= 0 ? a.loop : b.loop;
    if (is_guess(a) && is_guess(b))
        return (Chance){ANOTHER_GUESS * fmin(a.share, b.share), -1};
    if (a.loop >= 0 && a.loop == b.loop)
        return (Chance){fmax(0, a.share + b.share - 1), loop};
    return (Chance){a.share * b.share, loop};
}

static Chance opposite(Chance a) { return (Chance){1 - a.share, a.loop}; }

static Chance chance(const Numbers *numbers, const Node *e)
{
    switch ((Kind)e->kind) {
    case N_LNOT: return opposite(chance(numbers, e->kid[0]));
    case N_LAND: return both(chance(numbers, e->kid[0]), chance(numbers, e->kid[1]));
    case N_LOR: return opposite(both(opposite(chance(numbers, e->kid[0])), opposite(chance(numbers, e->kid[1]))));
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE:
    case N_EQ:
    case N_NE: {
        const Dual a = dual_of(numbers, e->kid[0]), b = dual_of(numbers, e->kid[1]), d = sum(&a, &b, -1);
        return of_difference(numbers, (Kind)e->kind, &d);
    }
    default: {
        const Dual d = dual_of(numbers, e);
        return d.known && !dual_moves(&d) ? (Chance){d.value != 0, -1} : (Chance){0.5, -1};
    }
    }
}

double chance_of(const Numbers *numbers, const Node *condition) { return between(chance(numbers, condition).share, 0, 1); }

double lanes_of(const Numbers *numbers, const Dual *count, double lanes)
{
    enum { MOST_SAMPLES = 32 };
    if (!count->known)
        return lanes / 2;
    const int loop = innermost_mover(numbers, count);
    const double n = loop < 0 ? 1 : fmax(numbers->trips[loop], 1), samples = fmin(n, MOST_SAMPLES);
    double all = 0;
    for (double i = 0; i < samples; i++) {
        const double away = loop < 0 ? 0 : (floor(i * n / samples) - numbers->at[loop]) * count->slope[loop];
        all += between(count->value + away, 0, lanes);
    }
    return all / samples;
}
