/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip counts times what an iteration costs; loops whose bounds depend on others' variables are taken at the middle of these. */
#include "plan/nests/work.h"

#include <math.h>

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/fitted.h"

enum { UNKNOWN = 16 }; /* iterations of a loop that does not say how many */

typedef struct Working {
    Ir *ir;
    Map middle;  /* by symbol id: a loop variable halfway */
    Map changes; /* by symbol id: scalars that the loops declare */
    double once; /* search_cost */
} Working;

static Node *number(Ir *ir, double value) { return mk_float(ir, T_DOUBLE, round(value * 1e4) / 1e4); }

static Node *halfway(void *user, Node *n)
{
    const Working *w = user;
    Node *middle = n->kind == N_VAR ? map_get(&w->middle, n->sym->id) : NULL;
    return middle ? mk_cast(w->ir, n->type, middle) : n;
}

static Node *at_halfway(Working *w, Node *e) { return rewrite(&(Rewriter){.ir = w->ir, .post = halfway, .user = w}, e); }

typedef struct Known {
    const Working *w;
    bool yes;
} Known;

static bool search_unknown(void *user, Node *n)
{
    Known *k = user;
    if (n->kind == N_LOAD || n->kind == N_CALL || (n->kind == N_VAR && map_get(&k->w->changes, n->sym->id)))
        k->yes = false;
    return k->yes;
}

static bool is_known(const Working *w, Node *e)
{
    Known k = {w, true};
    walk(&(Walker){.pre = search_unknown, .user = &k}, e);
    return k.yes;
}

static bool looks_up(Node *access)
{
    for (int i = 0; i < access->sym->rank; i++)
        if (reads_array(access->kid[i], NULL))
            return true;
    return false;
}

static bool search_cost(void *user, Node *n)
{
    Working *w = user;
    if (n->kind == N_LOAD)
        w->once += WORK_ACCESS_NS + (looks_up(n) ? WORK_LOOKUP_NS : 0);
    else if (n->kind == N_CALL)
        w->once += WORK_CALL_NS;
    else if (is_expr(n))
        w->once += WORK_OPERATION_NS * kind_info[n->kind].cost;
    return true;
}

static double cost_of(Working *w, Node *e)
{
    w->once = 0;
    walk(&(Walker){.pre = search_cost, .user = w}, e);
    return w->once;
}

static Node *work_of(Working *w, Node *n);

/* Two loops of as many iterations are one; NULL: they are not. */
static Node *sum_of_loops(Ir *ir, Node *a, Node *b)
{
    if (a->kind != N_MUL || b->kind != N_MUL || a->kid[0] != b->kid[0] || a->kid[1]->kind != N_FLOAT || b->kid[1]->kind != N_FLOAT)
        return NULL;
    return mk_binary(ir, N_MUL, a->kid[0], number(ir, (double)a->kid[1]->u.f + (double)b->kid[1]->u.f));
}

static Node *sum(Ir *ir, Node *a, Node *b)
{
    if (a->kind == N_FLOAT && b->kind == N_FLOAT)
        return number(ir, (double)a->u.f + (double)b->u.f);
    Node *together = sum_of_loops(ir, a->kind == N_ADD ? a->kid[1] : a, b);
    if (together)
        return a->kind == N_ADD ? mk_binary(ir, N_ADD, a->kid[0], together) : together;
    return b->kind == N_FLOAT && b->u.f == 0 ? a : a->kind == N_FLOAT && a->u.f == 0 ? b : mk_binary(ir, N_ADD, a, b);
}

static Node *of_loop(Working *w, Node *n)
{
    Ir *ir = w->ir;
    Node *trips = trip_count_of_running(ir, n), *lo = at_halfway(w, widen(ir, n->kid[0]));
    trips = trips ? at_halfway(w, trips) : NULL;
    if (!trips || !is_known(w, trips) || !is_known(w, lo))
        trips = ix_int(ir, UNKNOWN);
    else
        *map_at(ir->arena, &w->middle, n->sym->id) = ix_add(ir, lo, ix_mul(ir, ix_div(ir, trips, ix_int(ir, 2)), ix_int(ir, n->u.i)));
    *map_at(ir->arena, &w->changes, n->sym->id) = n;
    return mk_binary(ir, N_MUL, mk_cast(ir, T_DOUBLE, trips), work_of(w, n->kid[2]));
}

static Node *work_of(Working *w, Node *n)
{
    Node *all = number(w->ir, 0);
    if (is_expr(n))
        return number(w->ir, cost_of(w, n));
    if (n->kind == N_FOR)
        return of_loop(w, n);
    if (n->kind == N_DECL || n->kind == N_ASSIGN)
        *map_at(w->ir->arena, &w->changes, n->sym->id) = n;
    if (n->kind == N_STORE)
        all = number(w->ir, WORK_ACCESS_NS + (looks_up(n) ? WORK_LOOKUP_NS : 0));
    for (int i = 0; i < n->nkids; i++)
        all = sum(w->ir, all, work_of(w, n->kid[i]));
    return all;
}

Node *loop_work(Ir *ir, Node *loop)
{
    Working w = {.ir = ir};
    return work_of(&w, loop);
}
