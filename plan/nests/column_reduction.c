/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop over columns as it was, and three times, with what goes down the rows in the array that gets it. */
#include "plan/nests/column_reduction.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum {
    MOST_LOADS = 2,
    WIDE = 2048,     /* bytes of a row, at least */
    LARGE = 2 << 20, /* bytes of a matrix: as much as a core's own caches have */
    ROWS = 8         /* at a time: as many streams of memory */
};

typedef struct Columns {
    Ir *ir;
    Node *loop, *rows; /* over columns, and over rows inside */
    Node *sum;         /* N_DECL of the scalar that goes down a column */
    Vec behind;        /* statements behind the loop over rows, */
    Node *store;       /* and of these the one to the column's element of an array that nothing else touches */
    int loads;
    int bytes; /* of an element of the matrix: a load that moves from row to row, and from neighbour to neighbour; 0: there is none */
    bool fits;
} Columns;

/* ---------------------------------------------------------------- may it be? */

/* A declaration, the loop over rows, what follows. */
static bool find_parts(Columns *c)
{
    Node *body = c->loop->kid[2];
    if (body->kind != N_BLOCK || body->nkids < 3 || body->kid[1]->kind != N_FOR)
        return false;
    c->sum = body->kid[0];
    c->rows = body->kid[1];
    for (int i = 2; i < body->nkids; i++) {
        if (has_kind(body->kid[i], N_FOR))
            return false;
        vec_push(c->ir->arena, &c->behind, body->kid[i]);
    }
    const Sym *sym = c->sum->sym;
    return c->sum->kind == N_DECL && c->sum->nkids == 1 && sym->type != T_BOOL && sym->rank == 0;
}

/* The column's element as it stands. */
static bool is_own(const Columns *c, const Node *store)
{
    Poly *coef, *rest;
    int64_t shift;
    return store->sym->rank == 1 && store->sym->type == c->sum->sym->type &&
           poly_affine(c->ir, poly_of(c->ir, store->kid[0]), &c->loop->sym, 1, &coef, &rest) && poly_is(coef, 1) &&
           poly_const(rest, &shift);
}

static bool find_store(Columns *c)
{
    for (int i = 0; i < c->behind.count && !c->store; i++) {
        Node *n = c->behind.items[i];
        c->store = n->kind == N_STORE && is_own(c, n) ? n : NULL;
    }
    for (int i = 0; c->store && i < c->behind.count; i++)
        if (c->behind.items[i] != c->store && writes_sym(c->behind.items[i], c->store->sym))
            return false;
    return c->store && !reads_array(c->loop, c->store->sym);
}

/* Moves along a dimension that is not the last with the rows, and along that with columns. */
static bool moves_down(const Columns *c, Node *load)
{
    Poly *coef, *rest;
    const int last = load->sym->rank - 1;
    bool down = false;
    for (int d = 0; d < last; d++)
        down = down || uses_sym(load->kid[d], c->rows->sym);
    return down && !uses_sym(load->kid[last], c->rows->sym) &&
           poly_affine(c->ir, poly_of(c->ir, load->kid[last]), &c->loop->sym, 1, &coef, &rest) && poly_is(coef, 1);
}

static bool look_down(void *user, Node *n)
{
    Columns *c = user;
    if (n->kind == N_LOAD) {
        c->loads++;
        if (moves_down(c, n) && type_bytes(n->sym->type) > c->bytes)
            c->bytes = type_bytes(n->sym->type);
    }
    c->fits = c->fits && n->kind != N_STORE && n->kind != N_FOR && n->kind != N_IF && !(n->kind == N_ASSIGN && n->sym != c->sum->sym);
    return c->fits;
}

static bool counts(Ir *ir, Node *loop)
{
    Bounds b;
    return for_bounds(loop, &b) && b.step == 1 && b.cmp == N_LT && type_is_signed(b.var->type) && type_bits(b.var->type) >= 32 &&
           loop_declares(loop) && trip_count(ir, loop);
}

