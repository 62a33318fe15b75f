/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements: what varies is done once for each copy, the rest once. */
#include <math.h>
#include <string.h>

#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

static void put(VectorState *s, Vec *out, Node *n) { vec_push(s->ir->arena, out, n); }

static Node *block_of(VectorState *s, const Vec *list, Loc loc) { return mk_block(s->ir, list->count, (Node **)list->items, loc); }

/* ---------------------------------------------------------------- scalars */

static Varying *make_varying(VectorState *s, const Sym *sym, bool outlives)
{
    Varying *v = arena_alloc(s->ir->arena, sizeof *v);
    const Type type = s->narrow ? vector_narrow_scalar(s, sym) : type_vector(sym->type, s->shape.width);
    for (int c = 0; c < s->copies.number; c++) {
        const char *name = s->copies.number > 1 ? arena_printf(s->ir->arena, "%s_%d", sym->name, c) : sym->name;
        v->copy[c] = sym_new(s->ir, S_LOCAL, type, name, sym->loc);
    }
    v->outlives = outlives;
    *map_at(s->ir->arena, &s->scalars.varying, sym->id) = v;
    return v;
}

static bool is_change(void *user, Node *n)
{
    const LoopFacts *facts = user;
    return (n->kind == N_VAR && vector_fact(facts, n->sym, ASSIGNED)) || (n->kind == N_LOAD && vector_fact(facts, n->sym, STORED));
}

/* May it be another number further down in the body? */
static bool changes(const LoopFacts *facts, Node *value) { return any_node(value, is_change, (void *)facts); }

/* Integers that only say where elements are need no vectors of their own: neither they nor what they are made of is assigned again. */
static bool is_place(const LoopFacts *facts, const Node *decl)
{
    return decl->nkids && type_is_integer(decl->sym->type) && !vector_fact(facts, decl->sym, ASSIGNED) &&
           type_bits(decl->sym->type) >= 32 && facts->var != decl->sym && !changes(facts, decl->kid[0]);
}

typedef struct NumberSearch {
    const Sym *sym;
    bool yes;
} NumberSearch;

static bool is_number(const Node *value)
{
    while (value->kind == N_NEG)
        value = value->kid[0];
    return value->kind == N_FLOAT && !isnan(value->u.f);
}

/* fmaxf(sym, x) is none only if both are. */
static bool search_other(void *user, Node *n)
{
    NumberSearch *search = user;
    if (n->kind != N_ASSIGN || n->sym != search->sym)
        return search->yes && !is_expr(n);
    const Node *value = n->kid[0];
    const bool extreme = value->kind == N_CALL && is_extreme(value->sym);
    bool keeps = is_number(value);
    for (int i = 0; extreme && i < value->nkids; i++)
        keeps = keeps || (value->kid[i]->kind == N_VAR && value->kid[i]->sym == search->sym);
    search->yes = search->yes && keeps;
    return false;
}

/* From its declaration on, whatever the body assigns to it. */
static bool stays_number(Node *body, const Sym *sym, const Node *start)
{
    NumberSearch search = {sym, is_number(start)};
    walk(&(Walker){.pre = search_other, .user = &search}, body);
    return search.yes;
}

/* In narrow lanes the scalar's may have a sign, and the value's none. */
static Node *held_as(VectorState *s, Node *value, const Sym *held)
{
    return s->narrow && (Type)value->type != held->type ? mk_cast(s->ir, held->type, value) : value;
}

static bool declare(VectorState *s, Node *n, Vec *out)
{
    const Sym *sym = n->sym;
    if (sym->rank)
        return vector_refuse(s, arena_printf(s->ir->arena, "array %s belongs to one iteration", sym->name)) != NULL;
    if (!vector_fact(&s->loop, sym, VARIES)) {
        put(s, out, n);
        return true;
    }
    const bool scans = s->scan.carried && sym == s->scan.scan.total;
    if (!scans && is_place(&s->loop, n) && (!s->narrow || narrow_is_place(s->narrow, n->kid[0])) && vector_note_place(s, sym, n->kid[0]))
        return true;
    Node *value[MOST_COPIES];
    Node *start = n->nkids ? n->kid[0] : type_is_float(sym->type) ? mk_float(s->ir, sym->type, 0) : mk_int(s->ir, sym->type, 0);
    for (int c = 0; c < s->copies.number; c++)
        if (!(value[c] = vector_value(s, start, c)))
            return false;
    Varying *v = make_varying(s, sym, false);
    if (scans) {
        vector_scan(s, v->copy, value, n->loc, out);
        return true;
    }
    v->number = stays_number(s->loop.body, sym, start);
    for (int c = 0; c < s->copies.number; c++)
        put(s, out, mk_decl(s->ir, v->copy[c], held_as(s, value[c], v->copy[c]), n->loc));
    return true;
}

