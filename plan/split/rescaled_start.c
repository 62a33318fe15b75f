/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements in front of the loop are looked at backwards, up to the first one that has to do with the scalar or array. */
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/split/rescaled_loop.h"

/* The last statement that has to do with the symbol; NULL: none in the block has. */
static Node *last_use(const RescaledLoop *r, const Sym *sym)
{
    for (int i = r->before->count - 1; i >= 0; i--)
        if (uses_sym(r->before->items[i], sym))
            return r->before->items[i];
    return NULL;
}

/* What the scalar is set to in front of the loop; NULL: nobody knows. */
static Node *first_value(const RescaledLoop *r, const Sym *sym)
{
    const Node *n = last_use(r, sym);
    const bool sets = n && (n->kind == N_DECL || n->kind == N_ASSIGN) && n->sym == sym && n->nkids && !n->aux;
    return sets ? n->kid[0] : NULL;
}

static bool is_number(const Node *e)
{
    for (; e->kind == N_NEG || e->kind == N_CAST; e = e->kid[0])
        ;
    return (e->kind == N_FLOAT && e->u.f - e->u.f == 0) || e->kind == N_INT;
}

static bool is_zero(const Node *e)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return (e->kind == N_FLOAT && e->u.f == 0) || is_int(e, 0);
}

static Sym *saved(RescaledLoop *r)
{
    if (!r->saved)
        r->saved = sym_new(r->ir, S_LOCAL, r->u.top->type, r->u.top->name, r->u.top->loc);
    return r->saved;
}

/* ---------------------------------------------------------------- factors of sums */

/* What the maximum is multiplied by in the exponent; NULL: 1. */
static Node *factor_of_maximum(const RescaledLoop *r, const RescaledSum *s)
{
    Ir *ir = r->ir;
    const Type type = r->u.top->type;
    const ExpSum *by = exp_sum_part(ir, s->rescaled, r->u.before, true);
    Node *sum = NULL;
    for (int i = 0; i < by->nterms; i++) {
        const ExpTerm *t = &by->terms[i];
        Node *product = t->factor == 1 ? NULL : mk_float(ir, type, t->factor);
        for (int k = 0; k < t->natoms; k++) {
            Node *atom = t->atoms[k] == r->u.before ? NULL : mk_cast(ir, type, t->atoms[k]);
            product = atom && product ? mk_binary(ir, N_MUL, product, atom) : atom ? atom : product;
        }
        if (by->nterms > 1 && !product)
            product = mk_float(ir, type, 1);
        sum = sum ? mk_binary(ir, N_ADD, sum, product) : product;
    }
    return sum;
}

/* exp(k * a - k * b). */
static Node *exponential_between(const RescaledLoop *r, const RescaledSum *s, Node *a, Node *b)
{
    Ir *ir = r->ir;
    const Type type = r->u.top->type;
    const char *names[] = {type == T_FLOAT ? "expf" : "exp", type == T_FLOAT ? "exp2f" : "exp2"};
    Node *moved = mk_binary(ir, N_SUB, a, b), *factor = factor_of_maximum(r, s);
    if (factor)
        moved = mk_binary(ir, N_MUL, moved, factor);
    return mk_call(ir, libm_function(ir, names[s->base == BASE_2], r->u.loop->loc), 1, &moved);
}

/* What the sum is rescaled by in all iterations together: 1 where the maximum stays, as without iterations. */
static Node *rescaling(RescaledLoop *r, const RescaledSum *s)
{
    Ir *ir = r->ir;
    Node *before = mk_var(ir, saved(r)), *by = exponential_between(r, s, before, r->u.before);
    return mk_cast(ir, s->sym->type, mk_select(ir, mk_binary(ir, N_EQ, before, r->u.before), mk_float(ir, r->u.top->type, 1), by));
}

/* ---------------------------------------------------------------- the maximum */

/* Is the maximum multiplied by a positive number? Then it never makes an exponential overflow. */
static bool is_positive(const RescaledLoop *r, const RescaledSum *s)
{
    const ExpSum *by = exp_sum_part(r->ir, s->rescaled, r->u.before, true);
    return by->nterms == 1 && by->terms[0].natoms == 1 && by->terms[0].factor > 0;
}

