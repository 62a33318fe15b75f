/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each such loop a variable of its own, and reads the old one's values as conversions of it. */
#include "plan/signed_loops.h"

#include "ir/walk.h"

/* Conversions between integers of 64 bits, and to them, keep what a signed number of 64 bits would be. */
static Node *as_signed(Ir *ir, Type type, Node *e)
{
    if (e->kind == N_INT)
        return mk_int(ir, type, e->u.i);
    if (e->kind == N_CAST && type_is_integer(e->kid[0]->type) && type_bits(e->type) == 64)
        e = e->kid[0];
    return mk_cast(ir, type, e);
}

/* A variable that this pass has made: never negative. */
static bool is_counter(const Node *e) { return e->kind == N_VAR && e->sym->kind == S_LOOP && e->sym->has_range && e->sym->lo >= 0; }

/* Below 2^63 in every call that comes to an end: made of loops' variables, of small numbers and types. */
static bool is_counted(const Node *e)
{
    switch ((Kind)e->kind) {
    case N_INT: return e->u.i >= 0 && e->u.i <= (int64_t)1 << 40;
    case N_CAST:
        return is_counter(e->kid[0]) ||
               (type_is_integer(e->kid[0]->type) && !type_is_signed(e->kid[0]->type) && type_bits(e->kid[0]->type) <= 32);
    case N_ADD:
    case N_MAX: return is_counted(e->kid[0]) && is_counted(e->kid[1]);
    case N_MIN: return is_counted(e->kid[0]) || is_counted(e->kid[1]);
    case N_DIV: return is_counted(e->kid[0]);
    case N_MUL: return is_counted(e->kid[0]) && e->kid[1]->kind == N_INT && e->kid[1]->u.i >= 0 && e->kid[1]->u.i <= 1024;
    default: return false;
    }
}

static bool can_be_signed(const Node *loop, Bounds *b)
{
    const Type type = loop->sym->type;
    if (!loop_declares(loop) || !type_is_integer(type) || type_is_signed(type) || type_bits(type) < 32 || !for_bounds(loop, b))
        return false;
    const bool up = b->step > 0 && (b->cmp == N_LT || b->cmp == N_LE), down = b->step < 0 && (b->cmp == N_GT || b->cmp == N_GE);
    if (type_bits(type) == 32)
        return (up || (down && b->cmp == N_GT)) && (b->step == 1 || b->step == -1);
    return (up && b->step < (int64_t)1 << 20) || (down && is_counted(b->hi) && b->step > -((int64_t)1 << 20));
}

/* A conversion of such a variable, which changes no value that it has. */
static bool keeps_counter(const Node *e)
{
    const Type type = e->type;
    return e->kind == N_CAST && is_counter(e->kid[0]) && type_is_integer(type) &&
           (type_bits(type) == 64 || (type == T_UINT && e->kid[0]->sym->hi <= UINT32_MAX));
}

/* The loops that have been changed. */
typedef struct Counter {
    const Sym *var;
    const Node *bound; /* unsigned, as the spec has it; NULL: the variable may reach it */
} Counter;

typedef struct Signing {
    Ir *ir;
    Vec counters; /* Counter * */
} Signing;

/* A sum of 32 unsigned bits: of at most one counter, added or taken away, one other variable, and a number. */
typedef struct Sum {
    Node *counter, *plus;
    int sign;
    int64_t number;
} Sum;

static bool is_number(const Node *e) { return e->kind == N_INT && e->u.i >= INT32_MIN && e->u.i <= (int64_t)UINT32_MAX; }

static bool add_to_sum(Sum *s, Node *e, int sign)
{
    if (is_number(e)) {
        s->number += sign * (int64_t)(int32_t)e->u.i; /* 4294967295u is -1 */
    } else if (keeps_counter(e) && !s->counter) {
        s->counter = e->kid[0];
        s->sign = sign;
    } else if (e->kind == N_VAR && e->type == T_UINT && sign > 0 && !s->plus) {
        s->plus = e;
    } else if (e->type == T_UINT && (e->kind == N_ADD || e->kind == N_SUB)) {
        return add_to_sum(s, e->kid[0], sign) && add_to_sum(s, e->kid[1], e->kind == N_ADD ? sign : -sign);
    } else {
        return false;
    }
    return true;
}

static const Node *bound_of(const Signing *s, const Sym *var)
{
    for (int i = 0; i < s->counters.count; i++)
        if (((const Counter *)s->counters.items[i])->var == var)
            return ((const Counter *)s->counters.items[i])->bound;
    return NULL;
}

/* A sum of 32 unsigned bits as one of 64 signed ones, if it is proven to be neither negative nor too large: i + 1 and i - 1 by where the
 * loop over i begins and ends, n - 1 - i in a loop up to n; else `e` itself. */
