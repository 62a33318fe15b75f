/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaved access groups: of rows of neighbours, one for each iteration, three or four elements are loaded together, and stored together. Each
 * element by itself would fetch all lines, and shuffle all vectors, once more. */
#include <stdlib.h>

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_state.h"

enum {
    MOST_OTHERS = 64, /* accesses of a body, or statements behind a store, that are looked at */
    REACH = 16 /* elements so far apart may be of one row */
};

/* Elements of the row, by how far they are from one of them: bit REACH + distance. */
typedef struct RowElements {
    uint64_t used, there; /* by this iteration; in the array in any case, too */
} RowElements;

static bool has(uint64_t elements, int distance) { return abs(distance) <= REACH && (elements >> (REACH + distance) & 1); }

static void add(uint64_t *elements, int64_t distance)
{
    if (distance >= -REACH && distance <= REACH)
        *elements |= (uint64_t)1 << (REACH + distance);
}

/* How many elements go together where rows are so far apart; 0: none. Unknown strides are taken to be long. */
static int length_of(Node *apart)
{
    if (apart->kind != N_INT)
        return 4;
    return apart->u.i == 3 ? 3 : llabs(apart->u.i) >= 4 ? 4 : 0;
}

/* All elements from *low to *high, with the one at 0 among them. */
static void find_run(uint64_t there, int *low, int *high)
{
    *low = *high = 0;
    while (has(there, *low - 1))
        --*low;
    while (has(there, *high + 1))
        ++*high;
}

/* Which of the elements that are loaded together the one at 0 is, of `length`; -1: too few are used. All of a row agree. */
static int place_in_load(const RowElements *row, int length)
{
    int low, high, used = 0;
    find_run(row->there, &low, &high);
    const int run = high - low + 1, at = -low, aligned = at / length * length;
    if (run < length)
        return -1;
    const int first = aligned + length > run ? run - length : aligned;
    for (int i = 0; i < length; i++)
        used += has(row->used, first - at + i);
    return used >= 2 && (aligned + 1 < run || run % length != 1) ? at - first : -1;
}

/* ---------------------------------------------------------------- loads */

/* Is every term a multiple of `by` but for a constant? That goes to *rest. */
static bool divides_terms(const Poly *p, int64_t by, int64_t *rest)
{
    *rest = 0;
    for (int i = 0; i < p->nterms; i++) {
        if (p->terms[i].natoms == 0)
            *rest = (int64_t)p->terms[i].coef;
        else if ((int64_t)p->terms[i].coef % by)
            return false;
    }
    *rest = (*rest % by + by) % by;
    return true;
}

/* Consists the array of rows so long? Then the whole row of the element at `place` is in it. */
static void add_row(Ir *ir, const Sym *array, const Poly *place, int64_t length, RowElements *row)
{
    int64_t rest, at;
    if (length < 3 || length > REACH || array->rank != 1 || !array->extent[0] ||
        !divides_terms(poly_of(ir, array->extent[0]), length, &rest) || rest || !divides_terms(place, length, &at))
        return;
    for (int64_t i = 0; i < length; i++)
        add(&row->there, i - at);
}

bool vector_row_element(VectorState *s, const Node *load, Node *apart, RowElement *element)
{
    Ir *ir = s->ir;
    const int length = length_of(apart);
    if (!length || !vector_is_plain(&s->shape, load->sym))
        return false;
    Poly *place = poly_of(ir, vector_spelled(s, load->kid[0]));
    RowElements row = {0};
    *element = (RowElement){.length = length, .array = load->sym};
    add(&row.used, 0);
    for (int i = 0; i < s->here.certain.loads.count && i < MOST_OTHERS; i++) {
        const Node *other = s->here.certain.loads.items[i];
        int64_t distance;
        if (other != load && vector_share_bytes(other->sym, load->sym) && other->nkids == 1 &&
            poly_const(poly_sub(ir, poly_of(ir, vector_spelled(s, other->kid[0])), place), &distance) && llabs(distance) <= REACH) {
            add(&row.used, distance);
            element->array = other->sym->id < element->array->id ? other->sym : element->array;
        }
    }
    row.there = row.used;
    if (apart->kind == N_INT)
        add_row(ir, load->sym, poly_of(ir, expand_names(ir, s->in->names, poly_node(ir, place))), llabs(apart->u.i), &row);
    element->which = place_in_load(&row, length);
    for (int i = 0; i < length; i++)
        element->used |= (unsigned)has(row.used, i - element->which) << i;
    return element->which >= 0;
}

