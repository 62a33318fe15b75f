/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of neighbouring bytes, of which every iteration has one: narrow_groups.c finds them, here they become vectors. */
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

/* Sets without such shuffles load and store the elements one by one. */
static bool has_groups(const VectorState *s) { return s->groups.facts && s->shape.set->masks && s->shape.width == LANES_32; }

bool vector_is_of_group(VectorState *s, Node *load, int copy, NarrowPlace *place)
{
    const bool certain = !s->here.where[copy] || vector_is_certain(&s->here.certain, load);
    return has_groups(s) && certain && load->nkids == 1 && load->sym->type != T_BOOL &&
           narrow_find_place(&s->groups, load->sym, load->kid[0], place);
}

typedef struct UsedMembers {
    Ir *ir;
    const Sym *array;
    const Poly *begin;
    unsigned used; /* bits */
} UsedMembers;

static bool note_used(void *user, Node *n)
{
    UsedMembers *u = user;
    int64_t which;
    if (n->kind == N_LOAD && n->sym == u->array && n->nkids == 1 &&
        poly_const(poly_sub(u->ir, poly_of(u->ir, n->kid[0]), u->begin), &which) && which >= 0 && which < MOST_MEMBERS_OF_GROUP)
        u->used |= 1u << which;
    return true;
}

/* What the iteration loads of the same group. */
static unsigned used_members(const VectorState *s, const Node *load, const NarrowPlace *place)
{
    Ir *ir = s->ir;
    UsedMembers u = {ir, load->sym, poly_sub(ir, poly_of(ir, load->kid[0]), poly_int(ir, place->which)), 0};
    walk(&(Walker){.pre = note_used, .user = &u}, s->loop.body);
    return u.used & ((1u << place->members) - 1);
}

typedef struct StoreSearch {
    const Sym *array;
    Node *found;
} StoreSearch;

static bool search_store(void *user, Node *n)
{
    StoreSearch *search = user;
    search->found = !search->found && n->kind == N_STORE && n->sym == search->array ? n : search->found;
    return !search->found && !is_expr(n);
}

/* Does the group change in place? It is stored as a whole, behind all loads of its members. */
static bool changes_in_place(VectorState *s, const Sym *array)
{
    StoreSearch search = {array, NULL};
    if (!s->here.now || s->here.depth || s->here.branch.out || array->whole)
        return false;
    walk(&(Walker){.pre = search_store, .user = &search}, s->loop.body);
    return search.found && vector_group_of_store(s, search.found);
}

/* Of several members each gets a name, where the first of them is loaded. */
static Node *named_load(VectorState *s, Node *member, Node *load, const NarrowPlace *place, int copy)
{
    Ir *ir = s->ir;
    Sym *array = load->sym, *name = map_get(&s->joined.row_names, member->id);
    const unsigned used = name || !(vector_may_be_named(s, array) || changes_in_place(s, array)) ? 0 : used_members(s, load, place);
    for (int i = 0; i < place->members && (used & (used - 1)); i++) {
        Node *one = mk_member(ir, array, member->kid[0], i + NARROW_GROUP * place->members, s->copies.count[copy], s->shape.width);
        if (!(used >> i & 1) || map_get(&s->joined.row_names, one->id))
            continue;
        Sym *sym = sym_new(ir, S_LOCAL, (Type)one->type, arena_printf(ir->arena, "%s_%d", array->name, i), array->loc);
        sym->is_const = true;
        vec_push(ir->arena, s->here.now, mk_decl(ir, sym, one, array->loc));
        *map_at(ir->arena, &s->joined.row_names, one->id) = sym;
        name = one == member ? sym : name;
    }
    return name ? mk_var(ir, name) : member;
}

Node *vector_load_of_group(VectorState *s, Node *load, const NarrowPlace *place, int copy)
{
    Ir *ir = s->ir;
    Poly *at = poly_of(ir, vector_first_lane(s, load->kid[0], copy));
    Node *first = poly_node(ir, poly_sub(ir, at, poly_int(ir, place->which)));
    Node *member = mk_member(ir, load->sym, first, place->which + NARROW_GROUP * place->members, s->copies.count[copy], s->shape.width);
    return named_load(s, member, load, place, copy);
}

const NarrowGroup *vector_group_of_store(VectorState *s, Node *store)
{
    if (s->narrow)
        return map_get(&s->narrow->groups.stores, store->id);
    return has_groups(s) && store->sym->type != T_BOOL ? narrow_find_group(&s->groups, store) : NULL;
}

/* With those that wait for this one. */
static void store_group(VectorState *s, const NarrowGroup *group, Vec *out)
{
    Ir *ir = s->ir;
    const Node *first = group->store[0];
    for (int c = 0; c < s->copies.number; c++) {
        Node *kids[2 + MOST_MEMBERS_OF_GROUP] = {vector_first_lane(s, first->kid[0], c)};
        for (int m = 0; m < group->members; m++)
            kids[1 + m] = ((Node **)map_get(&s->joined.grouped, group->store[m]->id))[c];
        kids[1 + group->members] = s->copies.count[c];
        vec_push(ir->arena, out, mk_interleave_groups(ir, first->sym, group->members, kids, s->copies.count[c] != NULL, group->last->loc));
    }
}

void vector_store_member(VectorState *s, Node *n, const NarrowGroup *group, Node *const *values, Vec *out)
{
    Ir *ir = s->ir;
    Node **names = arena_new_array(ir->arena, Node *, MOST_COPIES);
    for (int c = 0; c < s->copies.number; c++) {
        /* Of lanes of 32 bits the lowest 8 are stored, whatever their type is. */
        Node *value = s->narrow ? values[c] : mk_cast(ir, type_vector(T_INT, s->shape.width), values[c]);
        Sym *sym = sym_new(ir, S_LOCAL, (Type)value->type, n->sym->name, n->loc);
        sym->is_const = true;
        vec_push(ir->arena, out, mk_decl(ir, sym, value, n->loc));
        names[c] = mk_var(ir, sym);
    }
    *map_at(ir->arena, &s->joined.grouped, n->id) = names;
    if (n == group->last)
        store_group(s, group, out);
}
