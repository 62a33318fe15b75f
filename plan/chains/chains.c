/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In every block the longest run of statements that has a window, with rows in the first, second or third loop. */
#include "plan/chains/chains.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/chains/chain_rows.h"
#include "plan/captures.h"
#include "plan/fitted.h"
#include "plan/nests/merge_loops.h"
#include "plan/nests/outputs.h"
#include "plan/producers.h"

typedef struct Chaining {
    Ir *ir;
    Plan *plan;
    const PlanOptions *opt;
    Vec chains;
} Chaining;

/* ---------------------------------------------------------------- runs */

static bool touches_window(const ChainRun *run, int i, const Vec *windows)
{
    for (int j = 0; j < windows->count; j++)
        if (chain_touches(run, i, ((const ChainWindow *)windows->items[j])->array))
            return true;
    return false;
}

/* Windows of single elements save nothing. */
static bool has_rows(Ir *ir, const Vec *windows)
{
    for (int i = 0; i < windows->count; i++)
        if (!poly_is(poly_of(ir, ((const ChainWindow *)windows->items[i])->row), 1))
            return true;
    return false;
}

/* Statements `at` and following of the block as a chain; false: there is none. */
static bool find_run(Chaining *c, const Node *block, int at, int nouter, ChainRun *run, Vec *windows)
{
    const char *why = NULL;
    *run = (ChainRun){.ir = c->ir, .plan = c->plan, .nouter = nouter};
    *windows = (Vec){0};
    while (at + run->n < block->nkids && chain_enter(run, block->kid[at + run->n])) {
        if (run->n == 1 || (chain_rows(run, windows, &why) && !meets_whole(c->plan, run->loop, run->n)))
            continue;
        if (why && c->opt->remarks)
            add_remark(c->ir, &c->plan->remarks, run->loop[run->n - 1]->loc, REMARK_MISSED, false,
                       arena_printf(c->ir->arena, "these loops are not row-tiled with those before: %s", why));
        run->n--;
        break;
    }
    while (run->n > 1 && chain_rows(run, windows, &why) && windows->count && !touches_window(run, run->n - 1, windows))
        run->n--;
    return run->n > 1 && has_rows(c->ir, windows) && touches_window(run, 0, windows);
}

/* ---------------------------------------------------------------- chains */

/* Does no other stage touch what the loops only store? */
static bool is_alone(const ChainRun *run, int at)
{
    const Vec stored = only_stored(run->ir, run->loop[at]);
    for (int i = 0; i < run->n; i++)
        for (int j = 0; j < stored.count && i != at; j++)
            if (chain_touches(run, i, stored.items[j]))
                return false;
    return true;
}

/* Does it read scalars that the operator's body computes? */
static bool is_handed_any(Ir *ir, const Chain *chain)
{
    Captures captures = {.ir = ir};
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        Node *const numbers[] = {s->when, s->first, s->rows, s->per_row, s->work, s->again};
        if (s->product)
            capture_all(&captures, s->product->captured, s->product->ncaptured);
        if (s->nest)
            capture_all(&captures, s->nest->captured, s->nest->ncaptured);
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
            capture_used(&captures, numbers[j]);
    }
    capture_used(&captures, chain->outer);
    return captures.found.count > 0;
}

static const char *window_names(Ir *ir, const Chain *chain)
{
    const char *names = "";
    for (int i = 0; i < chain->nwindows; i++)
        names = arena_printf(ir->arena, "%s%s%s", names,
                             i == 0                    ? ""
                             : i < chain->nwindows - 1 ? ", "
                                                       : " and ",
                             chain->windows[i].array->name);
    return names;
}

/* ---------------------------------------------------------------- costs */

static Node *real(Ir *ir, Node *n) { return mk_cast(ir, T_DOUBLE, n); }

static Node *times(Ir *ir, Node *a, Node *b) { return mk_binary(ir, N_MUL, a, b); }

/* Nanoseconds of a product. */
static Node *product_work(Ir *ir, const Contraction *c)
{
    Node *work = mk_float(ir, T_DOUBLE, WORK_MULTIPLY_ADD_NS);
    for (int role = R_BATCH; role < R_COUNT; role++)
        work = times(ir, real(ir, c->extent[role]), work);
    return work;
}

/* Bytes of the operand that all rows are multiplied with. */
static Node *product_again(Ir *ir, const Contraction *c)
{
    return times(ir, times(ir, mk_float(ir, T_DOUBLE, type_bytes(c->elem)), real(ir, c->extent[R_N])), real(ir, c->extent[R_K]));
}

