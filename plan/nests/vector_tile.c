/* Elements that lanes have far apart, but iterations of a loop inside side by side; that loop may carry something from one to the next. */
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/parts.h"
#include "plan/nests/vector_state.h"

enum { MOST_TILES = 3 };

typedef struct Tiling {
    VectorState *s;
    Node *loop;
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

/* Own types of vectors only. */
static bool has_tiles(Type type) { return type == T_FLOAT || type == T_INT || type == T_DOUBLE; }

/* Every other element: two vectors have all of them. */
static bool is_every_other(const Node *access, const Node *apart) { return access->kind == N_LOAD && is_int(apart, 2); }

/* Lanes far apart, iterations of the loop side by side: by *apart. */
static bool is_turned(Tiling *t, const Node *access, Node **apart)
{
    VectorState *s = t->s;
    Poly *coef, *rest;
    Sym *along = t->loop->sym;
    if (!has_tiles(access->sym->type) || !vector_stride(s, access->kid[0], apart) || is_int(*apart, 1) || is_int(*apart, 0) ||
        is_every_other(access, *apart) || uses_sym(*apart, along))
        return false;
    return poly_affine(s->ir, poly_of(s->ir, place_along(t, access->kid[0])), &along, 1, &coef, &rest) && poly_is(coef, 1);
}

/* The only access to its array. */
static bool stores_alone(const Tiling *t, const Node *store)
{
    if (reads_array(t->loop, store->sym))
        return false;
    for (int i = 0; i < t->count; i++)
        if (t->access[i]->sym == store->sym)
            return false;
    return true;
}

static bool search_tiles(void *user, Node *n)
{
    Tiling *t = user;
    Node *apart;
    const bool stores = n->kind == N_STORE;
    if ((n->kind != N_LOAD && !stores) || (n->kind == N_LOAD && t->s->stored[n->sym->id]))
        return true;
    for (int i = 0; i < t->count; i++)
        if (t->access[i] == n)
            return true;
    const bool fits = t->count < MOST_TILES && is_turned(t, n, &apart) && (!stores || stores_alone(t, n));
    if (fits) {
        t->access[t->count] = n;
        t->apart[t->count++] = apart;
    }
    t->fails = t->fails || (stores && !fits && !(t->loop->aux & FOR_UNORDERED));
    return true;
}

static bool search_loop(void *user, Node *n)
{
    bool *found = user;
    *found = *found || n->kind == N_FOR || n->kind == N_IF || n->kind == N_SEL;
    return !*found;
}

/* The declared tile of an access in columns `from` on: loads come from it once it is filled, stores go there before it is emptied. */
static void add_tile(Tiling *t, int i, Sym *from, Node *cols, Vec *before, Vec *behind)
{
    VectorState *s = t->s;
    Ir *ir = s->ir;
    const int lanes = s->shape.lanes;
    Node *size = ix_int(ir, (int64_t)lanes * lanes), *e = t->access[i];
    Sym *tile = sym_new_array(ir, S_LOCAL_ARRAY, e->sym->type, "tile", 1, &size, e->loc);
    Node *first = substitute(ir, place_along(t, e->kid[0]), t->loop->sym, mk_cast(ir, t->loop->sym->type, mk_var(ir, from)));
    Node *rows = s->count[0] ? s->count[0] : ix_int(ir, lanes);
    Node *kids[] = {mk_expr(ir, N_REF, e->sym->type, tile, 0, NULL, e->loc), first, t->apart[i], rows, cols};
    vec_push(ir->arena, before, mk_decl(ir, tile, NULL, e->loc));
    const bool stores = e->kind == N_STORE;
    vec_push(ir->arena, stores ? behind : before,
             mk_tile(ir, e->sym, kids, (stores ? TILE_STORES : 0) | (s->shape.wide ? TILE_WIDE : 0), e->loc));
    Node *column = ix_sub(ir, widen(ir, mk_var(ir, t->loop->sym)), mk_var(ir, from));
    *map_at(ir->arena, &s->tiled, e->id) = mk_vload(ir, tile, ix_mul(ir, column, ix_int(ir, lanes)), NULL, s->shape.wide);
}

Node *vector_tiled(VectorState *s, Node *loop)
{
    Ir *ir = s->ir;
    Tiling t = {.s = s, .loop = loop};
    Bounds b;
    bool branches = false;
    walk(&(Walker){.pre = search_loop, .user = &branches}, loop->kid[2]);
    if (branches || s->copies != 1 || !for_bounds(loop, &b) || b.step != 1 || b.cmp != N_LT || !type_is_signed(b.var->type))
        return NULL;
    walk(&(Walker){.pre = search_names, .user = &t}, loop->kid[2]);
    walk(&(Walker){.pre = search_tiles, .user = &t}, loop->kid[2]);
    if (!t.count || t.fails)
        return NULL;
    Sym *from = sym_new(ir, S_LOOP, T_INDEX, "column", loop->loc), *to = sym_new(ir, S_LOCAL, T_INDEX, "columns", loop->loc);
    Node *hi = widen(ir, b.hi);
    Vec out = {0}, body = {0}, behind = {0};
    to->is_const = true;
    vec_push(ir->arena, &out, mk_decl(ir, to, ix_min(ir, ix_sub(ir, hi, mk_var(ir, from)), ix_int(ir, s->shape.lanes)), loop->loc));
    for (int i = 0; i < t.count; i++)
        add_tile(&t, i, from, mk_var(ir, to), &out, &behind);
    s->depth++;
    if (!vector_stmt(s, loop->kid[2], &body))
        return NULL;
    s->depth--;
    Node *end = mk_cast(ir, b.var->type, ix_add(ir, mk_var(ir, from), mk_var(ir, to)));
    Node *kids[] = {mk_cast(ir, b.var->type, mk_var(ir, from)), mk_binary(ir, N_LT, mk_var(ir, b.var), end),
                    mk_block(ir, body.count, (Node **)body.items, loop->loc)};
    vec_push(ir->arena, &out, with_kids(ir, loop, 3, kids));
    for (int i = 0; i < behind.count; i++)
        vec_push(ir->arena, &out, behind.items[i]);
    for (int i = 0; i < t.count; i++)
        *map_at(ir->arena, &s->tiled, t.access[i]->id) = NULL;
    return mk_for(ir, from, widen(ir, b.lo), mk_binary(ir, N_LT, mk_var(ir, from), hi), s->shape.lanes,
                  mk_block(ir, out.count, (Node **)out.items, loop->loc), true, loop->loc);
}
