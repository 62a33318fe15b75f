/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements that lanes have far apart, but iterations of a loop inside side by side; that loop may carry something from one to the next. */
#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_state.h"

enum { MOST_TILES = 6, FEW_LANES = 2 }; /* two elements are put together as fast from where they are */

typedef struct Tiling {
    VectorState *s;
    Node *loop;
    Bounds bounds;
    Node *access[MOST_TILES]; /* loads and stores, */
    Node *apart[MOST_TILES];  /* and how far the rows of their tiles are from one another */
    int count;
    bool fails;               /* a store fits no tile */
    Map names;                /* by symbol id: Node *, what constants of the loop's body stand for */
} Tiling;

static bool search_names(void *user, Node *n)
{
    Tiling *t = user;
    if (n->kind == N_DECL && n->sym->is_const && n->sym->type == T_INDEX && n->sym->rank == 0)
        *map_at(t->s->ir->arena, &t->names, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

/* Where the first lane's element is, in terms of the loop's variable. */
static Node *place_along(Tiling *t, Node *subscript) { return expand_names(t->s->ir, &t->names, vector_first_lane(t->s, subscript, 0)); }

bool vector_has_tiles(Type type) { return type == T_FLOAT || type == T_INT || type == T_DOUBLE; }

/* What a tile of such elements holds: what lanes have of them, floats or integers where they are narrower. T_VOID: there are no such
 * tiles. */
static Type type_in_tile(Type type)
{
    if (type_is_float(type) && !type_is_fp8(type))
        return type == T_DOUBLE || type == T_FLOAT ? type : T_FLOAT;
    return type_bits(type) < 32 || type == T_INT ? T_INT : T_VOID;
}

/* Every other element: two vectors have all of them. */
static bool is_every_other(const Node *access, const Node *apart) { return access->kind == N_LOAD && is_int(apart, 2); }

/* Lanes far apart, iterations of the loop side by side: by *apart. */
static bool is_turned(Tiling *t, const Node *access, Node **apart)
{
    VectorState *s = t->s;
    Poly *coef, *rest;
    Sym *along = t->loop->sym;
    const bool is_own = vector_has_tiles(access->sym->type), in_order = !(t->loop->aux & FOR_PARALLEL); /* what is stored is read again */
    if (type_in_tile(access->sym->type) == T_VOID || (!is_own && (in_order || access->kind == N_STORE)) ||
        !vector_stride(s, access->kid[0], apart) || is_int(*apart, 1) || is_int(*apart, 0) || is_every_other(access, *apart) ||
        uses_sym(*apart, along))
        return false;
    return poly_affine(s->ir, poly_of(s->ir, place_along(t, access->kid[0])), &along, 1, &coef, &rest) && poly_is(coef, 1);
}

typedef struct OwnSearch {
    const Node *access;
    int stores; /* to its array */
    bool alone; /* they, and loads, which come first, are of its element */
} OwnSearch;

static void search_own(void *user, Node *n)
{
    OwnSearch *own = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || n->sym != own->access->sym)
        return;
    own->alone = own->alone && n->kid[0] == own->access->kid[0] && own->stores == 0;
    own->stores += n->kind == N_STORE;
}

/* Of an array that the loop only loads, or that an iteration touches in one place, to which it stores last. */
static bool may_wait(const Tiling *t, const Node *access)
{
    OwnSearch own = {access, 0, true};
    walk(&(Walker){.post = search_own, .user = &own}, t->loop->kid[2]);
    return own.stores == 0 || own.alone;
}

/* Neighbours in the lanes: stored as they are. */
static bool is_across(const Tiling *t, const Node *access)
{
    Node *apart;
    return vector_stride(t->s, access->kid[0], &apart) && is_int(apart, 1);
}

static bool search_tiles(void *user, Node *n)
{
    Tiling *t = user;
    Node *apart;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    for (int i = 0; i < t->count; i++)
        if (t->access[i] == n)
            return true;
    const bool fits = t->count < MOST_TILES && is_turned(t, n, &apart) && may_wait(t, n);
    if (fits) {
        t->access[t->count] = n;
        t->apart[t->count++] = apart;
    }
    t->fails = t->fails || (n->kind == N_STORE && !fits && !(t->loop->aux & FOR_PARALLEL) && !is_across(t, n));
    return true;
}

/* Tiles have what every iteration loads. */
static bool search_branch(void *user, Node *n)
{
    (void)user;
    const bool chooses = kind_info[n->kind].flags & F_LAZY && reads_array(n, NULL);
    return n->kind == N_FOR || n->kind == N_IF || chooses;
}

/* The declared tile of an access from column `left` on: loads come from it once it is filled, stores go there before it is emptied. */
static void add_tile(Tiling *t, int i, Node *left, Node *cols, Vec *before, Vec *behind)
{
    VectorState *s = t->s;
    Ir *ir = s->ir;
    const int lanes = s->shape.lanes;
    Node *size = ix_int(ir, (int64_t)lanes * lanes), *e = t->access[i];
    Sym *tile = sym_new_array(ir, S_LOCAL_ARRAY, type_in_tile(e->sym->type), "tile", 1, &size, e->loc);
    Node *first = substitute(ir, place_along(t, e->kid[0]), t->loop->sym, mk_cast(ir, t->loop->sym->type, left));
    Node *rows = s->copies.count[0] ? s->copies.count[0] : ix_int(ir, lanes);
    Node *kids[] = {mk_expr(ir, N_REF, e->sym->type, tile, 0, NULL, e->loc), first, t->apart[i], rows, cols};
    vec_push(ir->arena, before, mk_decl(ir, tile, NULL, e->loc));
    const bool stores = e->kind == N_STORE;
    vec_push(ir->arena, stores ? behind : before,
             mk_tile(ir, e->sym, kids, (stores ? TILE_STORES : 0) | (s->shape.width == LANES_64 ? TILE_WIDE : 0), e->loc));
    Node *column = ix_sub(ir, widen(ir, mk_var(ir, t->loop->sym)), left);
    /* Lanes of floats of 8 bits hold their codes, as the tile's integers do. */
    const Type lane = type_is_fp8(e->sym->type) ? e->sym->type : tile->type;
    Node *at = ix_mul(ir, column, ix_int(ir, lanes));
    *map_at(ir->arena, &s->joined.tiled, e->id) = mk_expr(ir, N_VLOAD, type_vector(lane, s->shape.width), tile, 1, &at, e->loc);
}

/* Counts by one, up or down. */
static bool counts(Tiling *t)
{
    const Bounds *b = &t->bounds;
    return for_bounds(t->loop, &t->bounds) && type_is_signed(b->var->type) &&
           ((b->step == 1 && b->cmp == N_LT) || (b->step == -1 && b->cmp == N_GE));
}

/* What the loop leaves from column `from` on. */
static Node *columns_left(const Tiling *t, Sym *from)
{
    Ir *ir = t->s->ir;
    Node *end = widen(ir, t->bounds.hi);
    return t->bounds.step > 0 ? ix_sub(ir, end, mk_var(ir, from)) : ix_add(ir, ix_sub(ir, mk_var(ir, from), end), ix_int(ir, 1));
}

static Sym *index_constant(Ir *ir, Vec *out, const char *name, Node *value, Loc loc)
{
    Sym *sym = sym_new(ir, S_LOCAL, T_INDEX, name, loc);
    sym->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, sym, value, loc));
    return sym;
}