static Node *window_bytes(Ir *ir, const Chain *chain, bool moved)
{
    Node *sum = NULL;
    for (int i = 0; i < chain->nwindows; i++) {
        const ChainWindow *w = &chain->windows[i];
        Node *bytes = times(ir, mk_float(ir, T_DOUBLE, type_bytes(w->array->type) * (moved ? w->touched : 1)), real(ir, w->row));
        sum = sum ? mk_binary(ir, N_ADD, sum, bytes) : bytes;
    }
    return sum;
}

/* NULL: it cannot be one. */
static Node *chained(Chaining *c, const ChainRun *run, const Vec *windows)
{
    Ir *ir = c->ir;
    Chain *chain = arena_alloc(ir->arena, sizeof *chain);
    *chain = (Chain){.nstages = run->n, .nwindows = windows->count, .around = run->nouter};
    for (int i = 0; i < run->nouter; i++)
        chain->outer = chain->outer ? ix_mul(ir, chain->outer, run->extent[i]) : run->extent[i];
    chain->stem = arena_printf(ir->arena, "%s_chain%d", c->plan->func->name, c->chains.count + 1);
    chain->stages = arena_new_array(ir->arena, ChainStage, run->n);
    chain->members = arena_new_array(ir->arena, Stage *, run->n);
    chain->nmembers = run->n;
    for (int i = 0; i < run->n; i++) {
        chain->stages[i] = run->stage[i];
        chain->members[i] = run->stage[i].product ? &run->stage[i].product->stage : &run->stage[i].nest->stage;
        chain->stages[i].alone = is_alone(run, i);
        Contraction *product = run->stage[i].product;
        chain->stages[i].work = product ? product_work(ir, product) : run->stage[i].nest->costs.work;
        chain->stages[i].again = product ? product_again(ir, product) : NULL;
    }
    chain->loc = chain->members[0]->loc;
    chain->windows = arena_new_array(ir->arena, ChainWindow, windows->count);
    for (int i = 0; i < windows->count; i++)
        chain->windows[i] = *(const ChainWindow *)windows->items[i];
    chain->window_names = window_names(ir, chain);
    chain->row_bytes = window_bytes(ir, chain, false);
    chain->moved = window_bytes(ir, chain, true);
    if (is_handed_any(ir, chain)) /* how it runs is decided before the body computes scalars */
        return NULL;
    for (int i = 0; i < run->n; i++) {
        if (run->stage[i].product)
            run->stage[i].product->with.in_chain = true;
        if (run->stage[i].nest && run->nouter == 2)
            merge_outer_loops(ir, run->stage[i].nest);
    }
    note_by_rows(c->plan, run->loop, run->n);
    vec_push(ir->arena, &c->chains, chain);
    if (c->opt->remarks)
        add_remark(ir, &c->plan->remarks, chain->loc, REMARK_OPTIMIZED, false,
                   arena_printf(ir->arena, "the loops from here on may be row-tiled; then only the rows of a tile exist of %s",
                                chain->window_names));
    return mk_launch_of(ir, STAGE_CHAIN, c->chains.count - 1, 0, NULL, chain->loc);
}

/* ---------------------------------------------------------------- statements */

static Node *in_chains(Chaining *c, Node *n);

static Node *block_in_chains(Chaining *c, Node *n)
{
    Ir *ir = c->ir;
    Vec out = {0};
    for (int i = 0; i < n->nkids;) {
        ChainRun run[CHAIN_OUTER + 1];
        Vec windows[CHAIN_OUTER + 1];
        int best = -1;
        static const int order[] = {1, 0, 2}; /* among equally long ones */
        for (int j = 0; j <= CHAIN_OUTER; j++) {
            const int nouter = order[j];
            if (find_run(c, n, i, nouter, &run[nouter], &windows[nouter]) && (best < 0 || run[nouter].n > run[best].n))
                best = nouter;
        }
        Node *chain = best >= 0 ? chained(c, &run[best], &windows[best]) : NULL;
        vec_push(ir->arena, &out, chain ? chain : in_chains(c, n->kid[i]));
        i += chain ? run[best].n : 1;
    }
    return mk_block(ir, out.count, (Node **)out.items, n->loc);
}

static Node *in_chains(Chaining *c, Node *n)
{
    if (n->kind == N_BLOCK)
        return block_in_chains(c, n);
    if (n->kind != N_FOR && n->kind != N_IF)
        return n;
    Node *kids[3];
    for (int i = 0; i < n->nkids; i++)
        kids[i] = in_chains(c, n->kid[i]);
    return with_kids(c->ir, n, n->nkids, kids);
}

void make_chains(Ir *ir, Plan *plan, const PlanOptions *opt)
{
    Chaining c = {.ir = ir, .plan = plan, .opt = opt};
    if (plan->ntemporaries)
        plan->func->body = in_chains(&c, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_CHAIN, &c.chains);
}
