/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every iteration has a group of two to four neighbouring bytes: vectors of a member are shuffled out of those of memory, and back. A whole
 * group is read, and written, so all of it must be in the array, and all be stored. */
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/narrow_lanes.h"

static Poly *spelled(const NarrowLanes *n, Node *e)
{
    Ir *ir = n->facts->ir;
    return poly_of(ir, n->names ? expand_names(ir, n->names, e) : e);
}

bool narrow_find_place(const NarrowLanes *n, const Sym *array, Node *subscript, NarrowPlace *place)
{
    Ir *ir = n->facts->ir;
    Poly *coef, *rest;
    Sym *var = n->facts->var;
    int64_t members;
    if (!type_is_integer(array->type) || type_bits(array->type) != 8 || !poly_affine(ir, spelled(n, subscript), &var, 1, &coef, &rest) ||
        !poly_const(coef, &members) || members < 2 || members > MOST_MEMBERS_OF_GROUP || vector_varies(n->facts, poly_node(ir, rest)))
        return false;
    *place = (NarrowPlace){(int)members, poly_remainder(rest, members)};
    bool whole = (array->multiples & 1 << members) != 0;
    for (int d = 0; d < array->rank; d++)
        whole = whole || (array->extent[d] && poly_remainder(spelled(n, array->extent[d]), members) == 0);
    return whole && place->which >= 0;
}

typedef struct AccessCount {
    const Sym *array;
    int loads, stores;
} AccessCount;

static bool count_access(void *user, Node *n)
{
    AccessCount *c = user;
    const bool same = n->sym && (n->sym == c->array || (n->sym->whole && n->sym->whole == c->array->whole));
    c->loads += n->kind == N_LOAD && same;
    c->stores += n->kind == N_STORE && same;
    return true;
}

/* In order; of branches none. */
static void list_stores(Ir *ir, Node *n, Vec *stores)
{
    if (n->kind == N_STORE)
        vec_push(ir->arena, stores, n);
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        list_stores(ir, n->kid[i], stores);
}

NarrowGroup *narrow_find_group(NarrowLanes *n, Node *first)
{
    Ir *ir = n->facts->ir;
    NarrowPlace place, other;
    Vec stores = {0};
    if (map_get(&n->groups, first->id))
        return map_get(&n->groups, first->id);
    if (first->nkids != 2 || !narrow_find_place(n, first->sym, first->kid[0], &place))
        return NULL;
    NarrowGroup *group = arena_alloc(ir->arena, sizeof *group);
    Poly *begin = poly_sub(ir, poly_of(ir, first->kid[0]), poly_int(ir, place.which));
    int found = 0;
    *group = (NarrowGroup){.members = place.members};
    list_stores(ir, n->facts->body, &stores);
    for (int i = 0; i < stores.count; i++) {
        Node *store = stores.items[i];
        int64_t which;
        if (store->sym != first->sym || store->nkids != 2 || !poly_const(poly_sub(ir, poly_of(ir, store->kid[0]), begin), &which) ||
            which < 0 || which >= place.members || group->store[which] || !narrow_find_place(n, store->sym, store->kid[0], &other))
            continue;
        group->store[which] = group->last = store;
        found++;
    }
    AccessCount count = {.array = first->sym};
    walk(&(Walker){.pre = count_access, .user = &count}, n->facts->body);
    if (found != place.members || count.loads || count.stores != found)
        return NULL;
    for (int i = 0; i < found; i++)
        *map_at(ir->arena, &n->groups, group->store[i]->id) = group;
    return group;
}