bool vector_may_be_named(const VectorState *s, const Sym *array)
{
    return s->here.now && s->here.depth == 0 && !s->here.branch.out && !array->whole && !vector_fact(&s->loop, array, STORED);
}

Node *vector_load_element(VectorState *s, const VectorPlace *place, const RowElement *element)
{
    Ir *ir = s->ir;
    Sym *array = element->array;
    Node *first = poly_node(ir, poly_sub(ir, poly_of(ir, place->first), poly_int(ir, element->which))), *found = NULL;
    for (int i = 0; i < element->length; i++) {
        Node *load = mk_row_load(ir, array, first, place->apart, element->length, i, s->shape.width);
        Sym *name = map_get(&s->joined.row_names, load->id);
        if (!name && element->used >> i & 1 && vector_may_be_named(s, array)) {
            name = sym_new(ir, S_LOCAL, (Type)load->type, arena_printf(ir->arena, "%s_%d", array->name, i), array->loc);
            name->is_const = true;
            vec_push(ir->arena, s->here.now, mk_decl(ir, name, load, array->loc));
            *map_at(ir->arena, &s->joined.row_names, load->id) = name;
        }
        if (i == element->which)
            found = name ? mk_var(ir, name) : load;
    }
    return found;
}

/* ---------------------------------------------------------------- stores */

/* Stores that wait for the last of them. */
typedef struct RowStores {
    Node *store[ROW_LENGTH], *value[ROW_LENGTH][MOST_COPIES]; /* by element */
    Node *apart;
    int length, left;
} RowStores;

typedef struct Found {
    Node *store[2 * REACH + 1]; /* by REACH + distance from the first */
    const Poly *place[2 * REACH + 1];
} Found;

typedef struct Between {
    VectorState *s;
    const Found *found;
    const Sym *array;
    bool meets;
} Between;

/* Is it another element than those whose stores wait? */
static bool is_elsewhere(const Between *b, Node *subscript)
{
    Poly *at = poly_of(b->s->ir, vector_spelled(b->s, subscript));
    int64_t distance;
    for (int i = 0; i <= 2 * REACH; i++)
        if (b->found->store[i] && (!poly_const(poly_sub(b->s->ir, at, b->found->place[i]), &distance) || distance == 0))
            return false;
    return true;
}

static bool search_meeting(void *user, Node *n)
{
    Between *b = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE;
    b->meets = b->meets || (accesses && vector_share_bytes(n->sym, b->array) && !is_elsewhere(b, n->kid[0]));
    for (int i = 0; n->kind == N_ASSIGN && i <= 2 * REACH; i++)
        b->meets = b->meets || (b->found->store[i] && uses_sym(b->found->store[i]->kid[0], n->sym));
    return !b->meets;
}

/* NULL: the store is none that could be of a row. */
static Node *apart_of(VectorState *s, Node *n)
{
    Node *apart;
    const bool may = n->kind == N_STORE && n->nkids == 2 && vector_is_plain(&s->shape, n->sym) && !map_get(&s->joined.tiled, n->id) &&
                     !map_get(&s->joined.held, n->id) && !map_get(&s->joined.rows, n->id) && vector_stride(s, n->kid[0], &apart);
    return may && length_of(apart) ? apart : NULL;
}

/* Stores from the block's statement `at` on that may be put off until the last of them. */
static void find_stores(VectorState *s, const Node *block, int at, Node *apart, Found *found)
{
    Ir *ir = s->ir;
    const Sym *array = block->kid[at]->sym;
    Poly *first = poly_of(ir, vector_spelled(s, block->kid[at]->kid[0]));
    Between b = {.s = s, .found = found, .array = array};
    found->store[REACH] = block->kid[at];
    found->place[REACH] = first;
    for (int i = at + 1; i < block->nkids && i <= at + MOST_OTHERS; i++) {
        Node *n = block->kid[i];
        int64_t distance;
        if (n->kind != N_DECL && n->kind != N_ASSIGN && n->kind != N_STORE)
            return;
        walk(&(Walker){.pre = search_meeting, .user = &b}, n);
        if (b.meets)
            return;
        if (n->kind != N_STORE || !vector_share_bytes(n->sym, array) || apart_of(s, n) != apart)
            continue;
        Poly *place = poly_of(ir, vector_spelled(s, n->kid[0]));
        if (poly_const(poly_sub(ir, place, first), &distance) && llabs(distance) <= REACH) {
            found->store[REACH + distance] = n;
            found->place[REACH + distance] = place;
        }
    }
}