/* A sum's product is not rounded by itself. */
static Node *fused(VectorState *s, Node *value, const Node *old)
{
    const Type element = type_element(value->type);
    if (s->in->strict || value->kind != N_ADD || (element != T_FLOAT && element != T_DOUBLE))
        return value;
    for (int i = 0; i < 2; i++) {
        const Node *product = value->kid[i];
        if (product->kind != N_MUL || value->kid[1 - i] != old)
            continue;
        Node *kids[] = {product->kid[0], product->kid[1], value->kid[1 - i]};
        *s->in->reorders = true;
        return mk_expr(s->ir, N_MULADD, (Type)value->type, NULL, 3, kids, value->loc);
    }
    return value;
}

static bool assign(VectorState *s, Node *n, Vec *out)
{
    const Varying *v = map_get(&s->scalars.varying, n->sym->id);
    if (!vector_fact(&s->loop, n->sym, VARIES)) {
        put(s, out, n);
        return true;
    }
    if (!v)
        return vector_refuse(s, arena_printf(s->ir->arena, "%s goes from one iteration to the next", n->sym->name)) != NULL;
    for (int c = 0; c < s->copies.number; c++) {
        const NarrowAcc *acc = s->narrow ? map_get(&s->narrow->reduced, n->sym->id) : NULL;
        Node *old = mk_var(s->ir, v->copy[c]);
        Node *value = acc ? vector_narrow_reduced(s, acc, n->kid[0], old, c) : vector_value(s, n->kid[0], c);
        if (!value)
            return false;
        if (acc) {
            put(s, out, mk_assign(s->ir, v->copy[c], value, N_NONE, n->loc));
            continue;
        }
        value = held_as(s, fused(s, value, old), v->copy[c]);
        Node *counts = v->outlives ? vector_part(s, c) : s->here.where[c];
        if (counts && !type_is_vector(counts->type))
            counts = mk_expr(s->ir, N_FIRST, type_vector(T_MASK, s->shape.width), NULL, 1, &counts, n->loc);
        put(s, out, mk_assign(s->ir, v->copy[c], counts ? vector_select(s->ir, counts, value, old) : value, N_NONE, n->loc));
    }
    return true;
}

/* ---------------------------------------------------------------- stores */

/* Without a conversion that storing does by itself. */
static Node *as_stored(Ir *ir, const Sym *array, Node *value)
{
    const Type to = array->type;
    Node *kid = value->kind == N_CAST ? value->kid[0] : NULL;
    const bool narrow = kid && type_is_integer(to) && to != T_BOOL && type_bits(to) < 32 && value->type == to;
    if (narrow && (kid->type == T_FLOAT || kid->type == T_DOUBLE))
        return mk_cast(ir, T_INT, kid);
    const bool truncates = narrow && type_is_integer(kid->type) && type_bits(kid->type) == 32;
    if (truncates && !type_is_signed(kid->type)) /* vectors of int are what narrow elements are stored from */
        return mk_cast(ir, T_INT, kid);
    const bool rounds = kid && (to == T_HALF || to == T_BF16) && kid->type == T_FLOAT;
    return truncates || rounds ? kid : value;
}

/* A store that waits for the other member's. */
typedef struct HeldStore {
    Node *store;
    Node *value[MOST_COPIES];
} HeldStore;

static Node *stored_value(VectorState *s, const Node *store, int copy)
{
    Node *value = as_stored(s->ir, store->sym, store->kid[1]);
    return s->narrow ? vector_narrow_stored(s, store->sym, value, copy) : vector_value(s, value, copy);
}