/* The columns of a tile from `from` on, as the loop goes through them. */
static Node *tile_columns(const Tiling *t, Sym *from, Sym *columns, const Vec *body)
{
    Ir *ir = t->s->ir;
    const bool up = t->bounds.step > 0;
    Node *start = mk_var(ir, from), *length = mk_var(ir, columns), *var = mk_var(ir, t->bounds.var);
    Node *end = mk_cast(ir, t->bounds.var->type, up ? ix_add(ir, start, length) : ix_sub(ir, start, length));
    Node *kids[] = {mk_cast(ir, t->bounds.var->type, start), mk_binary(ir, up ? N_LT : N_GT, var, end),
                    mk_block(ir, body->count, (Node **)body->items, t->loop->loc)};
    return with_kids(ir, t->loop, 3, kids);
}

static bool find_tiles(Tiling *t)
{
    const bool branches = any_node(t->loop->kid[2], search_branch, NULL);
    if (branches || t->s->copies.number != 1 || t->s->shape.lanes <= FEW_LANES || !counts(t))
        return false;
    walk(&(Walker){.pre = search_names, .user = t}, t->loop->kid[2]);
    walk(&(Walker){.pre = search_tiles, .user = t}, t->loop->kid[2]);
    return t->count && !t->fails;
}

Node *vector_tiled(VectorState *s, Node *loop)
{
    Ir *ir = s->ir;
    Tiling t = {.s = s, .loop = loop};
    if (!find_tiles(&t))
        return NULL;
    const Loc loc = loop->loc;
    const bool up = t.bounds.step > 0;
    const int64_t lanes = s->shape.lanes;
    Vec out = {0}, body = {0}, behind = {0};
    Sym *from = sym_new(ir, S_LOOP, T_INDEX, "column", loc);
    Sym *columns = index_constant(ir, &out, "columns", ix_min(ir, columns_left(&t, from), ix_int(ir, lanes)), loc), *left = from;
    if (!up)
        left = index_constant(ir, &out, "left", ix_add(ir, ix_sub(ir, mk_var(ir, from), mk_var(ir, columns)), ix_int(ir, 1)), loc);
    for (int i = 0; i < t.count; i++)
        add_tile(&t, i, mk_var(ir, left), mk_var(ir, columns), &out, &behind);
    s->here.depth++;
    if (!vector_stmt(s, loop->kid[2], &body))
        return NULL;
    s->here.depth--;
    vec_push(ir->arena, &out, tile_columns(&t, from, columns, &body));
    for (int i = 0; i < behind.count; i++)
        vec_push(ir->arena, &out, behind.items[i]);
    for (int i = 0; i < t.count; i++)
        *map_at(ir->arena, &s->joined.tiled, t.access[i]->id) = NULL;
    return mk_for(ir, from, widen(ir, t.bounds.lo), mk_binary(ir, up ? N_LT : N_GE, mk_var(ir, from), widen(ir, t.bounds.hi)),
                  up ? lanes : -lanes, mk_block(ir, out.count, (Node **)out.items, loc), true, loc);
}
