/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every iteration has a group of neighbouring bytes: vectors of a member are shuffled out of those of memory, and back. A whole
 * group is read, and written, so all of it must be in the array, and all be stored: by the last store, before which nothing of it is read. */
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/narrow_lanes.h"

static Poly *spelled(const NarrowGroups *g, Node *e)
{
    Ir *ir = g->facts->ir;
    return poly_of(ir, g->names ? expand_names(ir, g->names, e) : e);
}

enum { MOST_ACCESSES = 64 }; /* of a body, that are looked at: loads, and stores */

/* Six: two neighbours of three bytes. */
static bool is_size(int64_t members) { return (members >= 2 && members <= 4) || members == 6 || members == 8; }

static void list_accesses(NarrowGroups *g, Node *n)
{
    const bool lazy = n->kind == N_IF || (is_expr(n) && kind_info[n->kind].flags & F_LAZY), loads = n->kind == N_LOAD;
    Vec *list = loads ? &g->loads : &g->written;
    if ((loads || n->kind == N_STORE) && n->nkids == 2 - loads && type_bits(n->sym->type) == 8 && list->count < MOST_ACCESSES)
        vec_push(g->facts->ir->arena, list, n);
    for (int i = 0; i < (lazy ? 1 : n->nkids) && n->kind != N_FOR; i++)
        list_accesses(g, n->kid[i]);
}

/* Which member of a group is it whose first and last one every iteration loads, or stores? All between them is in the array then. -1: of
 * none. */
static int which_between(NarrowGroups *g, Kind access, const Sym *array, const Poly *place, int members)
{
    Ir *ir = g->facts->ir;
    unsigned there = 0; /* bits: accesses so far behind the place, plus members - 1 */
    if (!g->listed)
        list_accesses(g, g->facts->body);
    g->listed = true;
    const Vec *list = access == N_LOAD ? &g->loads : &g->written;
    for (int i = 0; i < list->count; i++) {
        const Node *other = list->items[i];
        int64_t apart;
        if (other->sym == array && poly_const(poly_sub(ir, spelled(g, other->kid[0]), place), &apart) && apart > -members &&
            apart < members)
            there |= 1u << (apart + members - 1);
    }
    for (int which = 0; which < members; which++)
        if (there >> (members - 1 - which) & 1 && there >> (2 * (members - 1) - which) & 1)
            return which;
    return -1;
}

/* Of a load, or a store. */
static bool find_place(NarrowGroups *g, Kind access, const Sym *array, Node *subscript, NarrowPlace *place)
{
    Ir *ir = g->facts->ir;
    Poly *coef, *rest, *at = spelled(g, subscript);
    Sym *var = g->facts->var;
    int64_t members;
    if (!type_is_integer(array->type) || type_bits(array->type) != 8 || !poly_affine(ir, at, &var, 1, &coef, &rest) ||
        !poly_const(coef, &members) || !is_size(members) || vector_varies(g->facts, poly_node(ir, rest)))
        return false;
    *place = (NarrowPlace){(int)members, poly_remainder(rest, members)};
    bool whole = (array->multiples & 1 << members) != 0;
    for (int d = 0; d < array->rank; d++)
        whole = whole || (array->extent[d] && poly_remainder(spelled(g, array->extent[d]), members) == 0);
    if (!whole || place->which < 0)
        place->which = which_between(g, access, array, at, place->members);
    return place->which >= 0;
}

bool narrow_find_place(NarrowGroups *g, const Sym *array, Node *subscript, NarrowPlace *place)
{
    return find_place(g, N_LOAD, array, subscript, place);
}

/* In order; of branches none. */
static void list_stores(Ir *ir, Node *n, Vec *stores)
{
    if (n->kind == N_STORE)
        vec_push(ir->arena, stores, n);
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        list_stores(ir, n->kid[i], stores);
}

/* What the loop does with a group's array besides. */
typedef struct OtherAccesses {
    Ir *ir;
    const NarrowGroup *group;
    const Sym *array;
    const Poly *begin;
    unsigned stored;   /* bits: members that have been, so far */
    bool found;        /* one that does not fit */
    bool loads, apart; /* is it loaded; is it stored elsewhere, before the group or behind it? */
} OtherAccesses;

