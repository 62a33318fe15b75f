/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where elements are: integers that only subscripts use need no vectors, but the one of lane 0, and by how much lanes differ. */
#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

/* ---------------------------------------------------------------- in terms of the loop's variable */

/* What a pass did in unsigned arithmetic so that it might not overflow, in the signed one that the spec has; NULL: it has another form. */
static Node *as_signed(Ir *ir, Node *e)
{
    if (e->kind == N_CAST && e->kid[0]->type == T_INT)
        return e->kid[0];
    if (e->kind == N_INT)
        return mk_int(ir, T_INT, (int32_t)e->u.i);
    if ((e->kind != N_ADD && e->kind != N_SUB && e->kind != N_MUL) || e->type != T_UINT)
        return NULL;
    Node *a = as_signed(ir, e->kid[0]), *b = as_signed(ir, e->kid[1]);
    return a && b ? mk_binary(ir, (Kind)e->kind, a, b) : NULL;
}

/* Names of the body give way to what they stand for. */
static Node *expand(void *user, Node *n)
{
    const VectorState *s = user;
    Node *place = n->kind == N_VAR ? map_get(&s->scalars.places, n->sym->id) : NULL;
    if (place)
        return place;
    Node *plain = s->in->is_signed && n->kind == N_CAST && n->type == T_INT && n->kid[0]->type == T_UINT ? as_signed(s->ir, n->kid[0])
                                                                                                         : NULL;
    return plain ? plain : n;
}

static Node *expanded(VectorState *s, Node *e) { return rewrite(&(Rewriter){.ir = s->ir, .post = expand, .user = s}, e); }

Node *vector_spelled(VectorState *s, Node *e) { return expanded(s, e); }

enum { LARGEST_PLACE = 1000 };

/* How many nodes it has when it is spelled, up to `most`. */
static int size_of(const VectorState *s, const Node *e, int most)
{
    const Node *place = e->kind == N_VAR ? map_get(&s->scalars.places, e->sym->id) : NULL;
    int size = 1;
    e = place ? place : e;
    for (int i = 0; i < e->nkids && size < most; i++)
        size += size_of(s, e->kid[i], most - size);
    return size;
}

bool vector_note_place(VectorState *s, const Sym *sym, Node *value)
{
    if (size_of(s, value, LARGEST_PLACE) >= LARGEST_PLACE)
        return false;
    *map_at(s->ir->arena, &s->scalars.places, sym->id) = expanded(s, value);
    return true;
}

typedef struct Placing {
    VectorState *s;
    Node *at;
} Placing;

/* The loop's variable, widened, is the iteration's number as it stands. */
static Node *put_in_place(void *user, Node *n)
{
    const Placing *p = user;
    const Sym *var = p->s->loop.var;
    if (n->kind == N_CAST && n->type == T_INDEX && n->kid[0]->kind == N_VAR && n->kid[0]->sym == var)
        return p->at;
    if (n->kind == N_VAR && n->sym == var)
        return mk_cast(p->s->ir, var->type, p->at);
    return NULL;
}

Node *vector_first_lane(VectorState *s, Node *e, int copy)
{
    Placing p = {s, ix_add(s->ir, s->copies.at, ix_mul(s->ir, ix_int(s->ir, copy), s->copies.behind))};
    return rewrite(&(Rewriter){.ir = s->ir, .pre = put_in_place, .user = &p}, expanded(s, e));
}

bool vector_stride(VectorState *s, Node *e, Node **stride)
{
    Poly *coef, *rest;
    Node *whole = expanded(s, e);
    if (!poly_affine(s->ir, poly_of(s->ir, whole), &s->loop.var, 1, &coef, &rest))
        return false;
    *stride = poly_node(s->ir, coef);
    return !vector_varies(&s->loop, *stride) && !vector_varies(&s->loop, poly_node(s->ir, rest));
}

/* ---------------------------------------------------------------- places */

