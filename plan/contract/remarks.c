/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the planned body, and says of each nest what it became or the first thing that was in the way. */
#include "plan/contract/remarks.h"

#include <string.h>

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/add_remark.h"

const char remark_of_small[] = "these loops run in the contraction's place for small GEMMs";

typedef struct Remarking {
    NestContext context;
    const PlanOptions *opt;
    Plan *plan;
    bool instead; /* of contractions, elsewhere than these */
} Remarking;

static void remark(Remarking *r, Loc loc, RemarkKind kind, bool is_of_nest, const char *text)
{
    add_remark(r->context.ir, &r->plan->remarks, loc, kind, is_of_nest, text);
}

/* ---------------------------------------------------------------- contractions */

static const char *loops_of(Ir *ir, const Contraction *c, Role role)
{
    const char *names = "";
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == role)
            names = arena_printf(ir->arena, "%s%s%s", names, *names ? ", " : "", c->dims[i].var->name);
    return *names ? names : "none";
}

const char *contraction_words(Ir *ir, const Contraction *c)
{
    static const char *const ends[] = {[EPI_STORE] = "the sums are stored",
                                       [EPI_ACCUMULATE] = "the sums are added to the output",
                                       [EPI_GENERAL] = "the epilogue is part of it"};
    const bool batches = strcmp(loops_of(ir, c, R_BATCH), "none") != 0;
    return arena_printf(ir->arena, "contraction: %s%srows over %s, columns over %s, sums over %s; %s", batches ? "a batch over " : "",
                        batches ? arena_printf(ir->arena, "%s, ", loops_of(ir, c, R_BATCH)) : "", loops_of(ir, c, R_M),
                        loops_of(ir, c, R_N), loops_of(ir, c, R_K), ends[c->kind]);
}

/* ---------------------------------------------------------------- loops */

static bool find_kind(void *user, Node *n)
{
    Kind *kind = user;
    if ((Kind)n->kind == *kind)
        *kind = N_NONE;
    return *kind != N_NONE && !is_expr(n);
}

/* Is there a statement of this kind below it? */
static bool holds(Node *n, Kind kind)
{
    for (int i = 0; i < n->nkids && kind != N_NONE; i++)
        if (!is_expr(n->kid[i]))
            walk(&(Walker){.pre = find_kind, .user = &kind}, n->kid[i]);
    return kind == N_NONE;
}

static void remark_loop(Remarking *r, Node *loop);

static void remark_loops_in(Remarking *r, Node *n)
{
    if (n->kind == N_FOR) {
        remark_loop(r, n);
        return;
    }
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            remark_loops_in(r, n->kid[i]);
}

static void remark_loop(Remarking *r, Node *loop)
{
    Ir *ir = r->context.ir;
    Carried why;
    Vec found = {0};
    const char *because = NULL;
    if (loop_is_ordered(ir, loop, &why) && !loop_is_unordered(ir, loop, r->opt->fp_strict)) {
        if (why.scalar)
            find_reductions(ir, loop, r->opt->fp_strict, &found, &because);
        remark(r, loop->loc, REMARK_MISSED, false,
               arena_printf(ir->arena, "loop %s runs in order: %s", loop->sym->name, because ? because : carried_text(ir, &why)));
    }
    remark_loops_in(r, loop->kid[2]);
}

/* ---------------------------------------------------------------- nests */

typedef struct Product {
    Ir *ir;
    Vec loops; /* N_FOR, outermost first */
    const Node *inner;
} Product;

static bool lacks_one(const Product *p, Node *factor, const Node *except, const Node **which)
{
    for (int i = 0; i < p->loops.count - 1; i++) {
        const Node *loop = p->loops.items[i];
        if (loop != except && !uses_sym(factor, loop->sym)) {
            *which = loop;
            return true;
        }
    }
    return false;
}

/* Two factors that are read from memory, each moved by a loop that does not move the other one. */
static bool multiplies(const Product *p, Node *e)
{
    const Node *first, *second;
    while (e->kind == N_CAST)
        e = e->kid[0];
    const Node *inner = p->loops.items[p->loops.count - 1];
    if (e->kind == N_ADD || e->kind == N_SUB)
        return multiplies(p, e->kid[0]) || multiplies(p, e->kid[1]);
    if (e->kind != N_MUL || !reads_array(e->kid[0], NULL) || !reads_array(e->kid[1], NULL))
        return false;
    return uses_sym(e->kid[0], inner->sym) && uses_sym(e->kid[1], inner->sym) && lacks_one(p, e->kid[0], NULL, &first) &&
           lacks_one(p, e->kid[1], first, &second) && uses_sym(e->kid[0], second->sym) && uses_sym(e->kid[1], first->sym);
}

