/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages: how often a call computes a contraction that stands in loops or under conditions. */
#include "depend/index.h"
#include "depend/parallel.h"
#include "emit/stage.h"
#include "ir/walk.h"

/* What stands around the contraction, as far as it has been looked for, from outside in. */
typedef struct Around {
    const Contraction *c;
    Vec factors; /* Node *: how often a loop runs, NULL where nobody can tell; of a condition 1 or 0 */
    Vec values;  /* Node *: declarations of constants in front of it */
    int loops;
    bool found;
} Around;

static void look(Ir *ir, Around *a, Node *n);

/* Whether the contraction is in `n`, which runs so often as `factor` says. */
static void look_in(Ir *ir, Around *a, Node *n, Node *factor, bool is_loop)
{
    const int factors = a->factors.count;
    vec_push(ir->arena, &a->factors, factor);
    a->loops += is_loop;
    look(ir, a, n);
    if (a->found)
        return;
    a->factors.count = factors;
    a->loops -= is_loop;
}

static void look(Ir *ir, Around *a, Node *n)
{
    if (n->kind == N_CONTRACT)
        a->found = n->u.i == a->c->index;
    else if (n->kind == N_DECL && n->sym->is_const && n->nkids == 1)
        vec_push(ir->arena, &a->values, n);
    else if (is_loop(n))
        look_in(ir, a, loop_body(n), n->kind == N_FOR ? trip_count(ir, n) : NULL, true);
    else if (n->kind == N_IF)
        for (int i = 1; i < n->nkids && !a->found; i++)
            look_in(ir, a, n->kid[i], mk_select(ir, n->kid[0], ix_int(ir, i == 1), ix_int(ir, i != 1)), false);
    else
        for (int i = 0; i < n->nkids && !a->found; i++)
            if (!is_expr(n->kid[i]))
                look(ir, a, n->kid[i]);
}

/* The expression with constants that the operator computes in front replaced by what they are. */
static Node *in_full(Ir *ir, const Around *a, Node *e)
{
    for (int i = a->values.count - 1; i >= 0; i--) {
        const Node *value = a->values.items[i];
        e = substitute(ir, e, value->sym, value->kid[0]);
    }
    return e;
}

/* Does nothing but the call's integers decide the expression? */
static bool is_of_call(const Func *f, Node *n)
{
    bool all = n->kind != N_LOAD && n->kind != N_CALL;
    if (n->kind == N_VAR) {
        all = false;
        for (int i = 0; i < f->nparams; i++)
            all |= f->params[i] == n->sym && !n->sym->rank;
    }
    for (int i = 0; all && i < n->nkids; i++)
        all = !n->kid[i] || is_of_call(f, n->kid[i]);
    return all;
}

json_t *stage_times(const StageInput *in, bool *repeats, bool *varies)
{
    Ir *ir = in->ir;
    const Func *f = in->plan->func;
    Around a = {.c = in->contraction};
    look(ir, &a, f->body);
    *varies = false;
    *repeats = a.found && a.loops > 0;
    if (!a.found || a.factors.count == 0)
        return NULL;
    for (int role = 0; role < R_COUNT; role++)
        *varies |= !is_of_call(f, in_full(ir, &a, in->contraction->extent[role]));
    Node **factors = arena_new_array(ir->arena, Node *, a.factors.count);
    bool known = true;
    for (int i = 0; i < a.factors.count && known; i++) {
        factors[i] = a.factors.items[i] ? in_full(ir, &a, a.factors.items[i]) : NULL;
        known = factors[i] && is_of_call(f, factors[i]);
    }
    FunctionSpec spec = {.qualifiers = "static", .result = "double", .also = factors, .nalso = known ? a.factors.count : 0};
    Text body;
    FunctionText t = stage_begin(in, &spec, "times", "", &body);
    text_puts(&body, "    return ");
    for (int i = 0; known && i < a.factors.count; i++)
        text_printf(&body, "%s(double)(%s)", i ? " * " : "", emit_expr(&t.emitter, factors[i]));
    text_puts(&body, known ? ";\n" : "-1;\n");
    return function_finish(&t, body.data, NULL);
}