static Node *saturated_value(VectorState *s, const Node *store, int copy)
{
    return vector_narrow_saturated(s, store->sym, as_stored(s->ir, store->sym, store->kid[1]), copy);
}

static bool stored_values(VectorState *s, Node *n, Node **value)
{
    for (int c = 0; c < s->copies.number; c++)
        if (!(value[c] = stored_value(s, n, c)))
            return false;
    return true;
}

/* Puts the store off until `other` is done; if that does not follow at once its values get names. */
static bool hold(VectorState *s, Node *n, const Node *other, bool follows, Vec *out)
{
    Arena *arena = s->ir->arena;
    HeldStore *held = arena_alloc(arena, sizeof *held);
    held->store = n;
    if (!stored_values(s, n, held->value))
        return false;
    for (int c = 0; c < s->copies.number && !follows; c++) {
        Sym *sym = sym_new(s->ir, S_LOCAL, (Type)held->value[c]->type, n->sym->name, n->loc);
        sym->is_const = true;
        put(s, out, mk_decl(s->ir, sym, held->value[c], n->loc));
        held->value[c] = mk_var(s->ir, sym);
    }
    *map_at(arena, &s->joined.held, other->id) = held;
    return true;
}

/* With the one that waits for it. */
static bool store_both(VectorState *s, Node *n, Vec *out)
{
    Node *value[MOST_COPIES];
    HeldStore *held = map_get(&s->joined.held, n->id);
    *map_at(s->ir->arena, &s->joined.held, n->id) = NULL;
    return stored_values(s, n, value) && vector_store_both(s, held->store, held->value, n, value, out);
}

static bool store_in_row(VectorState *s, Node *n, Vec *out)
{
    Node *value[MOST_COPIES];
    return stored_values(s, n, value) && vector_store_in_row(s, n, value, out);
}

static bool store_member(VectorState *s, Node *n, const NarrowGroup *group, Vec *out)
{
    Node *values[MOST_COPIES];
    if (!stored_values(s, n, values))
        return false;
    vector_store_member(s, n, group, values, out);
    return true;
}

/* Some lanes' elements go back with what others have there, where the set's masked stores take longer, and all lanes' are in the array. NULL:
 * they do not. */
static Node *blended(VectorState *s, Node *n, const VectorPlace *place, Node *value, int copy)
{
    Node *where = s->here.where[copy];
    if (!where || !type_is_vector(where->type) || place->apart || s->shape.set->quick_masks ||
        !vector_is_there(&s->here.certain, n->sym, n->kid[0]))
        return NULL;
    Node *old = mk_vload(s->ir, n->sym, place->first, s->copies.count[copy], s->shape.width);
    if (!s->narrow && type_is_integer(n->sym->type) && type_bits(n->sym->type) < 32)
        old = mk_cast(s->ir, (Type)value->type, old);
    return (Type)old->type == (Type)value->type ? vector_select(s->ir, where, value, old) : NULL;
}

static bool store(VectorState *s, Node *n, Vec *out)
{
    const NarrowGroup *group = vector_group_of_store(s, n);
    if (group)
        return store_member(s, n, group, out);
    if (n->nkids != 2 || n->sym->type == T_LDOUBLE)
        return vector_refuse(s, "long double has no vectors") != NULL;
    for (int c = 0; c < s->copies.number; c++) {
        Node *value = stored_value(s, n, c);
        VectorPlace place;
        if (!value || !vector_place(s, n, c, &place))
            return false;
        Node *part = vector_part(s, c), *kids[] = {place.first, value, place.apart, part};
        Node *tile = map_get(&s->joined.tiled, n->id);
        if (tile) {
            put(s, out, mk_vstore(s->ir, tile->sym, tile->kid[0], value, NULL, n->loc));
            continue;
        }
        Node *whole = blended(s, n, &place, value, c);
        if (whole) {
            put(s, out, mk_vstore(s->ir, n->sym, place.first, whole, s->copies.count[c], n->loc));
            continue;
        }
        Sym *non_temporal = part || place.apart ? NULL : vector_non_temporal(s, n);
        Node *saturated = non_temporal || place.apart ? NULL : saturated_value(s, n, c);
        if (saturated) {
            put(s, out, mk_vstore_saturated(s->ir, n->sym, place.first, saturated, part, n->loc));
            continue;
        }
        put(s, out,
            non_temporal  ? mk_vstore_non_temporal(s->ir, n->sym, place.first, value, mk_var(s->ir, non_temporal), n->loc)
            : place.apart ? mk_scatter(s->ir, n->sym, part ? 4 : 3, kids, n->loc)
                          : mk_vstore(s->ir, n->sym, place.first, value, part, n->loc));
    }
    return true;
}