static void find_product(Product *p, Node *n)
{
    if (n->kind == N_FOR)
        vec_push(p->ir->scratch, &p->loops, n);
    if ((n->kind == N_ASSIGN || n->kind == N_STORE) && p->loops.count >= 3 && multiplies(p, stmt_value(n)))
        p->inner = p->loops.items[p->loops.count - 1];
    for (int i = 0; i < n->nkids && !p->inner; i++)
        if (!is_expr(n->kid[i]))
            find_product(p, n->kid[i]);
    if (n->kind == N_FOR)
        p->loops.count--;
}

/* Reasons that are no choice of the user or of the planner. */
static bool is_fallback(Missed missed)
{
    return missed != MISSED_STRICT && missed != MISSED_SMALL && missed != MISSED_PACKING && missed != MISSED_REST &&
           missed != MISSED_LAUNCH && missed != MISSED_TRIANGLE && missed != MISSED_NO_SUM;
}

typedef struct Types {
    Ir *ir;
    const Node *sum;
    const char *names;
} Types;

static bool note_type(void *user, Node *n)
{
    Types *t = user;
    const char *name = n->kind == N_LOAD ? type_spec_name(n->sym->type) : NULL;
    if (name && !strstr(t->names, name))
        t->names = arena_printf(t->ir->arena, "%s%s%s", t->names, *t->names ? " and " : "", name);
    return true;
}

static bool find_sum(void *user, Node *n)
{
    Types *t = user;
    if ((n->kind == N_ASSIGN || n->kind == N_STORE) && uses_sym(stmt_value(n), n->sym))
        t->sum = t->sum ? t->sum : n;
    return !is_expr(n);
}

/* The reason, of types with their names: "...: int32_t, of uint8_t and float". */
static const char *reason(Ir *ir, Node *loop, Missed missed)
{
    Types t = {.ir = ir, .names = ""};
    if (missed == MISSED_TYPE || missed == MISSED_WIDE)
        walk(&(Walker){.pre = find_sum, .user = &t}, loop);
    if (!t.sum)
        return missed_text(missed);
    walk(&(Walker){.pre = note_type, .user = &t}, stmt_value(t.sum));
    return arena_printf(ir->arena, "%s: %s, of products of %s", missed_text(missed), type_spec_name(t.sum->sym->type), t.names);
}

/* A matrix product that no micro-kernel takes. */
static void note_fallback(Remarking *r, Node *loop, Missed missed)
{
    Ir *ir = r->context.ir;
    Product p = {.ir = ir};
    if (is_fallback(missed))
        find_product(&p, loop);
    if (!p.inner)
        return;
    Fallback *f = arena_alloc(ir->arena, sizeof *f);
    *f = (Fallback){loop->loc, p.inner->loc.beg, "this GEMM has no micro-kernels, its loops run as they are", reason(ir, loop, missed),
                    missed_cure(missed)};
    vec_push(ir->arena, &r->plan->fallbacks, f);
}

static void remark_nest(Remarking *r, Node *loop)
{
    Ir *ir = r->context.ir;
    Missed missed = MISSED_FORM;
    r->context.missed = &missed;
    const Contraction *c = map_contraction(&r->context, r->opt, loop);
    if (!c && !r->instead)
        note_fallback(r, loop, missed);
    if (r->opt->cuda)
        return;
    if (c && c->applies.leaves_small) {
        remark(r, loop->loc, REMARK_OPTIMIZED, true, remark_of_small);
        return;
    }
    if (!c && r->instead)
        remark(r, loop->loc, REMARK_OPTIMIZED, true, "these loops run in the contractions' place for few rows");
    else if (c)
        remark(r, loop->loc, REMARK_MISSED, true,
               "not always a contraction: these loops run for extents that make it no GEMM, or one that does not pay");
    else
        remark(r, loop->loc, REMARK_MISSED, true, arena_printf(ir->arena, "not a contraction: %s", reason(ir, loop, missed)));
    if (!r->opt->remarks)
        return;
    remark_loop(r, loop);
}

static void remark_stmt(Remarking *r, Node *n)
{
    if (n->kind == N_CONTRACT) {
        const Contraction *c = contraction_at(r->plan, n->u.i);
        if (!r->opt->cuda)
            remark(r, c->loc, REMARK_OPTIMIZED, true, contraction_words(r->context.ir, c));
        return;
    }
    if (n->kind == N_FOR && !holds(n, N_CONTRACT)) {
        remark_nest(r, n);
        return;
    }
    for (int i = 0; i < n->nkids; i++) {
        r->instead = n->kind == N_IF && i == 2 && holds(n, N_CONTRACT);
        if (!is_expr(n->kid[i]))
            remark_stmt(r, n->kid[i]);
    }
    r->instead = false;
}

void remark_nests(const NestContext *context, const PlanOptions *opt, Plan *plan, Node *body)
{
    Remarking r = {*context, opt, plan, false};
    remark_stmt(&r, body);
}
