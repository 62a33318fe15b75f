/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operator: its contractions in the place of their nests, local arrays that move to the workspace, which arrays it uses. */
#include "plan/split/operator.h"

#include "depend/env.h"
#include "depend/linear.h"
#include "depend/scope.h"
#include "ir/walk.h"
#include "plan/callers.h"
#include "plan/split/distribute.h"
#include "plan/split/ragged_loops.h"
#include "plan/contract/remarks.h"
#include "plan/split/running_sums.h"
#include "plan/stack.h"
#include "plan/contract/replace.h"

/* ---------------------------------------------------------------- local arrays */

enum { MAX_OF_THREAD = 4096 }; /* CUDA: bytes; a larger local array lives in the workspace */

typedef struct Arrays {
    Ir *ir;
    bool *shared; /* per symbol id: a contraction's hooks reach it */
    int64_t most; /* bytes of an array that may stay on the stack, */
    int64_t left; /* and of all that do so together */
    Vec moved;
} Arrays;

static bool note_array(void *user, Node *n)
{
    Arrays *a = user;
    if (n->kind == N_LOAD || n->kind == N_STORE)
        a->shared[n->sym->id] = true;
    return true;
}

/* Takes the array's bytes from those that are left, if there are as many. */
static bool fits_stack(Arrays *a, const Sym *array)
{
    const Node *elements = array_elements(a->ir, array);
    const int64_t most = a->left < a->most ? a->left : a->most;
    if (elements->kind != N_INT || elements->u.i > most / type_bytes(array->type))
        return false;
    a->left -= elements->u.i * type_bytes(array->type);
    return true;
}

static Node *move_array(void *user, Node *n)
{
    Arrays *a = user;
    if (n->kind != N_DECL || n->sym->rank == 0)
        return n;
    if (!a->shared[n->sym->id] && fits_stack(a, n->sym))
        return n;
    vec_push(a->ir->arena, &a->moved, n->sym);
    return NULL;
}

static void walk_contraction(const Walker *w, const Contraction *c)
{
    walk(w, c->a.value);
    walk(w, c->b.value);
    walk(w, c->epilogue);
}

/* Local arrays that are large, of unknown size, or used by hooks lose their declarations. Wherever one stood:
 * its contents are indeterminate every time its declaration is reached, so one array for the whole call will
 * do. */
static Node *move_arrays(Ir *ir, Plan *plan, const PlanOptions *opt, Node *body)
{
    Arrays a = {.ir = ir, .shared = arena_new_array(ir->arena, bool, ir->nsyms + 1)};
    /* A thread of a GPU has arrays of its own, and no stack to speak of. */
    a.most = opt->cuda ? MAX_OF_THREAD : stack_arrays(opt->stack, contraction_count(plan) > 0);
    a.left = opt->cuda ? INT64_MAX : a.most;
    for (int i = 0; i < contraction_count(plan); i++)
        walk_contraction(&(Walker){.pre = note_array, .user = &a}, contraction_at(plan, i));
    body = rewrite(&(Rewriter){.ir = ir, .post = move_array, .user = &a}, body);
    plan->ntemporaries = a.moved.count;
    plan->temporaries = arena_new_array(ir->arena, Temporary, a.moved.count);
    for (int i = 0; i < a.moved.count; i++)
        plan->temporaries[i] = (Temporary){a.moved.items[i], array_elements(ir, a.moved.items[i])};
    return body;
}

/* ---------------------------------------------------------------- what is read and written */

typedef struct Usage {
    bool *reads, *writes; /* per symbol id */
} Usage;

static bool note_usage(void *user, Node *n)
{
    Usage *u = user;
    if (n->kind == N_LOAD)
        u->reads[n->sym->id] = true;
    if (n->kind == N_STORE)
        u->writes[n->sym->id] = true;
    return true;
}

static void note_parameters(Ir *ir, Plan *plan, Node *body)
{
    Usage u = {arena_new_array(ir->arena, bool, ir->nsyms + 1), arena_new_array(ir->arena, bool, ir->nsyms + 1)};
    Walker w = {.pre = note_usage, .user = &u};
    walk(&w, body);
    for (int i = 0; i < contraction_count(plan); i++)
        walk_contraction(&w, contraction_at(plan, i));
    find_callers(ir, plan, u.reads, u.writes);
}

/* ---------------------------------------------------------------- */

/* A version of an operator on its way through the steps of plan/passes.def. */
typedef struct Planner {
    Ir *ir;
    Func *func;
    const PlanOptions *opt;
    Plan *plan;
    Vec rest;   /* NestContext.rest, */
    Vec ragged; /* and .ragged */
    Vec found;  /* Contraction * */
} Planner;

static NestContext context_of(const Planner *p, Node *body)
{
    return (NestContext){
        .ir = p->ir, .func = p->func, .ndefs = p->ir->nsyms, .defs = find_defs(p->ir, body), .rest = p->rest, .ragged = p->ragged};
}

static Node *block_recurrences(Planner *p, Node *body)
{
    const NestContext context = context_of(p, body);
    return cut_running_sums(&context, p->opt, p->plan, body, &p->rest);
}

static Node *distribute_loops(Planner *p, Node *body)
{
    NestContext context = context_of(p, body);
    if (p->opt->cuda)
        context.ragged = p->ragged = find_ragged_loops(&context, p->opt, body);
    return distribute(&context, p->opt, &p->rest, body);
}

/* mlp alone, or mlp_s1, mlp_s2 ... */
static const char *stem_of(Ir *ir, const Func *f, int index, int count)
{
    return count == 1 ? f->name : arena_printf(ir->arena, "%s_s%d", f->name, index + 1);
}

static Node *replace_nests(Planner *p, Node *body)
{
    const NestContext context = context_of(p, body);
    Plan *plan = p->plan;
    body = replace_contractions(&context, p->opt, body, &p->found);
    set_stages(p->ir->arena, &plan->stages, STAGE_CONTRACTION, &p->found);
    remark_nests(&context, p->opt, plan, body);
    for (int i = 0; i < p->found.count; i++)
        contraction_at(plan, i)->stem = stem_of(p->ir, p->func, i, p->found.count);
    return body;
}

#define PLAN_STEP(name, code, what) \
    static Node *step_##name(Planner *p, Node *body) \
    { \
        Ir *ir = p->ir; \
        (void)ir, (void)body; \
        return code; \
    }
#include "plan/passes.def"

static const struct PlanStep {
    const char *name;
    Node *(*run)(Planner *, Node *);
} steps[] = {
#define PLAN_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

Plan *plan_operator(Ir *ir, Func *f, const PlanOptions *opt)
{
    Planner p = {.ir = ir, .func = f, .opt = opt, .plan = arena_alloc(ir->arena, sizeof *p.plan)};
    p.plan->func = f;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        f->body = steps[i].run(&p, f->body);
        watch_step(ir, opt->watch, steps[i].name, f, 0);
    }
    note_parameters(ir, p.plan, f->body);
    return p.plan;
}
