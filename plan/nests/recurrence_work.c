/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles are those of x86 cores of today, which differ little in these. */
#include "plan/nests/recurrence_work.h"

#include "depend/poly.h"
#include "ir/libm.h"
#include "ir/walk.h"

enum {
    DIVISION = 6,
    EXTREME = 20,  /* a call of fmax, which compilers may not replace by an instruction */
    FUNCTION = 40, /* of others of <math.h> */
    LATENCY = 4,   /* of a floating-point operation, */
    LONG_LATENCY = 13
};

/* ---------------------------------------------------------------- work */

static double operation(const Node *e)
{
    if ((Type)e->type == T_INDEX)
        return 0;
    switch ((Kind)e->kind) {
    case N_INT:
    case N_FLOAT:
    case N_VAR:
    case N_REF: return 0;
    case N_CALL: return is_extreme(e->sym) ? EXTREME : is_quick_function(e->sym) ? DIVISION : FUNCTION;
    case N_DIV:
    case N_MOD: return DIVISION;
    case N_CAST: return type_is_float((Type)e->type) != type_is_float((Type)e->kid[0]->type);
    default: return 1;
    }
}

typedef struct Work {
    const Node *loop;
    double sum;
} Work;

static bool is_change(void *user, Node *n)
{
    const Node *loop = user;
    return (n->kind == N_VAR || n->kind == N_LOAD) && (n->sym == loop->sym || writes_sym(loop->kid[2], n->sym));
}

static bool add_operations(void *user, Node *n)
{
    Work *w = user;
    if (is_expr(n) && !any_node(n, is_change, (void *)w->loop))
        return false;
    w->sum += is_expr(n) ? operation(n) : n->kind == N_STORE;
    return true;
}

double operations(const Node *loop, Node *n)
{
    Work w = {.loop = loop};
    walk(&(Walker){.pre = add_operations, .user = &w}, n);
    return w.sum;
}

/* ---------------------------------------------------------------- latency */

static double cycles(const Node *e)
{
    const bool is_float = type_is_float((Type)e->type);
    switch ((Kind)e->kind) {
    case N_CALL: return is_quick_function(e->sym) || is_extreme(e->sym) ? LONG_LATENCY : FUNCTION;
    case N_DIV:
    case N_MOD: return LONG_LATENCY;
    case N_MUL: return is_float ? LATENCY : LATENCY - 1;
    case N_ADD:
    case N_SUB: return is_float ? LATENCY : 1;
    case N_LOAD: return LATENCY + 1;
    case N_CAST: return operation(e) * LATENCY;
    default: return 1;
    }
}

/* Cycles from the begin of an iteration, which is 1, until an expression has its value; 0: it does not wait for a carried scalar. */
static double ready_at(const Map *ready, Node *e)
{
    if (e->kind == N_VAR) {
        const double *known = map_get(ready, e->sym->id);
        return known ? *known : 0;
    }
    double latest = 0;
    for (int i = 0; i < e->nkids; i++) {
        const double kid = ready_at(ready, e->kid[i]);
        latest = kid > latest ? kid : latest;
    }
    return latest > 0 ? latest + cycles(e) : 0;
}

static void assign(Ir *ir, Map *ready, const Sym *sym, double at)
{
    double **known = (double **)map_at(ir->arena, ready, sym->id);
    if (!*known)
        *known = arena_alloc(ir->arena, sizeof **known);
    **known = at;
}

static void note_statement(Ir *ir, Map *ready, Node *stmt)
{
    if (is_expr(stmt))
        return;
    if ((stmt->kind == N_DECL || stmt->kind == N_ASSIGN) && stmt->nkids)
        assign(ir, ready, stmt->sym, ready_at(ready, stmt_value(stmt)));
    for (int i = 0; i < stmt->nkids; i++)
        note_statement(ir, ready, stmt->kid[i]);
}

double carried_latency(Ir *ir, Node *const *stmts, int nstmts, Sym *const *carried, int ncarried)
{
    Map ready = {0};
    double latest = 1;
    for (int i = 0; i < ncarried; i++)
        assign(ir, &ready, carried[i], 1);
    for (int i = 0; i < nstmts; i++)
        note_statement(ir, &ready, stmts[i]);
    for (int i = 0; i < ncarried; i++) {
        const double *known = map_get(&ready, carried[i]->id);
        latest = *known > latest ? *known : latest;
    }
    return latest - 1;
}

/* ---------------------------------------------------------------- memory */

typedef struct Along {
    Ir *ir;
    Sym *var;
    bool fits;
} Along;

static bool look_at(void *user, Node *n)
{
    Along *a = user;
    a->fits = a->fits && n->kind != N_FOR && n->kind != N_CONTRACT && n->kind != N_LAUNCH;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return a->fits;
    for (int d = 0; d < n->sym->rank && a->fits; d++) {
        Poly *coef, *rest;
        int64_t step;
        a->fits = !reads_array(n->kid[d], NULL) && poly_affine(a->ir, poly_of(a->ir, n->kid[d]), &a->var, 1, &coef, &rest) &&
                  poly_const(coef, &step) && (step == 0 || (d == n->sym->rank - 1 && (step == 1 || step == -1)));
    }
    return a->fits;
}

bool is_along(Ir *ir, Sym *var, Node *stmt)
{
    Along a = {ir, var, true};
    walk(&(Walker){.pre = look_at, .user = &a}, stmt);
    return a.fits;
}
