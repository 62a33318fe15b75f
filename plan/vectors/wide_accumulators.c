/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of 32 bits that are the lower halves of such of 64: the sums of both agree in their lower halves. */
#include "plan/vectors/wide_accumulators.h"

#include "depend/reduce.h"
#include "ir/walk.h"

typedef struct Widening {
    Ir *ir;
    Sym *acc, *wide;
    bool fits;
} Widening;

/* A term, of 64 bits; NULL: it has fewer. */
static Node *wide_term(Ir *ir, Node *term)
{
    while (term->kind == N_CAST && type_is_integer(term->kid[0]->type) && type_bits(term->type) == 32 &&
           type_bits(term->kid[0]->type) == 32)
        term = term->kid[0];
    const bool cut = term->kind == N_CAST && type_is_integer(term->kid[0]->type) && type_bits(term->kid[0]->type) == 64;
    return cut && type_bits(term->type) == 32 ? mk_cast(ir, T_LONG, term->kid[0]) : NULL;
}

/* acc + term + ... in terms of the wide one; NULL: some term is narrow. */
static Node *wide_sum(const Widening *w, Node *e)
{
    if (e->kind == N_VAR && e->sym == w->acc)
        return mk_var(w->ir, w->wide);
    if (e->kind != N_ADD)
        return NULL;
    const int at = uses_sym(e->kid[0], w->acc) ? 0 : 1;
    Node *rest = wide_sum(w, e->kid[at]), *term = rest ? wide_term(w->ir, e->kid[1 - at]) : NULL;
    return term ? mk_binary(w->ir, N_ADD, rest, term) : NULL;
}

static Node *widen_assign(void *user, Node *n)
{
    Widening *w = user;
    if (n->kind != N_ASSIGN || n->sym != w->acc)
        return n;
    Node *sum = wide_sum(w, n->kid[0]);
    w->fits = w->fits && sum;
    return sum ? mk_assign(w->ir, w->wide, sum, N_NONE, n->loc) : n;
}

Node *widen_accumulators(Ir *ir, Node *loop, Vec *before, Vec *behind)
{
    Vec reductions = {0};
    const char *why;
    if (!find_reductions(ir, loop, false, &reductions, &why))
        return loop;
    for (int i = 0; i < reductions.count; i++) {
        const Reduction *r = reductions.items[i];
        if (!r->acc || r->op != RED_SUM || (r->acc->type != T_INT && r->acc->type != T_UINT))
            continue;
        Widening w = {ir, r->acc, sym_new(ir, S_LOCAL, T_LONG, r->acc->name, r->acc->loc), true};
        Node *body = rewrite(&(Rewriter){.ir = ir, .post = widen_assign, .user = &w}, loop->kid[2]);
        if (!w.fits || uses_sym(body, r->acc))
            continue;
        Node *kids[] = {loop->kid[0], loop->kid[1], body};
        Node *acc = mk_var(ir, r->acc), *sum = mk_binary(ir, N_ADD, acc, mk_cast(ir, r->acc->type, mk_var(ir, w.wide)));
        loop = with_kids(ir, loop, 3, kids);
        vec_push(ir->arena, before, mk_decl(ir, w.wide, mk_int(ir, T_LONG, 0), r->acc->loc));
        vec_push(ir->arena, behind, mk_assign(ir, r->acc, sum, N_NONE, r->acc->loc));
    }
    return loop;
}
