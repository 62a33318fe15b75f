/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of neighbours of which every iteration has one, as complex numbers are of their parts: vectors of both members come from the same two
 * vectors of memory, and go back into such. */
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_state.h"

enum { MOST_OTHERS = 64 }; /* accesses of a body, or statements behind a store, that are looked at for the other member */

bool vector_share_bytes(const Sym *a, const Sym *b) { return a == b || (a->whole && a->whole == b->whole && a->type == b->type); }

/* ---------------------------------------------------------------- which member */

/* Has the array an even number of elements, and is it known whether the one at `place` has an even number? Then its pair is in the array. */
static bool finds_pair(Ir *ir, const Sym *array, const Poly *place, int *which)
{
    const bool pairs = (array->multiples & 1 << 2) || (array->rank == 1 && array->extent[0] && poly_is_even(poly_of(ir, array->extent[0])));
    for (*which = 0; pairs && *which < 2; ++*which)
        if (poly_is_even(poly_sub(ir, place, poly_int(ir, *which))))
            return true;
    return false;
}

/* By how many elements the second is further on than the first, if by one or by minus one; else 0. */
static int next_to(Ir *ir, const Poly *a, const Poly *b)
{
    int64_t apart;
    return poly_const(poly_sub(ir, b, a), &apart) && (apart == 1 || apart == -1) ? (int)apart : 0;
}

bool vector_member(VectorState *s, const Node *load, int *which)
{
    Ir *ir = s->ir;
    Poly *place = poly_of(ir, vector_spelled(s, load->kid[0]));
    if (!vector_is_plain(&s->shape, load->sym))
        return false;
    if (finds_pair(ir, load->sym, poly_of(ir, expand_names(ir, s->in->names, poly_node(ir, place))), which))
        return true;
    bool certain = false;
    int apart = 0;
    for (int i = 0; i < s->here.certain.loads.count; i++) {
        const Node *other = s->here.certain.loads.items[i];
        certain = certain || other == load;
        if (!apart && i < MOST_OTHERS && other != load && vector_share_bytes(other->sym, load->sym) && other->nkids == 1)
            apart = next_to(ir, place, poly_of(ir, vector_spelled(s, other->kid[0])));
    }
    *which = apart < 0;
    return certain && apart != 0;
}

Node *vector_load_member(VectorState *s, const Node *load, const VectorPlace *place, int which, Node *part)
{
    Ir *ir = s->ir;
    Node *first = poly_node(ir, poly_sub(ir, poly_of(ir, place->first), poly_int(ir, which)));
    return mk_member(ir, load->sym, first, which, part, s->shape.width);
}

/* ---------------------------------------------------------------- stores */

typedef struct Between {
    VectorState *s;
    const Node *store;
    const Poly *place;
} Between;

/* Another element of the same iteration's: so far away for certain. */
static bool is_elsewhere(const Between *b, Node *subscript)
{
    int64_t apart;
    return poly_const(poly_sub(b->s->ir, poly_of(b->s->ir, vector_spelled(b->s, subscript)), b->place), &apart) && apart != 0;
}

static bool meets(void *user, Node *n)
{
    const Between *b = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE;
    return (accesses && vector_share_bytes(n->sym, b->store->sym) && !is_elsewhere(b, n->kid[0])) ||
           (n->kind == N_ASSIGN && uses_sym(b->store->kid[0], n->sym));
}

static bool may_be_interleaved(VectorState *s, Node *n)
{
    Node *stride;
    return n->kind == N_STORE && n->nkids == 2 && vector_is_plain(&s->shape, n->sym) && !map_get(&s->joined.tiled, n->id) &&
           vector_stride(s, n->kid[0], &stride) && is_int(stride, 2);
}

Node *vector_other_store(VectorState *s, const Node *block, int at)
{
    Node *store = block->kid[at];
    if (!may_be_interleaved(s, store))
        return NULL;
    Between b = {.s = s, .store = store, .place = poly_of(s->ir, vector_spelled(s, store->kid[0]))};
    for (int i = at + 1; i < block->nkids && i <= at + MOST_OTHERS; i++) {
        Node *n = block->kid[i];
        if (n->kind != N_DECL && n->kind != N_ASSIGN && n->kind != N_STORE)
            return NULL;
        if (any_node(n, meets, &b))
            return NULL;
        if (n->kind == N_STORE && vector_share_bytes(n->sym, store->sym) && may_be_interleaved(s, n) &&
            next_to(s->ir, b.place, poly_of(s->ir, vector_spelled(s, n->kid[0]))))
            return n;
    }
    return NULL;
}

bool vector_store_both(VectorState *s, Node *first, Node *const *values, Node *second, Node *const *others, Vec *out)
{
    Ir *ir = s->ir;
    const bool turned = next_to(ir, poly_of(ir, vector_spelled(s, first->kid[0])), poly_of(ir, vector_spelled(s, second->kid[0]))) < 0;
    const Node *even = turned ? second : first;
    for (int c = 0; c < s->copies.number; c++) {
        VectorPlace place;
        if (!vector_place(s, even, c, &place))
            return false;
        Node *both[] = {turned ? others[c] : values[c], turned ? values[c] : others[c]};
        Node *part = vector_part(s, c), *at = poly_node(ir, poly_of(ir, place.first)); /* as loads have it */
        if (part || !vector_store_interleaved(s, even->sym, at, both, second->loc, out))
            vec_push(ir->arena, out, mk_interleave(ir, even->sym, at, both, part, second->loc));
    }
    return true;
}

/* ---------------------------------------------------------------- does it pay? */

typedef struct OtherSearch {
    Ir *ir;
    const Node *access;
    const Poly *place;
    int left;
    bool found;
} OtherSearch;

static bool search_other(void *user, Node *n)
{
    OtherSearch *o = user;
    if (n->kind == o->access->kind && n != o->access && vector_share_bytes(n->sym, o->access->sym) && o->left-- > 0)
        o->found = o->found || next_to(o->ir, o->place, poly_of(o->ir, n->kid[0])) != 0;
    return !o->found && o->left > 0;
}

bool is_interleaved(Ir *ir, Node *loop, const Node *access)
{
    Poly *place = poly_of(ir, access->kid[0]), *coef, *rest;
    const Type type = access->sym->type;
    const bool plain = type == T_FLOAT || type == T_DOUBLE || (type_is_integer(type) && type_bits(type) >= 32);
    int which;
    if (!plain || !poly_affine(ir, place, &loop->sym, 1, &coef, &rest) || !poly_is(coef, 2))
        return false;
    if (access->kind == N_LOAD && finds_pair(ir, access->sym, place, &which))
        return true;
    OtherSearch o = {ir, access, place, MOST_OTHERS, false};
    walk(&(Walker){.pre = search_other, .user = &o}, loop->kid[2]);
    return o.found;
}
