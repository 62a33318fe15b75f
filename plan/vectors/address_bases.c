/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in subscripts are compared as the sums that they stand for. */
#include "plan/vectors/address_bases.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum {
    MANY = 16,       /* names, as there are registers */
    MOST_TIMES = 8   /* that a distance is added: as many distances take a register each */
};

/* A place of an array. */
typedef struct Place {
    Sym *array, *name;
    Poly *sum;
    Node *base, *distance; /* whose sum it is; NULL: it is a base itself */
} Place;

typedef struct Addressing {
    Ir *ir;
    Map names;   /* by symbol id: Node *, what constants of the body stand for */
    Vec places;  /* Place: of a loop */
    Node *loop;
    const Sym *array;  /* whose subscript is gone through, */
    Vec distances;     /* and what is to be added to it */
} Addressing;

static bool note_name(void *user, Node *n)
{
    Addressing *a = user;
    if (n->kind == N_DECL && n->nkids && n->sym->is_const && n->sym->type == T_INDEX && !n->sym->rank)
        *map_at(a->ir->arena, &a->names, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

static bool accesses(const Node *n) { return n->kind == N_VLOAD || n->kind == N_VSTORE || n->kind == N_LOAD || n->kind == N_STORE; }

static Place *place_of(const Addressing *a, const Sym *array, const Sym *name)
{
    for (int i = 0; i < a->places.count; i++) {
        Place *p = a->places.items[i];
        if (p->array == array && p->name == name)
            return p;
    }
    return NULL;
}

/* Names among the subscript's terms that the loop does not change. */
static void note_terms(Addressing *a, Sym *array, Node *e)
{
    if (e->kind == N_ADD) {
        note_terms(a, array, e->kid[0]);
        note_terms(a, array, e->kid[1]);
        return;
    }
    if (e->kind != N_VAR || !map_get(&a->names, e->sym->id) || writes_sym(a->loop, e->sym) || place_of(a, array, e->sym))
        return;
    Place *made = arena_alloc(a->ir->arena, sizeof *made);
    *made = (Place){.array = array, .name = e->sym, .sum = poly_of(a->ir, expand_names(a->ir, &a->names, e))};
    vec_push(a->ir->arena, &a->places, made);
}

static bool note_access(void *user, Node *n)
{
    Addressing *a = user;
    if (accesses(n))
        note_terms(a, n->sym, n->kid[0]);
    return true;
}

static bool is_parameter(const Node *e)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return e->kind == N_VAR && e->sym->kind == S_PARAM;
}

/* Is it a parameter a few times, or a number? */
static bool is_distance(const Poly *p)
{
    if (p->nterms != 1 || p->terms[0].natoms > 1)
        return false;
    const int64_t times = (int64_t)p->terms[0].coef;
    return p->terms[0].natoms == 0 || (times >= -MOST_TIMES && times <= MOST_TIMES && is_parameter(p->terms[0].atoms[0]));
}

static void set_base(const Addressing *a, Place *p, Node *base, const Poly *distance)
{
    p->base = base;
    p->distance = poly_node(a->ir, distance);
}

/* A base that the loop has already, and a distance. */
static void find_base(const Addressing *a, Place *p)
{
    if (is_distance(p->sum))
        set_base(a, p, ix_int(a->ir, 0), p->sum);
    for (int i = 0; !p->base && i < a->places.count && a->places.items[i] != p; i++) {
        const Place *base = a->places.items[i];
        const Poly *apart = poly_sub(a->ir, p->sum, base->sum);
        if (!base->base && base->array == p->array && is_distance(apart))
            set_base(a, p, mk_var(a->ir, base->name), apart);
    }
}

/* Terms of a sum without those that become distances. */
static Node *on_base(Addressing *a, Node *e)
{
    if (e->kind == N_ADD)
        return ix_add(a->ir, on_base(a, e->kid[0]), on_base(a, e->kid[1]));
    const Place *p = e->kind == N_VAR ? place_of(a, a->array, e->sym) : NULL;
    if (!p || !p->base)
        return e;
    vec_push(a->ir->arena, &a->distances, p->distance);
    return p->base;
}

/* Distances come last: what they are added to goes along with the loop. */
static Node *rewrite_access(void *user, Node *n)
{
    Addressing *a = user;
    if (!accesses(n))
        return n;
    a->array = n->sym;
    a->distances.count = 0;
    Node *at = on_base(a, n->kid[0]);
    for (int i = 0; i < a->distances.count; i++)
        at = ix_add(a->ir, at, a->distances.items[i]);
    return a->distances.count ? with_kid(a->ir, n, 0, at) : n;
}

static Node *share_in_loop(void *user, Node *n)
{
    Addressing *a = user;
    if (n->kind != N_FOR || has_kind(n->kid[2], N_FOR))
        return n;
    a->loop = n;
    a->places.count = 0;
    walk(&(Walker){.pre = note_access, .user = a}, n->kid[2]);
    if (a->places.count < MANY)
        return n;
    for (int i = 0; i < a->places.count; i++)
        find_base(a, a->places.items[i]);
    return with_kid(a->ir, n, 2, rewrite(&(Rewriter){.ir = a->ir, .post = rewrite_access, .user = a}, n->kid[2]));
}

Node *share_bases(Ir *ir, Node *body)
{
    Addressing a = {.ir = ir};
    walk(&(Walker){.pre = note_name, .user = &a}, body);
    return rewrite(&(Rewriter){.ir = ir, .post = share_in_loop, .user = &a}, body);
}