static bool check_access(void *user, Node *n)
{
    OtherAccesses *o = user;
    const bool loads = n->kind == N_LOAD, same = n->sym && (n->sym == o->array || (n->sym->whole && n->sym->whole == o->array->whole));
    int64_t which;
    if (!same || (!loads && n->kind != N_STORE))
        return !o->found;
    const bool member = n->sym == o->array && n->nkids == (loads ? 1 : 2) &&
                        poly_const(poly_sub(o->ir, poly_of(o->ir, n->kid[0]), o->begin), &which) && which >= 0 && which < o->group->members;
    const bool elsewhere = !member && !loads && n->sym == o->array && (o->stored == 0 || o->stored == (1u << o->group->members) - 1);
    o->loads = o->loads || loads;
    o->apart = o->apart || elsewhere;
    o->found = o->found || (member ? (loads ? o->stored >> which & 1 : n != o->group->store[which]) : !elsewhere);
    return !o->found;
}

static void check_in_order(OtherAccesses *o, Node *n)
{
    if (n->kind != N_BLOCK) {
        walk(&(Walker){.pre = check_access, .user = o}, n);
        for (int m = 0; m < o->group->members; m++)
            o->stored |= (unsigned)(o->group->store[m] == n) << m;
    }
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        check_in_order(o, n->kid[i]);
}

NarrowGroup *narrow_find_group(NarrowGroups *g, Node *first)
{
    Ir *ir = g->facts->ir;
    NarrowPlace place, other;
    Vec stores = {0};
    if (map_get(&g->stores, first->id))
        return map_get(&g->stores, first->id);
    if (first->nkids != 2 || !find_place(g, N_STORE, first->sym, first->kid[0], &place))
        return NULL;
    NarrowGroup *group = arena_alloc(ir->arena, sizeof *group);
    Poly *begin = poly_sub(ir, poly_of(ir, first->kid[0]), poly_int(ir, place.which));
    int found = 0;
    *group = (NarrowGroup){.members = place.members};
    list_stores(ir, g->facts->body, &stores);
    for (int i = 0; i < stores.count; i++) {
        Node *store = stores.items[i];
        int64_t which;
        if (store->sym != first->sym || store->nkids != 2 || !poly_const(poly_sub(ir, poly_of(ir, store->kid[0]), begin), &which) ||
            which < 0 || which >= place.members || group->store[which] || !find_place(g, N_STORE, store->sym, store->kid[0], &other))
            continue;
        group->store[which] = group->last = store;
        found++;
    }
    OtherAccesses others = {.ir = ir, .group = group, .array = first->sym, .begin = begin};
    check_in_order(&others, g->facts->body);
    if (found != place.members || others.found || (others.loads && others.apart))
        return NULL;
    for (int i = 0; i < found; i++)
        *map_at(ir->arena, &g->stores, group->store[i]->id) = group;
    return group;
}

typedef struct GroupSearch {
    NarrowGroups groups;
    bool found, guarded; /* loads that not every iteration makes are done one by one */
} GroupSearch;

static bool search_group(void *user, Node *n)
{
    GroupSearch *s = user;
    NarrowPlace place;
    const bool loads = n->kind == N_LOAD && n->nkids == 1 && narrow_find_place(&s->groups, n->sym, n->kid[0], &place);
    bool certain = false;
    for (int i = 0; loads && !certain && i < s->groups.loads.count; i++)
        certain = s->groups.loads.items[i] == n;
    s->guarded = s->guarded || (loads && !certain);
    s->found = s->found || loads || (n->kind == N_STORE && narrow_find_group(&s->groups, n));
    return !s->guarded;
}

bool narrow_has_groups(Ir *ir, Node *loop, const Map *names)
{
    const Vec none = {0};
    const LoopFacts facts = vector_facts(ir, loop, &none);
    GroupSearch s = {.groups = {.facts = &facts, .names = names}};
    list_accesses(&s.groups, loop->kid[2]);
    s.groups.listed = true;
    walk(&(Walker){.pre = search_group, .user = &s}, loop->kid[2]);
    return s.found && !s.guarded;
}