/* ---------------------------------------------------------------- loops and branches */

static bool loop(VectorState *s, Node *n, Vec *out)
{
    if (vector_varies(&s->loop, n->kid[0]) || vector_varies(&s->loop, n->kid[1]))
        return vector_divergent_loop(s, n, out);
    if (!n->aux)
        return vector_refuse(s, "an inner loop ends elsewhere in each iteration") != NULL;
    for (int c = 0; c < s->copies.number; c++)
        if (s->here.where[c])
            return vector_refuse(s, "a loop stands under a condition that changes") != NULL;
    Node *tiled = vector_tiled(s, n);
    if (tiled || s->why) {
        put(s, out, tiled);
        return !s->why;
    }
    const int certain = s->here.certain.loads.count; /* what the loop loads, it may not */
    Vec body = {0};
    s->here.depth++;
    if (s->here.ninner == (int)(sizeof s->here.inner / sizeof *s->here.inner))
        return vector_refuse(s, "too many loops are inside one another") != NULL;
    s->here.inner[s->here.ninner++] = n;
    if (!vector_stmt(s, n->kid[2], &body))
        return false;
    s->here.ninner--;
    s->here.depth--;
    s->here.certain.loads.count = certain;
    Node *kids[] = {n->kid[0], n->kid[1], block_of(s, &body, n->loc)};
    put(s, out, with_kids(s->ir, n, 3, kids));
    return true;
}

static bool branch_uniform(VectorState *s, Node *n, Vec *out)
{
    Node *kids[3] = {n->kid[0], NULL, NULL};
    const int certain = s->here.certain.loads.count;
    Vec *outer = s->here.branch.out;
    s->here.branch.out = NULL;
    s->here.depth++;
    for (int i = 1; i < n->nkids; i++) {
        Vec body = {0};
        if (!vector_stmt(s, n->kid[i], &body))
            return false;
        kids[i] = block_of(s, &body, n->loc);
        s->here.certain.loads.count = certain;
    }
    s->here.depth--;
    s->here.branch.out = outer;
    put(s, out, with_kids(s->ir, n, n->nkids, kids));
    return true;
}

static bool search_long(void *user, Node *n)
{
    bool *found = user;
    const bool divides = (n->kind == N_DIV || n->kind == N_MOD) && type_is_vector((Type)n->type) && type_is_integer(type_element(n->type));
    *found = *found || divides || (n->kind == N_GATHER && n->nkids > 2) || (n->kind == N_CALL && !is_quick_function(n->sym)) ||
             (n->kind == N_VSTORE && n->kid[1]->kind == N_SEL);
    return !*found;
}

/* Elements apart, functions that compute for long, rows that are stored: work that a branch spares where no lane wants it. */
static bool is_worth_branch(VectorState *s, const Vec *body)
{
    bool found = false;
    for (int i = 0; !s->narrow && i < body->count; i++)
        walk(&(Walker){.pre = search_long, .user = &found}, body->items[i]);
    return found;
}

/* One arm, for the lanes that s->here.where says. */
static bool arm(VectorState *s, Node *n, Vec *out)
{
    const LaneBranch outer = s->here.branch;
    Vec body = {0};
    Node *some = NULL; /* does any lane get here? */
    s->here.branch = (LaneBranch){.out = &body};
    for (int c = 0; c < s->copies.number; c++) {
        Node *mask = s->here.branch.taken[c] = s->here.where[c];
        some = some ? mk_expr(s->ir, N_OR, (Type)mask->type, NULL, 2, (Node *[]){some, mask}, n->loc) : mask;
    }
    const bool fits = vector_stmt(s, n, &body);
    s->here.branch = outer;
    const bool branches = fits && is_worth_branch(s, &body);
    if (branches)
        put(s, out, mk_if(s->ir, mk_any(s->ir, some), block_of(s, &body, n->loc), NULL, n->loc));
    for (int i = 0; fits && !branches && i < body.count; i++)
        put(s, out, body.items[i]);
    return fits;
}