static Node *exact_sum(const Signing *s, Node *e)
{
    Ir *ir = s->ir;
    Sum sum = {0};
    if (e->type != T_UINT || (e->kind != N_ADD && e->kind != N_SUB) || !add_to_sum(&sum, e, 1) || !sum.counter)
        return e;
    const Type type = sum.counter->type;
    Node *number = mk_int(ir, type, sum.number);
    if (!sum.plus && sum.sign > 0 && sum.counter->sym->lo + sum.number >= 0 && sum.counter->sym->hi + sum.number <= (int64_t)UINT32_MAX)
        return mk_binary(ir, N_ADD, sum.counter, number);
    const bool mirrors = sum.plus && sum.sign < 0 && bound_of(s, sum.counter->sym) == sum.plus && (sum.number == 0 || sum.number == -1);
    return mirrors ? mk_binary(ir, N_ADD, mk_binary(ir, N_SUB, mk_cast(ir, type, sum.plus), sum.counter), number) : e;
}

/* Conversions and subscripts of the variable's former values are of the variable itself. */
static Node *shorten(void *user, Node *n)
{
    const Signing *s = user;
    Ir *ir = s->ir;
    const int nsubscripts = n->kind == N_LOAD ? n->nkids : n->kind == N_STORE ? n->nkids - 1 : 0;
    if (n->kind == N_CAST && keeps_counter(n->kid[0]))
        return mk_cast(ir, n->type, n->kid[0]->kid[0]);
    for (int i = 0; i < nsubscripts; i++)
        n = with_kid(ir, n, i, keeps_counter(n->kid[i]) ? n->kid[i]->kid[0] : exact_sum(s, n->kid[i]));
    return n;
}

/* Bounds of an unsigned number of 32 bits. */
static int64_t least(const Node *e) { return e->kind == N_INT ? (uint32_t)e->u.i : e->kind == N_MAX ? least(e->kid[1]) : 0; }

static int64_t greatest(const Node *e)
{
    if (e->kind == N_INT)
        return (uint32_t)e->u.i;
    const bool falls = e->kind == N_SUB && e->kid[1]->kind == N_INT && e->kid[1]->u.i >= 0 && least(e->kid[0]) >= e->kid[1]->u.i;
    return falls ? greatest(e->kid[0]) - e->kid[1]->u.i : (int64_t)UINT32_MAX;
}

/* The variable in the place of the loop's, with its range. */
static Sym *counter(Signing *s, const Bounds *b)
{
    Ir *ir = s->ir;
    Sym *var = sym_new(ir, S_LOOP, b->var->type == T_ULLONG ? T_LLONG : T_LONG, b->var->name, b->var->loc);
    Counter *c = arena_new_array(ir->arena, Counter, 1);
    *c = (Counter){var, b->cmp == N_LT ? b->hi : NULL};
    vec_push(ir->arena, &s->counters, c);
    var->has_range = true;
    var->lo = b->step > 0 && b->lo->kind == N_INT ? b->lo->u.i : 0;
    if (b->step < 0 && b->cmp == N_GT && b->hi->kind == N_INT && b->hi->u.i >= 0 && b->hi->u.i < INT32_MAX)
        var->lo = b->hi->u.i + 1;
    var->hi = INT64_MAX - 1;
    if (type_bits(b->var->type) == 32)
        var->hi = b->hi->type == T_UINT && b->step > 0 ? greatest(b->hi) - (b->cmp == N_LT) : (int64_t)UINT32_MAX;
    return var;
}

/* Where the loop starts, as a signed number. From 2^63 on there is nothing below its bound: what has wrapped below 0 is such a start. */
static Node *start_of(Ir *ir, Type type, const Bounds *b, Node *lo)
{
    const bool counted = type_bits(b->var->type) == 32 || b->step < 0 || is_counted(lo);
    return as_signed(ir, type, counted ? lo : mk_binary(ir, N_MIN, lo, mk_int(ir, lo->type, INT64_MAX)));
}

static Node *signed_loop(void *user, Node *n)
{
    Signing *s = user;
    Ir *ir = s->ir;
    Bounds b;
    if (n->kind != N_FOR || !can_be_signed(n, &b))
        return NULL;
    const Rewriter within = {.ir = ir, .pre = signed_loop, .post = shorten, .user = s};
    Sym *var = counter(s, &b);
    Node *lo = start_of(ir, var->type, &b, rewrite(&within, b.lo)), *hi = as_signed(ir, var->type, rewrite(&within, b.hi));
    Node *body = rewrite(&within, substitute(ir, loop_body(n), b.var, mk_cast(ir, b.var->type, mk_var(ir, var))));
    Node *loop = mk_for(ir, var, lo, mk_binary(ir, b.cmp, mk_var(ir, var), hi), b.step, body, true, n->loc);
    loop->aux = n->aux;
    return loop;
}

Node *signed_loops(Ir *ir, Node *body)
{
    Signing signing = {.ir = ir};
    return rewrite(&(Rewriter){.ir = ir, .pre = signed_loop, .post = shorten, .user = &signing}, body);
}
