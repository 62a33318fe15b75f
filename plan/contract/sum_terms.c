/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes down through additions, and through those products whose factors have to be taken apart. */
#include "plan/contract/sum_terms.h"

#include "ir/libm.h"
#include "ir/walk.h"

typedef struct Expanding {
    Ir *ir;
    const Vec *inner;
    Vec *terms;
} Expanding;

static bool uses_inner(const Expanding *x, Node *n)
{
    for (int i = 0; i < x->inner->count; i++)
        if (uses_sym(n, x->inner->items[i]))
            return true;
    return false;
}

bool is_fma(const Node *n) { return n->kind == N_CALL && n->nkids == 3 && is_libm(n->sym, "fma"); }

static void push(const Expanding *x, Node *value, bool negative)
{
    Addend *t = arena_alloc(x->ir->arena, sizeof *t);
    *t = (Addend){value, negative};
    vec_push(x->ir->arena, x->terms, t);
}

static void expand(const Expanding *x, Node *n, bool negative);

/* factor * sum, or sum * factor. False: none of the two is a sum to be multiplied out. */
static bool expand_product(const Expanding *x, Node *n, bool negative)
{
    for (int side = 0; side < 2; side++) {
        Node *sum = n->kid[side], *other = n->kid[1 - side];
        if ((sum->kind != N_ADD && sum->kind != N_SUB) || !uses_inner(x, sum))
            continue;
        for (int i = 0; i < 2; i++)
            expand(x, mk_binary(x->ir, N_MUL, other, sum->kid[i]), negative != (i == 1 && sum->kind == N_SUB));
        return true;
    }
    return false;
}

static void expand(const Expanding *x, Node *n, bool negative)
{
    if (n->kind == N_ADD || n->kind == N_SUB) {
        expand(x, n->kid[0], negative);
        expand(x, n->kid[1], negative != (n->kind == N_SUB));
    } else if (n->kind == N_NEG) {
        expand(x, n->kid[0], !negative);
    } else if (is_fma(n)) {
        push(x, mk_binary(x->ir, N_MUL, n->kid[0], n->kid[1]), negative);
        expand(x, n->kid[2], negative);
    } else if (n->kind != N_MUL || !expand_product(x, n, negative)) {
        push(x, n, negative);
    }
}

void addends_of(Ir *ir, Node *value, const Vec *inner, Vec *terms)
{
    const Expanding x = {ir, inner, terms};
    expand(&x, value, false);
}

/* Is the sum of converted terms the converted sum, but for the rounding that sums have anyway? */
static bool converts_terms(Type to, Type from)
{
    if (type_is_float(to) != type_is_float(from))
        return type_is_float(to) && type_bits(to) >= 32;
    return type_bits(to) >= type_bits(from);
}

Node *with_factor(Ir *ir, Node *term, const Sym *scalar, Node *value)
{
    int at = 0;
    if (term->kind == N_VAR)
        return term->sym == scalar ? value : NULL;
    if (term->kind == N_CAST && !converts_terms((Type)term->type, (Type)term->kid[0]->type))
        return NULL;
    if (term->kind == N_MUL && uses_sym(term->kid[1], scalar))
        at = 1;
    if ((term->kind != N_MUL && term->kind != N_NEG && term->kind != N_CAST) || (at == 1 && uses_sym(term->kid[0], scalar)))
        return NULL;
    Node *kid = with_factor(ir, term->kid[at], scalar, value);
    return kid ? with_kid(ir, term, at, kid) : NULL;
}
