/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that all accesses are elements in the order of the loops, then makes a function of so many elements. */
#include "plan/grid/vectorize.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/grid/accesses.h"

enum { MAX_RANK = 16, MAX_VECTORS = 12 };

typedef struct Grouping {
    Ir *ir;
    Node *const *loops;
    int nloops;
    struct {
        Node *element; /* N_LOAD */
        bool read, stored;
        Sym *local;
    } part[MAX_VECTORS];
    int nparts;
    Node *at; /* T_INDEX, in `flat`; or in locals, the element's number in the group */
    bool in_locals;
} Grouping;

static bool uses_a_loop(const Grouping *g, Node *e)
{
    for (int i = 0; i < g->nloops; i++)
        if (uses_sym(e, g->loops[i]->sym))
            return true;
    return false;
}

/* Do the loops run through the array's elements one after the other? */
static bool in_order(const Grouping *g, const Node *access)
{
    const Sym *array = access->sym;
    if (array->rank != g->nloops || array->rank > MAX_RANK)
        return false;
    for (int d = 0; d < array->rank; d++) {
        Node *loop = g->loops[d], *extent = d ? array->extent[d] : NULL;
        if (access->kid[d]->kind == N_CAST && converts_as_index(access->kid[d]->kid[0]->type, access->kid[d]->type)) {
            if (access->kid[d]->kid[0] != mk_var(g->ir, loop->sym))
                return false;
        } else if (access->kid[d] != mk_var(g->ir, loop->sym)) {
            return false;
        }
        if (extent && !poly_equal(poly_of(g->ir, trip_count_of_running(g->ir, loop)), poly_of(g->ir, extent)))
            return false;
    }
    return true;
}

/* Element number `at` of the array, as if it had one dimension. */
static void flat_subscripts(const Grouping *g, const Sym *array, Node *at, Node **sub)
{
    for (int d = 0; d < array->rank; d++)
        sub[d] = d < array->rank - 1 ? ix_int(g->ir, 0) : at;
}

static int part_of(const Grouping *g, const Sym *array)
{
    for (int i = 0; i < g->nparts; i++)
        if (g->part[i].element->sym == array)
            return i;
    return -1;
}

static Node *regroup(void *user, Node *n)
{
    const Grouping *g = user;
    int i = (n->kind == N_LOAD || n->kind == N_STORE) ? part_of(g, n->sym) : -1;
    if (i < 0)
        return n;
    Node *sub[MAX_RANK];
    Sym *array = g->in_locals ? g->part[i].local : n->sym;
    if (g->in_locals)
        sub[0] = g->at;
    else
        flat_subscripts(g, array, g->at, sub);
    if (n->kind == N_LOAD)
        return mk_load(g->ir, array, array->rank, sub);
    return mk_store(g->ir, array, array->rank, sub, stmt_value(n), (Kind)n->aux, n->loc);
}

static Node *each(Grouping *g, int width, Sym *u, Node *body)
{
    Node *cond = mk_binary(g->ir, N_LT, mk_var(g->ir, u), mk_int(g->ir, T_INT, width));
    return mk_for(g->ir, u, mk_int(g->ir, T_INT, 0), cond, 1, body, true, body->loc);
}

static Sym *counter(Ir *ir) { return sym_new(ir, S_LOOP, T_INT, "u", (Loc){0, 0}); }

static Node *whole_group(Grouping *g, const Vector *v, Node *body)
{
    Ir *ir = g->ir;
    Vec out = {0};
    Node *width = mk_int(ir, T_INT, v->width);
    Node *start = ix_mul(ir, ix_int(ir, v->width), mk_var(ir, v->group));
    for (int i = 0; i < g->nparts; i++) {
        const Sym *array = g->part[i].element->sym;
        g->part[i].local = sym_new_array(ir, S_LOCAL_ARRAY, array->type, arena_printf(ir->arena, "%ss", array->name), 1, &width,
                                         array->loc);
        vec_push(ir->arena, &out, mk_decl(ir, g->part[i].local, NULL, body->loc));
    }
    for (int phase = 0; phase < 3; phase++) {
        Sym *u = counter(ir);
        g->at = mk_var(ir, u);
        g->in_locals = true;
        if (phase == 1)
            vec_push(ir->arena, &out, each(g, v->width, u, rewrite(&(Rewriter){.ir = ir, .post = regroup, .user = g}, body)));
        for (int i = 0; i < g->nparts; i++) {
            if (phase == 1 || !(phase ? g->part[i].stored : g->part[i].read))
                continue;
            Sym *array = g->part[i].element->sym, *k = counter(ir);
            Node *sub[MAX_RANK], *number = mk_var(ir, k);
            flat_subscripts(g, array, ix_add(ir, start, mk_cast(ir, T_INDEX, number)), sub);
            Node *move = phase ? mk_store(ir, array, array->rank, sub, mk_load(ir, g->part[i].local, 1, &number), N_NONE, body->loc)
                               : mk_store(ir, g->part[i].local, 1, &number, mk_load(ir, array, array->rank, sub), N_NONE, body->loc);
            vec_push(ir->arena, &out, each(g, v->width, k, move));
        }
    }
    return mk_block(ir, out.count, (Node **)out.items, body->loc);
}

static bool note_parts(Grouping *g, Node *body, int *widest)
{
    Vec accesses = {0};
    bool stores = false;
    if (!body_accesses(g->ir, body, &accesses))
        return false;
    for (int i = 0; i < accesses.count; i++) {
        const BodyAccess *a = accesses.items[i];
        if (!uses_a_loop(g, a->node) && !a->stored && part_of(g, a->node->sym) < 0)
            continue; /* one value for all */
        if (!in_order(g, a->node) || !a->certain || g->nparts == MAX_VECTORS || part_of(g, a->node->sym) >= 0)
            return false;
        g->part[g->nparts].element = a->node;
        g->part[g->nparts].read = a->read;
        g->part[g->nparts++].stored = a->stored;
        stores = stores || a->stored;
        int bytes = type_bytes(a->node->sym->type);
        *widest = bytes > *widest ? bytes : *widest;
    }
    for (int i = 0; i < accesses.count; i++) /* an array in order is nowhere read otherwise */
        if (!uses_a_loop(g, ((BodyAccess *)accesses.items[i])->node) && part_of(g, ((BodyAccess *)accesses.items[i])->node->sym) >= 0)
            return false;
    return stores;
}

bool find_vector(Ir *ir, Node *const *loops, int nloops, Node *body, int pieces, Vector *v)
{
    Grouping g = {.ir = ir, .loops = loops, .nloops = nloops};
    int widest = 1;
    for (int i = 0; i < nloops; i++)
        if (loops[i]->u.i != 1 || !is_int(loops[i]->kid[0], 0))
            return false;
    if (!nloops || !note_parts(&g, body, &widest) || widest > 8)
        return false;
    v->width = pieces * (16 / widest > 8 ? 8 : 16 / widest);
    v->point = sym_new(ir, S_PARAM, T_INDEX, "x", (Loc){0, 0});
    v->group = sym_new(ir, S_PARAM, T_INDEX, "x", (Loc){0, 0});
    g.at = mk_var(ir, v->point);
    v->one = rewrite(&(Rewriter){.ir = ir, .post = regroup, .user = &g}, body);
    if (uses_a_loop(&g, v->one))
        return false;
    v->all = whole_group(&g, v, body);
    return true;
}
