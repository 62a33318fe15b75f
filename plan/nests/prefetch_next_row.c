/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/nests/prefetch_next_row.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum {
    LONGEST = 65536,  /* bytes of a row of which the next one is worth asking for */
    CALL_COST = 16    /* of a function, in additions */
};

typedef struct Rows {
    Ir *ir;
    Node *row;
    Map names;   /* by symbol id: Node *, what constants of the body stand for */
    Vec loops;   /* the innermost ones directly inside */
    Node *loop;  /* of these the one that is looked at */
    Vec found;   /* NextRow * of that one, an array each */
} Rows;

static bool search_inside(void *user, Node *n)
{
    Rows *r = user;
    if (n->kind == N_DECL && n->sym->is_const && n->sym->type == T_INDEX && n->sym->rank == 0)
        *map_at(r->ir->arena, &r->names, n->sym->id) = n->kid[0];
    if (n->kind == N_FOR && !has_kind(n->kid[2], N_FOR))
        vec_push(r->ir->arena, &r->loops, n);
    return n->kind == N_BLOCK || n == r->row;
}

static bool search_inner_name(void *user, Node *n)
{
    bool *outer = user;
    *outer = *outer && n->kind != N_LOAD && !(n->kind == N_VAR && n->sym->kind != S_PARAM);
    return *outer;
}

static NextRow *row_of(const Vec *found, const Sym *array)
{
    for (int i = 0; i < found->count; i++) {
        NextRow *next = found->items[i];
        if (next->load->sym == array)
            return next;
    }
    return NULL;
}

/* Elements of an array that nothing here stores to, one after the other along the loop, and along the rows as far apart as they are. */
static bool search_rows(void *user, Node *n)
{
    Rows *r = user;
    Sym *vars[] = {r->row->sym, r->loop->sym};
    Poly *coef[2], *rest;
    bool outer = true;
    if (n->kind != N_LOAD || n->sym->kind != S_ARRAY || n->nkids != 1 || row_of(&r->found, n->sym) || writes_sym(r->row, n->sym) ||
        !poly_affine(r->ir, poly_of(r->ir, expand_names(r->ir, &r->names, n->kid[0])), vars, 2, coef, &rest) || !poly_is(coef[1], 1) ||
        poly_is(coef[0], 0))
        return true;
    Node *apart = poly_node(r->ir, coef[0]);
    walk(&(Walker){.pre = search_inner_name, .user = &outer}, apart);
    if (outer) {
        NextRow *next = arena_alloc(r->ir->arena, sizeof *next);
        *next = (NextRow){n, apart};
        vec_push(r->ir->arena, &r->found, next);
    }
    return true;
}

static Vec rows_of(Rows *r, Node *loop)
{
    r->loop = loop;
    r->found = (Vec){0};
    walk(&(Walker){.pre = search_rows, .user = r}, loop->kid[2]);
    return r->found;
}

static bool add_cost(void *user, Node *n)
{
    int *cost = user;
    *cost += n->kind == N_CALL ? CALL_COST : is_expr(n) ? kind_info[n->kind].cost : 0;
    return n->kind != N_LOAD;
}

static int cost_of(Node *loop)
{
    int cost = 0;
    walk(&(Walker){.pre = add_cost, .user = &cost}, loop->kid[2]);
    return cost;
}

/* The loop, of those behind the first that goes over the rows of the array, that costs most; the last of such as cost the same. */
static int costliest(const Rows *r, const Vec *rows, const Sym *array)
{
    int first = -1, best = -1, most = 0;
    for (int i = 0; i < r->loops.count; i++) {
        if (!row_of(rows + i, array))
            continue;
        const int cost = cost_of(r->loops.items[i]);
        if (first >= 0 && cost >= most)
            best = i, most = cost;
        first = first < 0 ? i : first;
    }
    return best;
}

void find_next_rows(Ir *ir, Node *row, Map *next)
{
    Rows r = {.ir = ir, .row = row};
    Bounds b;
    if (!for_bounds(row, &b) || b.step != 1)
        return;
    walk(&(Walker){.pre = search_inside, .user = &r}, row->kid[2]);
    if (r.loops.count < 2)
        return;
    Vec *rows = arena_new_array(ir->arena, Vec, r.loops.count);
    for (int i = 0; i < r.loops.count; i++)
        rows[i] = rows_of(&r, r.loops.items[i]);
    for (int i = 0; i < r.loops.count; i++)
        for (int j = 0; j < rows[i].count; j++) {
            NextRow *found = rows[i].items[j];
            if (costliest(&r, rows, found->load->sym) != i)
                continue;
            void **list = map_at(ir->arena, next, ((Node *)r.loops.items[i])->id);
            if (!*list)
                *list = arena_new_array(ir->arena, Vec, 1);
            vec_push(ir->arena, *list, found);
        }
}

Node *next_row_apart(Ir *ir, const NextRow *next)
{
    const int64_t most = LONGEST / type_bytes(next->load->sym->type);
    if (next->apart->kind == N_INT)
        return next->apart->u.i > 0 && next->apart->u.i <= most ? next->apart : ix_int(ir, 0);
    return mk_select(ir, mk_binary(ir, N_LE, next->apart, ix_int(ir, most)), next->apart, ix_int(ir, 0));
}