void vector_find_row_stores(VectorState *s, const Node *block, int at)
{
    Found found = {{0}, {0}};
    Node *apart = apart_of(s, block->kid[at]);
    uint64_t there = 0;
    int low, high;
    for (int c = 0; c < s->copies.number; c++)
        if (vector_part(s, c))
            return;
    if (!apart)
        return;
    find_stores(s, block, at, apart, &found);
    for (int i = 0; i <= 2 * REACH; i++)
        there |= (uint64_t)(found.store[i] != NULL) << i;
    find_run(there, &low, &high);
    const int length = length_of(apart);
    if (high - low + 1 < length)
        return;
    const int first = high < length - 1 ? high - length + 1 : 0; /* from the first store on, if there are enough */
    RowStores *row = arena_alloc(s->ir->arena, sizeof *row);
    *row = (RowStores){.apart = apart, .length = length, .left = length};
    for (int i = 0; i < length; i++) {
        row->store[i] = found.store[REACH + first + i];
        *map_at(s->ir->arena, &s->joined.rows, row->store[i]->id) = row;
    }
}

/* Values have names, as what they are made of may change. */
static Node *named(VectorState *s, const Node *store, Node *value, Vec *out)
{
    if (value->kind == N_SPLAT && value->kid[0]->nkids == 0)
        return value;
    Sym *sym = sym_new(s->ir, S_LOCAL, (Type)value->type, store->sym->name, store->loc);
    sym->is_const = true;
    vec_push(s->ir->arena, out, mk_decl(s->ir, sym, value, store->loc));
    return mk_var(s->ir, sym);
}

bool vector_store_in_row(VectorState *s, Node *n, Node *const *values, Vec *out)
{
    Ir *ir = s->ir;
    RowStores *row = map_get(&s->joined.rows, n->id);
    *map_at(ir->arena, &s->joined.rows, n->id) = NULL;
    row->left--;
    for (int i = 0; i < row->length; i++)
        for (int c = 0; row->store[i] == n && c < s->copies.number; c++)
            row->value[i][c] = row->left ? named(s, n, values[c], out) : values[c];
    for (int c = 0; !row->left && c < s->copies.number; c++) {
        VectorPlace place;
        Node *value[ROW_LENGTH];
        if (!vector_place(s, row->store[0], c, &place))
            return false;
        for (int i = 0; i < row->length; i++)
            value[i] = row->value[i][c];
        vec_push(ir->arena, out,
                 mk_row_store(ir, row->store[0]->sym, poly_node(ir, poly_of(ir, place.first)), row->apart, row->length, value, n->loc));
    }
    return true;
}

/* ---------------------------------------------------------------- does it pay? */

typedef struct OtherSearch {
    Ir *ir;
    const Node *access;
    const Poly *place;
    int left;
    RowElements row;
} OtherSearch;

static bool search_other(void *user, Node *n)
{
    OtherSearch *o = user;
    int64_t distance;
    if (n->kind == o->access->kind && vector_share_bytes(n->sym, o->access->sym) && o->left-- > 0 &&
        poly_const(poly_sub(o->ir, poly_of(o->ir, n->kid[0]), o->place), &distance))
        add(&o->row.used, distance);
    return o->left > 0;
}

bool is_in_row(Ir *ir, Node *loop, const Node *access)
{
    Poly *place = poly_of(ir, access->kid[0]), *coef, *rest;
    const Type type = access->sym->type;
    const bool plain = type == T_FLOAT || type == T_DOUBLE || (type_is_integer(type) && type_bits(type) >= 32);
    int64_t stride;
    if (!plain || !poly_affine(ir, place, &loop->sym, 1, &coef, &rest) || !poly_const(coef, &stride) || !length_of(ix_int(ir, stride)))
        return false;
    OtherSearch o = {.ir = ir, .access = access, .place = place, .left = MOST_OTHERS};
    walk(&(Walker){.pre = search_other, .user = &o}, loop->kid[2]);
    o.row.there = o.row.used;
    if (access->kind == N_LOAD)
        add_row(ir, access->sym, place, llabs(stride), &o.row);
    return place_in_load(&o.row, length_of(ix_int(ir, stride))) >= 0;
}
