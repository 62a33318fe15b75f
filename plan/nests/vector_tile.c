/* Elements that lanes have far apart, but iterations of a loop inside side by side. */
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/vector_state.h"

enum { MOST_TILES = 2 };

typedef struct Tiling {
    VectorState *s;
    Node *loop;
    Node *load[MOST_TILES]; /* with their subscripts in the tile's first row and column, */
    Node *apart[MOST_TILES];
    int nloads;
} Tiling;

/* Own types of vectors only. */
static bool has_tiles(Type type) { return type == T_FLOAT || type == T_INT || type == T_DOUBLE; }

static bool search_tiles(void *user, Node *n)
{
    Tiling *t = user;
    VectorState *s = t->s;
    Node *apart;
    Poly *coef, *rest;
    Sym *along = t->loop->sym;
    if (n->kind != N_LOAD || s->stored[n->sym->id] || !has_tiles(n->sym->type) || t->nloads == MOST_TILES)
        return true;
    if (!vector_stride(s, n->kid[0], &apart) || is_int(apart, 1) || is_int(apart, 0) || uses_sym(apart, along))
        return true;
    if (!poly_affine(s->ir, poly_of(s->ir, vector_first_lane(s, n->kid[0], 0)), &along, 1, &coef, &rest) || !poly_is(coef, 1))
        return true;
    for (int i = 0; i < t->nloads; i++)
        if (t->load[i] == n)
            return true;
    t->load[t->nloads] = n;
    t->apart[t->nloads++] = apart;
    return true;
}

static bool search_loop(void *user, Node *n)
{
    bool *found = user;
    *found = *found || n->kind == N_FOR || n->kind == N_IF || n->kind == N_SEL;
    return !*found;
}

/* The declared tile of a load, filled for columns `from` on; later loads come from it. */
static void add_tile(Tiling *t, int i, Sym *from, Node *cols, Vec *out)
{
    VectorState *s = t->s;
    Ir *ir = s->ir;
    const int lanes = s->shape.lanes;
    Node *size = ix_int(ir, (int64_t)lanes * lanes), *e = t->load[i];
    Sym *tile = sym_new_array(ir, S_LOCAL_ARRAY, e->sym->type, "tile", 1, &size, e->loc);
    Node *first = substitute(ir, vector_first_lane(s, e->kid[0], 0), t->loop->sym, mk_cast(ir, t->loop->sym->type, mk_var(ir, from)));
    Node *rows = s->count[0] ? s->count[0] : ix_int(ir, lanes);
    Node *kids[] = {mk_expr(ir, N_REF, e->sym->type, tile, 0, NULL, e->loc), first, t->apart[i], rows, cols};
    vec_push(ir->arena, out, mk_decl(ir, tile, NULL, e->loc));
    vec_push(ir->arena, out, mk_tile(ir, e->sym, kids, e->loc));
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
    if (branches || s->copies != 1 || !(loop->aux & FOR_UNORDERED) || !for_bounds(loop, &b) || b.step != 1 || b.cmp != N_LT ||
        !type_is_signed(b.var->type))
        return NULL;
    walk(&(Walker){.pre = search_tiles, .user = &t}, loop->kid[2]);
    if (!t.nloads)
        return NULL;
    Sym *from = sym_new(ir, S_LOOP, T_INDEX, "column", loop->loc), *to = sym_new(ir, S_LOCAL, T_INDEX, "columns", loop->loc);
    Node *hi = widen(ir, b.hi);
    Vec out = {0}, body = {0};
    to->is_const = true;
    vec_push(ir->arena, &out, mk_decl(ir, to, ix_min(ir, ix_sub(ir, hi, mk_var(ir, from)), ix_int(ir, s->shape.lanes)), loop->loc));
    for (int i = 0; i < t.nloads; i++)
        add_tile(&t, i, from, mk_var(ir, to), &out);
    s->depth++;
    if (!vector_stmt(s, loop->kid[2], &body))
        return NULL;
    s->depth--;
    Node *end = mk_cast(ir, b.var->type, ix_add(ir, mk_var(ir, from), mk_var(ir, to)));
    Node *kids[] = {mk_cast(ir, b.var->type, mk_var(ir, from)), mk_binary(ir, N_LT, mk_var(ir, b.var), end),
                    mk_block(ir, body.count, (Node **)body.items, loop->loc)};
    vec_push(ir->arena, &out, with_kids(ir, loop, 3, kids));
    for (int i = 0; i < t.nloads; i++)
        *map_at(ir->arena, &s->tiled, t.load[i]->id) = NULL;
    return mk_for(ir, from, widen(ir, b.lo), mk_binary(ir, N_LT, mk_var(ir, from), hi), s->shape.lanes,
                  mk_block(ir, out.count, (Node **)out.items, loop->loc), true, loop->loc);
}
