/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the planned body, and says of each nest what it became or the first thing that was in the way. */
#include "plan/contract/remarks.h"

#include <string.h>

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/add_remark.h"

const char remark_of_small[] = "these loops run in the contraction's place for products of a handful of multiplications";

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
                                       [EPI_GENERAL] = "what is done with the sums is part of it"};
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

static void remark_nest(Remarking *r, Node *loop)
{
    Ir *ir = r->context.ir;
    Missed missed = MISSED_FORM;
    r->context.missed = &missed;
    const Contraction *c = map_contraction(&r->context, r->opt, loop);
    if (c && c->leaves_small) {
        remark(r, loop->loc, REMARK_OPTIMIZED, true, remark_of_small);
        return;
    }
    if (!c && r->instead)
        remark(r, loop->loc, REMARK_OPTIMIZED, true, "these loops run in the contractions' place for few rows");
    else if (c)
        remark(r, loop->loc, REMARK_MISSED, true,
               "not always a contraction: these loops run where the extents make it no product, or one that does not pay");
    else
        remark(r, loop->loc, REMARK_MISSED, true, arena_printf(ir->arena, "not a contraction: %s", missed_text(missed)));
    if (!r->opt->remarks)
        return;
    remark_loop(r, loop);
}

static void remark_stmt(Remarking *r, Node *n)
{
    if (n->kind == N_CONTRACT) {
        const Contraction *c = r->plan->contractions[n->u.i];
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
