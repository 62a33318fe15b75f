/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary stores fetch a line before they change it; non-temporal stores whole lines go to memory at once. */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

static int non_temporal_array(const VectorState *s, const Sym *array)
{
    for (int i = 0; i < s->in->non_temporal_count; i++)
        if (s->in->non_temporal[i] == array)
            return i;
    return -1;
}

bool vector_is_plain(const VectorShape *shape, const Sym *array)
{
    const Type type = array->type;
    return shape->width == LANES_64   ? type == T_DOUBLE || type_bits(type) == 64
           : shape->width == LANES_32 ? type == T_FLOAT || type == T_INT || type == T_UINT
                                      : type_bits(type) == lane_bits(shape->width);
}

static bool may_be_non_temporal(const VectorState *s, const Node *store)
{
    return s->in->non_temporal_wish && vector_is_plain(&s->shape, store->sym) && non_temporal_array(s, store->sym) >= 0;
}

/* Stores of the body itself, not of a branch or a loop in it. */
static Node *store_at(const VectorState *s, int i)
{
    Node *body = s->loop.body, *n = body->kind == N_BLOCK ? body->kid[i] : body;
    return n->kind == N_STORE && may_be_non_temporal(s, n) ? n : NULL;
}

static int statements(const Node *body) { return body->kind == N_BLOCK ? body->nkids : 1; }

static bool search_own(void *user, Node *n)
{
    const LoopFacts *facts = user;
    return n->kind == N_LOAD || (n->kind == N_VAR && vector_fact(facts, n->sym, OWN));
}

/* Does it depend on what only the body declares, or on an element, which need not be there where no iteration runs? */
static bool is_inside(const LoopFacts *facts, Node *e) { return any_node(e, search_own, (void *)facts); }

/* By symbol id. */
typedef struct StoreCount {
    Arena *arena;
    Map first;   /* a store to the array */
    Map further; /* the same, if there is another */
} StoreCount;

static bool count_store(void *user, Node *n)
{
    StoreCount *c = user;
    if (n->kind == N_STORE) {
        void **first = map_at(c->arena, &c->first, n->sym->id);
        if (*first)
            *map_at(c->arena, &c->further, n->sym->id) = n;
        *first = n;
    }
    return !is_expr(n);
}

/* An N_LOAD of the element that the store's lane 0 has in iteration `at`; NULL: its lanes are no neighbours. */
static Node *element_at(VectorState *s, const Node *store, Node *at)
{
    VectorPlace place;
    Node *saved = s->copies.at, *behind = s->copies.behind;
    const char *why = s->why;
    s->copies.at = at;
    s->copies.behind = ix_int(s->ir, 0);
    const bool found = vector_place(s, store, 0, &place) && !place.apart && !is_inside(&s->loop, place.first);
    s->copies.at = saved;
    s->copies.behind = behind;
    s->why = why;
    return found ? mk_load(s->ir, store->sym, 1, &place.first) : NULL;
}

Node *vector_first_store(VectorState *s, Node *at)
{
    for (int i = 0; i < statements(s->loop.body); i++) {
        const Node *store = store_at(s, i);
        Node *element = store ? element_at(s, store, at) : NULL;
        if (element)
            return element;
    }
    return NULL;
}

typedef struct Access {
    VectorState *s;
    Node *at, *element;
} Access;

static bool search_access(void *user, Node *n)
{
    Access *a = user;
    const bool is_access = (n->kind == N_LOAD || n->kind == N_STORE) && n->nkids && vector_is_plain(&a->s->shape, n->sym) &&
                           vector_varies(&a->s->loop, n->kid[0]);
    if (is_access && !a->element)
        a->element = element_at(a->s, n, a->at);
    return !a->element && n->kind != N_IF && n->kind != N_FOR;
}

Node *vector_first_access(VectorState *s, Node *at)
{
    Access a = {s, at, NULL};
    for (int stores = 1; stores >= 0; stores--)
        for (int i = 0; i < statements(s->loop.body) && !a.element; i++) {
            Node *n = s->loop.body->kind == N_BLOCK ? s->loop.body->kid[i] : s->loop.body;
            if (!stores)
                walk(&(Walker){.pre = search_access, .user = &a}, n);
            else if (n->kind == N_STORE)
                search_access(&a, n);
        }
    return a.element;
}

void vector_begin_non_temporal(VectorState *s, Vec *out, Node *start)
{
    Ir *ir = s->ir;
    StoreCount count = {.arena = ir->arena};
    s->main.non_temporal = s->in->non_temporal_count ? arena_new_array(ir->arena, Sym *, s->in->non_temporal_count) : NULL;
    if (s->main.non_temporal)
        walk(&(Walker){.pre = count_store, .user = &count}, s->loop.body);
    for (int i = 0; s->main.non_temporal && i < statements(s->loop.body); i++) {
        const Node *store = store_at(s, i);
        const bool only = store && !map_get(&count.further, store->sym->id); /* several may be aligned differently */
        Node *element = only ? element_at(s, store, start) : NULL;
        if (!element)
            continue;
        Sym *sym = sym_new(ir, S_LOCAL, T_INT, "non_temporal", store->loc);
        sym->is_const = true;
        Node *aligned = mk_binary(ir, N_EQ, mk_head(ir, store->sym, element->kid[0], s->shape.width), ix_int(ir, 0));
        vec_push(ir->arena, out, mk_decl(ir, sym, mk_binary(ir, N_LAND, mk_var(ir, s->in->non_temporal_wish), aligned), store->loc));
        s->main.non_temporal[non_temporal_array(s, store->sym)] = sym;
    }
}

Sym *vector_non_temporal(const VectorState *s, const Node *store)
{
    return s->main.non_temporal && s->here.depth == 0 && may_be_non_temporal(s, store)
               ? s->main.non_temporal[non_temporal_array(s, store->sym)]
               : NULL;
}