static bool search_access(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || n->kind == N_STORE;
}

static bool reaches_memory(Node *n) { return any_node(n, search_access, NULL); }

static bool branch(VectorState *s, Node *n, Vec *out)
{
    if (vector_is_choice(&s->reductions, n))
        return vector_choose(s, n, out);
    if (!vector_varies(&s->loop, n->kid[0]))
        return branch_uniform(s, n, out);
    Node *outer[MOST_COPIES], *mask[MOST_COPIES];
    bool counts = false; /* the first arm's mask: lanes that do not count are in neither */
    for (int c = 0; c < s->copies.number; c++) {
        outer[c] = s->here.where[c];
        Node *value = vector_mask(s, n->kid[0], c);
        if (!value)
            return false;
        if (n->nkids == 2 && s->copies.count[c] && !outer[c] && reaches_memory(n->kid[1])) {
            value = vector_and(s->ir, vector_first_lanes(s, c), value);
            s->here.counted[c] = counts = true;
        }
        Sym *held = sym_new(s->ir, S_LOCAL, (Type)value->type, "where", n->loc);
        held->is_const = true;
        put(s, out, mk_decl(s->ir, held, value, n->loc));
        mask[c] = mk_var(s->ir, held);
    }
    bool fits = true;
    for (int i = 1; fits && i < n->nkids; i++) {
        for (int c = 0; c < s->copies.number; c++) {
            Node *taken = i == 1 ? mask[c] : mk_expr(s->ir, N_BNOT, (Type)mask[c]->type, NULL, 1, &mask[c], n->loc);
            s->here.where[c] = vector_mask_within(s, outer[c], taken);
            fits = fits && s->here.where[c];
        }
        fits = fits && arm(s, n->kid[i], out);
    }
    for (int c = 0; c < s->copies.number; c++) {
        s->here.where[c] = outer[c];
        s->here.counted[c] = s->here.counted[c] && !counts;
    }
    return fits;
}

/* A float that never changes. */
static const Varying *declared(const VectorState *s, const Node *n)
{
    const bool constant = n->kind == N_DECL && n->nkids && type_is_float(n->sym->type) && !vector_fact(&s->loop, n->sym, ASSIGNED);
    return constant ? map_get(&s->scalars.varying, n->sym->id) : NULL;
}

/* The parts of a complex number, perhaps. */
static void name_interleaved(VectorState *s, const Node *first, const Node *second, Vec *out)
{
    const Varying *v = declared(s, first), *other = declared(s, second);
    if (v && other && first->sym->type == second->sym->type)
        vector_name_interleaved(s, v->copy, other->copy, out);
}

static bool block(VectorState *s, Node *n, Vec *out)
{
    for (int i = 0; i < n->nkids; i++) {
        if (n->kid[i]->kind == N_STORE && !s->narrow)
            vector_find_row_stores(s, n, i);
        Node *other = s->narrow || map_get(&s->joined.held, n->kid[i]->id) ? NULL : vector_other_store(s, n, i);
        if (other ? !hold(s, n->kid[i], other, n->kid[i + 1] == other, out) : !vector_stmt(s, n->kid[i], out))
            return false;
        if (i > 0)
            name_interleaved(s, n->kid[i - 1], n->kid[i], out);
    }
    return true;
}

static bool statement(VectorState *s, Node *n, Vec *out)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: return block(s, n, out);
    case N_DECL: return declare(s, n, out);
    case N_ASSIGN: return assign(s, n, out);
    case N_STORE:
        return map_get(&s->joined.held, n->id)   ? store_both(s, n, out)
               : map_get(&s->joined.rows, n->id) ? store_in_row(s, n, out)
                                                 : store(s, n, out);
    case N_FOR: return loop(s, n, out);
    case N_IF: return branch(s, n, out);
    default: return vector_refuse(s, "a statement has no vectors") != NULL;
    }
}

bool vector_stmt(VectorState *s, Node *n, Vec *out)
{
    Vec *outer = s->here.now;
    s->here.now = out;
    const bool fits = statement(s, n, out);
    s->here.now = outer;
    return fits;
}