static bool may_split(Columns *c)
{
    if (!(c->loop->aux & FOR_PARALLEL) || !counts(c->ir, c->loop) || !find_parts(c) || !counts(c->ir, c->rows) || !find_store(c))
        return false;
    for (int i = 0; i < 2; i++)
        if (uses_sym(c->rows->kid[i], c->loop->sym) || reads_array(c->rows->kid[i], NULL) || uses_sym(c->rows->kid[i], c->sum->sym))
            return false;
    c->fits = true;
    walk(&(Walker){.pre = look_down, .user = c}, c->rows->kid[2]);
    return c->fits && c->bytes && c->loads <= MOST_LOADS && writes_sym(c->rows->kid[2], c->sum->sym);
}

/* ---------------------------------------------------------------- do it */

static Node *element(const Columns *c) { return mk_load(c->ir, c->store->sym, 1, c->store->kid); }

static Node *stored(const Columns *c)
{
    return mk_store(c->ir, c->store->sym, 1, c->store->kid, mk_var(c->ir, c->sum->sym), N_NONE, c->store->loc);
}

/* The loop over columns with another body, and names of its own. */
static Node *over_columns(const Columns *c, Node *start, int nstmts, Node *const *stmts)
{
    Ir *ir = c->ir;
    Sym *sum = c->sum->sym, *var = c->loop->sym;
    Vec body = {0};
    vec_push(ir->arena, &body, mk_decl(ir, sum, start, c->sum->loc));
    for (int i = 0; i < nstmts; i++)
        vec_push(ir->arena, &body, stmts[i]);
    Node *kids[] = {c->loop->kid[0], c->loop->kid[1], mk_block(ir, body.count, (Node **)body.items, c->loop->loc)};
    Node *loop = rename_sym(ir, with_kids(ir, c->loop, 3, kids), sum, sym_new(ir, S_LOCAL, sum->type, sum->name, sum->loc));
    return rename_sym(ir, loop, var, sym_new(ir, S_LOOP, var->type, var->name, var->loc));
}

/* All columns down some rows at a time. */
static Node *down_rows(const Columns *c, Node *rows)
{
    Ir *ir = c->ir;
    Sym *from = sym_new(ir, S_LOOP, T_INDEX, "row", c->rows->loc);
    Node *to = ix_min(ir, ix_add(ir, mk_var(ir, from), ix_int(ir, ROWS)), rows);
    Node *stmts[] = {some_iterations(ir, c->rows, mk_var(ir, from), to, c->rows->kid[2]), stored(c)};
    Node *columns = over_columns(c, element(c), 2, stmts);
    Node *loop = mk_for(ir, from, ix_int(ir, 0), mk_binary(ir, N_LT, mk_var(ir, from), rows), ROWS, columns, true, c->rows->loc);
    loop->aux |= FOR_BLOCKS;
    return loop;
}

static bool only_stores(const Columns *c) { return c->behind.count == 1 && c->store->kid[1] == mk_var(c->ir, c->sum->sym); }

Node *block_column_reductions(Ir *ir, Node *nest)
{
    Columns c = {.ir = ir, .loop = nest};
    if (nest->kind != N_FOR || !may_split(&c))
        return nest;
    Vec out = {0}, wide = {0};
    Node *columns = name_index(ir, &out, "columns", trip_count(ir, nest)), *rows = name_index(ir, &out, "rows", trip_count(ir, c.rows));
    Node *first = stored(&c), *elements = ix_int(ir, LARGE / c.bytes);
    vec_push(ir->arena, &wide, over_columns(&c, c.sum->kid[0], 1, &first));
    vec_push(ir->arena, &wide, down_rows(&c, rows));
    if (!only_stores(&c))
        vec_push(ir->arena, &wide, over_columns(&c, element(&c), c.behind.count, (Node **)c.behind.items));
    Node *as_it_was = mk_binary(ir, N_LOR, mk_binary(ir, N_LT, columns, ix_int(ir, WIDE / c.bytes)),
                                mk_binary(ir, N_LT, ix_mul(ir, rows, columns), elements));
    vec_push(ir->arena, &out, mk_if(ir, as_it_was, nest, mk_block(ir, wide.count, (Node **)wide.items, nest->loc), nest->loc));
    return mk_block(ir, out.count, (Node **)out.items, nest->loc);
}