/* Of the first sum that may overflow; NULL: none may. */
static const RescaledSum *perhaps_infinite(const RescaledLoop *r)
{
    for (int i = 0; i < r->u.sums.count; i++)
        if (!is_positive(r, r->u.sums.items[i]))
            return r->u.sums.items[i];
    return NULL;
}

bool may_become_nan(const RescaledLoop *r)
{
    const Node *value = first_value(r, r->u.top);
    return perhaps_infinite(r) || (r->u.nan_first && (!value || !is_number(value)));
}

/* 0, or NaN where a sum of 0 becomes that in the first iteration: the maximum then is infinite, or what 0 is multiplied by. */
static Node *zero_or_nan(RescaledLoop *r, Node *first)
{
    Ir *ir = r->ir;
    const RescaledSum *s = perhaps_infinite(r);
    const Node *value = first_value(r, r->u.top);
    if (s) {
        first = greater_of(r, mk_var(ir, saved(r)), first);
        return mk_binary(ir, N_MUL, mk_float(ir, r->u.top->type, 0),
                         mk_cast(ir, r->u.top->type, exponential_between(r, s, mk_var(ir, saved(r)), first)));
    }
    if (!value || !is_minus_infinity(value))
        first = greater_of(r, mk_var(ir, saved(r)), first);
    return mk_binary(ir, N_SUB, first, first);
}

Node *declare_last(RescaledLoop *r, Node *first)
{
    Ir *ir = r->ir;
    Node *runs = mk_binary(ir, r->b.cmp, r->b.lo, mk_cast(ir, r->b.var->type, r->b.hi)), *top = r->u.before;
    r->last = sym_new(ir, S_LOCAL, r->u.top->type, "last", r->u.top->loc);
    return mk_decl(ir, r->last, mk_select(ir, runs, mk_binary(ir, N_ADD, top, zero_or_nan(r, first)), top), r->u.loop->loc);
}

/* ---------------------------------------------------------------- sums */

/* The element's store of 0 below loops like the sum's; `depth` of them are around `n` already. */
static bool clears(const RescaledSum *s, Ir *ir, Node *n, int depth)
{
    if (n->kind == N_BLOCK) {
        const int only = only_user(n, s->sym);
        return only >= 0 && clears(s, ir, n->kid[only], depth);
    }
    if (depth == s->loops.count) {
        if (n->kind != N_STORE || n->aux || n->sym != s->sym || !is_zero(stmt_value(n)))
            return false;
        for (int i = 0; i < n->nkids - 1; i++)
            if (n->kid[i] != s->place->kid[i])
                return false;
        return true;
    }
    const Node *like = s->loops.items[depth];
    if (n->kind != N_FOR || !loop_declares(n) || n->sym->type != like->sym->type)
        return false;
    Node *same = substitute(ir, n->kid[2], n->sym, mk_var(ir, like->sym));
    return n->u.i == like->u.i && n->kid[0] == like->kid[0] && substitute(ir, n->kid[1], n->sym, mk_var(ir, like->sym)) == like->kid[1] &&
           clears(s, ir, same, depth + 1);
}

static bool begins_with_zero(const RescaledLoop *r, const RescaledSum *s)
{
    Node *n = last_use(r, s->sym);
    if (!s->sym->rank) {
        const Node *value = first_value(r, s->sym);
        return value && is_zero(value);
    }
    return n && clears(s, r->ir, n, 0);
}

void rescale_first_values(RescaledLoop *r, Vec *out)
{
    Ir *ir = r->ir;
    const Loc loc = r->u.loop->loc;
    for (int i = 0; i < r->u.sums.count; i++) {
        const RescaledSum *s = r->u.sums.items[i];
        if (begins_with_zero(r, s))
            continue;
        Sym *by = sym_new(ir, S_LOCAL, s->sym->type, "by", loc);
        vec_push(ir->arena, out, mk_decl(ir, by, rescaling(r, s), loc));
        Node *value = mk_binary(ir, N_MUL, s->place, mk_var(ir, by));
        Node *stmt = s->sym->rank ? mk_store(ir, s->sym, s->place->nkids, s->place->kid, value, N_MUL, loc)
                                  : mk_assign(ir, s->sym, value, N_MUL, loc);
        for (int k = s->loops.count - 1; k >= 0; k--)
            stmt = with_kid(ir, s->loops.items[k], 2, mk_block(ir, 1, &stmt, loc));
        vec_push(ir->arena, out, copy_with_own_symbols(ir, stmt));
    }
}
