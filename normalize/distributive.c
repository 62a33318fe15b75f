/* SPDX-License-Identifier: GPL-3.0-or-later */
/* c*(a + b) as a term of a sum: c*a + c*b, where a and b change in different loops, so that each joins the
 * terms of its own rank. Never where a product could overflow that the source does not compute. */
#include "normalize/norm.h"

/* Longer sums stay as they are: products of products of sums would grow. */
enum { MOST_TERMS = 16 };

typedef struct Leaves {
    Norm *norm;
    Node *factor;
    Vec *out;            /* Term */
    int lowest, highest; /* ranks */
    bool fails;
} Leaves;

/* The product of two immediates; NULL if it does not fit. */
static Node *immediate_product(Leaves *l, Node *a)
{
    Range x = range_of(l->norm->facts->ranges, a), y = range_of(l->norm->facts->ranges, l->factor);
    Range all = type_range(a->type);
    unsigned __int128 modulus = (unsigned __int128)1 << type_bits(a->type);
    if (!type_is_signed(a->type)) {
        unsigned __int128 bits = (unsigned __int128)x.lo * (unsigned __int128)y.lo % modulus;
        return mk_int(l->norm->facts->ir, a->type, (int64_t)(uint64_t)bits);
    }
    Wide v = x.lo * y.lo;
    return range_within((Range){v, v}, all) ? mk_int(l->norm->facts->ir, a->type, (int64_t)v) : NULL;
}

static Node *product(Leaves *l, Node *leaf)
{
    Facts *f = l->norm->facts;
    if (leaf->kind == N_INT)
        return immediate_product(l, leaf);
    Node *e = norm_expr(l->norm, mk_binary(f->ir, N_MUL, leaf, l->factor));
    bool is_new_overflow = expr_flags(f->ranges, e) & EXPR_OVERFLOWS && f->opt->overflow != OVERFLOW_ASSUME;
    return is_new_overflow ? NULL : e;
}

static void collect_leaves(Leaves *l, Node *e, bool negative)
{
    if (is_sum(e)) {
        collect_leaves(l, e->kid[0], negative != (e->kind == N_NEG));
        if (e->nkids == 2)
            collect_leaves(l, e->kid[1], negative != (e->kind == N_SUB));
        return;
    }
    Node *part = l->fails || l->out->count == MOST_TERMS ? NULL : product(l, e);
    l->fails = l->fails || !part;
    if (l->fails)
        return;
    int rank = rank_of(l->norm->facts->ranks, e);
    l->lowest = l->out->count == 0 || rank < l->lowest ? rank : l->lowest;
    l->highest = rank > l->highest ? rank : l->highest;
    Term *t = arena_alloc(l->norm->facts->ir->scratch, sizeof *t);
    *t = (Term){part, negative};
    vec_push(l->norm->facts->ir->scratch, l->out, t);
}

bool take_apart_product(Norm *n, Node *e, Vec *terms)
{
    if (!n->facts->opt->distribute || e->kind != N_MUL || e->kid[1]->kind != N_INT || !is_sum(e->kid[0]))
        return false;
    Leaves l = {.norm = n, .factor = e->kid[1], .out = terms};
    collect_leaves(&l, e->kid[0], false);
    return !l.fails && l.lowest < l.highest;
}