/* An atom that varies, and only once: an integer of at most 32 bits, perhaps widened. */
static Node *lookup_in(VectorState *s, const Poly *p, Node **rest)
{
    Ir *ir = s->ir;
    Node *found = NULL;
    Poly *sum = poly_int(ir, 0);
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        const Poly one = {1, (Term *)t};
        Node *term = poly_node(ir, &one);
        if (!vector_varies(&s->loop, term)) {
            sum = poly_add(ir, sum, &one);
            continue;
        }
        Node *atom = t->natoms == 1 && t->coef == 1 ? t->atoms[0] : NULL;
        while (atom && atom->kind == N_CAST && atom->type == T_INDEX)
            atom = atom->kid[0];
        if (found || !atom || type_bits(atom->type) > 32 || (type_bits(atom->type) == 32 && !type_is_signed(atom->type)))
            return NULL;
        found = atom;
    }
    *rest = poly_node(ir, sum);
    return found;
}

/* The factor in unsigned arithmetic of 32 bits; NULL: it may not be one of vectors. */
static Node *as_unsigned(VectorState *s, Node *factor)
{
    if (!vector_varies(&s->loop, factor))
        return mk_cast(s->ir, T_UINT, factor);
    while (factor->kind == N_CAST && factor->type == T_INDEX)
        factor = factor->kid[0];
    return type_is_integer((Type)factor->type) && type_bits(factor->type) <= 32 ? mk_cast(s->ir, T_UINT, factor) : NULL;
}

/* The whole sum, modulo 2^32; NULL: something in it has 64 bits in each lane. */
static Node *sum_in_lanes(VectorState *s, const Poly *p)
{
    Ir *ir = s->ir;
    Node *sum = NULL;
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        Node *term = mk_int(ir, T_UINT, (int64_t)(uint32_t)t->coef);
        for (int k = 0; k < t->natoms; k++) {
            Node *factor = as_unsigned(s, t->atoms[k]);
            if (!factor)
                return NULL;
            term = is_int(term, 1) ? factor : mk_binary(ir, N_MUL, term, factor);
        }
        sum = sum ? mk_binary(ir, N_ADD, sum, term) : term;
    }
    return sum ? mk_cast(ir, T_INT, sum) : NULL;
}

/* Of an array that has to have fewer than 2^31 elements: the number of each lane's. */
static Node *number_in_lanes(VectorState *s, const Node *access)
{
    const Sym *array = access->sym;
    Node *elements = array->total ? array->total : array->rank == 1 ? array->extent[0] : NULL;
    if (!elements || !s->in->looked_up || s->shape.width != LANES_32)
        return NULL;
    Node *sum = sum_in_lanes(s, poly_of(s->ir, expanded(s, access->kid[0])));
    if (sum)
        vec_push(s->ir->arena, s->in->looked_up, (Sym *)array);
    return sum;
}

/* A place that several neighbours share, as x[j / 8] is one of eight: quotients of lanes rise, more slowly than lanes do. */
static bool is_near(VectorState *s, const Node *access, Node *lookup)
{
    Node *stride, *of = expanded(s, lookup);
    if (of->kind != N_DIV || of->type != T_INT || of->kid[1]->kind != N_INT || of->kid[1]->u.i < 2)
        return false;
    Node *by_one = of->kid[0];
    while (by_one->kind == N_CAST && by_one->type == T_INT && by_one->kid[0]->type == T_INDEX)
        by_one = by_one->kid[0];
    return type_bits(access->sym->type) == 32 && s->shape.width == LANES_32 && vector_stride(s, by_one, &stride) && is_int(stride, 1);
}

/* Elements by themselves, told by a number of each lane. */
static bool look_up(VectorState *s, const Node *access, int copy, VectorPlace *place)
{
    Node *rest = NULL, *lookup = lookup_in(s, poly_of(s->ir, expanded(s, access->kid[0])), &rest);
    place->near = lookup && is_near(s, access, lookup);
    if (!lookup && (lookup = number_in_lanes(s, access)))
        rest = ix_int(s->ir, 0);
    Node *value = lookup ? vector_value(s, lookup, copy) : NULL;
    if (!value)
        return vector_refuse(s, "a subscript is no sum of the loop's variable and what does not change") != NULL;
    place->first = rest;
    place->apart = mk_cast(s->ir, type_like(T_INT, value->type), value);
    return true;
}

bool vector_place(VectorState *s, const Node *access, int copy, VectorPlace *place)
{
    Node *stride;
    *place = (VectorPlace){NULL, NULL, false};
    if (!vector_stride(s, access->kid[0], &stride))
        return look_up(s, access, copy, place);
    place->first = vector_first_lane(s, access->kid[0], copy);
    place->apart = is_int(stride, 1) ? NULL : stride;
    return true;
}
