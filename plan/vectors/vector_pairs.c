/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of products of narrow integers: a lane takes two neighbours at a time, as processors multiply pairs of 16 bits and add them. */
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

/* Has the type only values of 16 bits with a sign? */
static bool fits_pairs(Type type) { return type_is_integer(type) && type_bits(type) <= 16 && type != T_USHORT; }

static bool is_narrow(VectorState *s, Node *e)
{
    const Node *load = e->kind == N_CAST && e->type == T_INT ? e->kid[0] : NULL;
    Node *stride;
    return load && load->kind == N_LOAD && load->nkids == 1 && fits_pairs(load->sym->type) && vector_stride(s, load->kid[0], &stride) &&
           is_int(stride, 1);
}

/* Of acc = acc + a * b. */
static Node *product_of(const Node *assign)
{
    Node *sum = assign->kid[0];
    for (int i = 0; sum->kind == N_ADD && i < 2; i++)
        if (sum->kid[i]->kind == N_VAR && sum->kid[i]->sym == assign->sym && sum->kid[1 - i]->kind == N_MUL)
            return sum->kid[1 - i];
    return NULL;
}

bool vector_goes_in_pairs(VectorState *s, const Vec *reductions)
{
    Node *body = s->loop.body->kind == N_BLOCK && s->loop.body->nkids == 1 ? s->loop.body->kid[0] : s->loop.body;
    const Reduction *r = reductions->count == 1 ? reductions->items[0] : NULL;
    if (!r || r->op != RED_SUM || body->kind != N_ASSIGN || body->sym != r->acc || r->acc->type != T_INT || s->in->wished)
        return false;
    Node *product = product_of(body);
    return product && is_narrow(s, product->kid[0]) && is_narrow(s, product->kid[1]);
}

static Node *pairs_of(VectorState *s, Node *e, int copy)
{
    const Node *load = e->kid[0];
    VectorPlace place;
    vector_place(s, load->kid[0], copy, &place);
    return mk_pairs(s->ir, load->sym, place.first, s->copies.count[copy]);
}

Node *vector_pairs(VectorState *s, const Node *assign, Node *old, int copy)
{
    const Node *product = product_of(assign);
    Node *kids[] = {pairs_of(s, product->kid[0], copy), pairs_of(s, product->kid[1], copy)};
    return vector_binary(s->ir, N_ADD, old, mk_expr(s->ir, N_DOT, (Type)old->type, NULL, 2, kids, assign->loc));
}
