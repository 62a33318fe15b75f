/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products are told by their loops' roles: rows are folded into R_M, outermost first. */
#include "plan/chains/chain_stage.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/iteration_limit.h"
#include "plan/nests/merge_loops.h"

static bool same(Ir *ir, Node *a, Node *b) { return poly_equal(poly_of(ir, a), poly_of(ir, b)); }

/* A stage while it is being looked at. */
typedef struct Entry {
    ChainStage stage;
    Sym *outer_var[CHAIN_OUTER];
    Node *outer[CHAIN_OUTER]; /* iterations of their loops */
    Node *loop;
} Entry;

/* ---------------------------------------------------------------- products */

/* The operands' loads and the epilogue in all loops but the row's and those around. */
static Node *product_loops(Ir *ir, const Contraction *c, const LoopDim *row, const LoopDim *outer, int nouter)
{
    Node *values[] = {c->a.value, c->b.value}, *decls[2];
    for (int i = 0; i < 2; i++)
        decls[i] = mk_decl(ir, sym_new(ir, S_LOCAL, (Type)values[i]->type, "x", c->loc), values[i], c->loc);
    Node *body = mk_block(ir, 2, decls, c->loc);
    for (int role = R_K; role >= R_BATCH; role--) {
        if (role == R_K - 1) {
            Node *both[] = {body, c->epilogue};
            body = mk_block(ir, 2, both, c->loc);
        }
        for (int i = c->ndims - 1; i >= 0; i--) {
            const LoopDim *d = &c->dims[i];
            if ((int)d->role != role || d == row || (nouter && d >= outer && d < outer + nouter))
                continue;
            Node *end = mk_cast(ir, d->var->type, ix_add(ir, widen(ir, d->lo), ix_mul(ir, d->extent, ix_int(ir, d->step))));
            body = mk_for(ir, d->var, d->lo, mk_binary(ir, N_LT, mk_var(ir, d->var), end), d->step, body, true, c->loc);
        }
    }
    Node *end = mk_cast(ir, row->var->type, ix_add(ir, widen(ir, row->lo), row->extent));
    return mk_for(ir, row->var, row->lo, mk_binary(ir, N_LT, mk_var(ir, row->var), end), 1, body, true, c->loc);
}

static int dims_of(const Contraction *c, Role role, const LoopDim **first)
{
    int n = 0;
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == role && n++ == 0)
            *first = &c->dims[i];
    return n;
}

static bool counts_up(const LoopDim *d) { return d->step >= 1; }

/* How many iterations of the only loop of a role, from 0 by 1, the condition lets through in the first row, if that grows by one from row to
 * row; NULL: it does not. */
static Node *reach_in_row(Ir *ir, const Contraction *c, Role role, const Node *condition, const LoopDim *row)
{
    const LoopDim *d = NULL;
    if (!condition || dims_of(c, role, &d) != 1 || d->step != 1 || !is_int(d->lo, 0))
        return NULL;
    Node *reach = reach_of(ir, condition, d->var);
    const Poly *rest = reach ? poly_sub(ir, poly_of(ir, reach), poly_of(ir, mk_var(ir, row->var))) : NULL;
    for (int i = 0; rest && i < c->ndims; i++)
        if (poly_uses(rest, c->dims[i].var))
            return NULL;
    return rest ? ix_add(ir, poly_node(ir, rest), widen(ir, row->lo)) : NULL;
}

static bool enter_product(const ChainRun *run, Contraction *c, Entry *e)
{
    Ir *ir = run->ir;
    const LoopDim *batch = NULL, *m = NULL, *row, *outer;
    const int nbatch = dims_of(c, R_BATCH, &batch), nm = dims_of(c, R_M, &m);
    const bool outer_in_m = run->nouter == 1 && !nbatch;
    for (int i = 0; i < c->ndims; i++)
        if (!counts_up(&c->dims[i]))
            return false;
    if (c->applies.otherwise || c->applies.is_otherwise || run->nouter != nbatch + outer_in_m || nm < 1 + outer_in_m)
        return false;
    outer = outer_in_m ? m : batch;
    row = m + outer_in_m;
    if (row->step != 1)
        return false;
    for (int i = 0; i < run->nouter; i++) {
        if (outer[i].step != 1 || !is_int(outer[i].lo, 0))
            return false;
        e->outer_var[i] = outer[i].var;
        e->outer[i] = outer[i].extent;
    }
    e->stage = (ChainStage){.product = c, .first = widen(ir, row->lo), .rows = row->extent, .per_row = ix_int(ir, 1), .folded = outer_in_m};
    Node *stored, *read;
    if (stored_last(ir, c, &stored, NULL))
        e->stage.columns = reach_in_row(ir, c, R_N, stored, row);
    if (loaded_factor(c, &read))
        e->stage.steps = reach_in_row(ir, c, R_K, read, row);
    for (const LoopDim *d = row + 1; d < m + nm; d++)
        e->stage.per_row = ix_mul(ir, e->stage.per_row, d->extent);
    e->loop = product_loops(ir, c, row, outer, run->nouter);
    return true;
}

/* ---------------------------------------------------------------- loops */

static bool hands_arrays_over(const HostNest *nest)
{
    for (int i = 0; i < nest->ncaptured; i++)
        if (nest->captured[i]->rank)
            return true;
    return false;
}

/* Loops around a row's from 0 by 1, none of whose variables its bounds use. */
static bool enter_around(Ir *ir, Node *loop, Node *row, Sym **var, Node **iterations)
{
    Bounds b;
    if (!for_bounds(loop, &b) || !is_int(b.lo, 0) || b.step != 1 || uses_sym(row->kid[0], loop->sym) || uses_sym(row->kid[1], loop->sym))
        return false;
    *var = loop->sym;
    *iterations = trip_count_of_running(ir, loop);
    return true;
}

static bool enter_nest(const ChainRun *run, HostNest *nest, Entry *e)
{
    Ir *ir = run->ir;
    Node *source = nest->source, *row = source;
    Bounds around, rows;
    for (int i = 0; i < run->nouter && row; i++)
        row = row->kind == N_FOR ? only_loop(row->kid[2]) : NULL;
    if (source->kind != N_FOR || !nest->rows.count || !row || hands_arrays_over(nest) || !for_bounds(source, &around) ||
        !for_bounds(row, &rows))
        return false;
    e->stage = (ChainStage){.nest = nest, .first = nest->rows.first, .rows = nest->rows.count};
    e->loop = row;
    if (run->nouter == 0)
        return true;
    const bool is_cut = nest->cut.loops == 2 && nest->cut.var[0] == source->sym && nest->cut.var[1] == row->sym;
    if (rows.step != 1 || !(run->nouter == 2 ? loops_can_merge(nest) : is_cut || nest->rows.each_second))
        return false;
    for (Node *loop = source; loop != row; loop = only_loop(loop->kid[2])) {
        const int i = loop == source ? 0 : 1;
        if (!enter_around(ir, loop, row, &e->outer_var[i], &e->outer[i]) || (i && uses_sym(loop->kid[1], source->sym)))
            return false;
    }
    e->stage.first = widen(ir, rows.lo);
    e->stage.rows = trip_count_of_running(ir, row);
    return true;
}

/* ---------------------------------------------------------------- statements */

static Node *only_launch(Node *n)
{
    n = only_statement(n);
    return n->kind == N_LAUNCH && n->aux == STAGE_HOST_NEST ? n : NULL;
}

/* The product where a condition holds, else the loops that it is. */
static bool enter_either(const ChainRun *run, Node *n, Entry *e)
{
    Node *product = only_statement(n->kid[1]), *loops = n->nkids == 3 ? only_launch(n->kid[2]) : NULL;
    Entry other;
    if (product->kind != N_CONTRACT || !loops || reads_array(n->kid[0], NULL) ||
        !enter_product(run, contraction_at(run->plan, product->u.i), e) || !enter_nest(run, host_nest_at(run->plan, loops->u.i), &other) ||
        !same(run->ir, e->stage.first, other.stage.first) || !same(run->ir, e->stage.rows, other.stage.rows))
        return false;
    e->stage.nest = other.stage.nest;
    e->stage.when = n->kid[0];
    return true;
}

bool chain_enter(ChainRun *run, Node *n)
{
    Ir *ir = run->ir;
    Entry e = {.loop = NULL};
    const bool enters = n->kind == N_CONTRACT ? enter_product(run, contraction_at(run->plan, n->u.i), &e)
                        : n->kind == N_IF     ? enter_either(run, n, &e)
                                              : only_launch(n) && enter_nest(run, host_nest_at(run->plan, n->u.i), &e);
    if (!enters || run->n == CHAIN_STAGES)
        return false;
    for (int i = 0; i < run->nouter; i++) {
        if (run->n && !same(ir, run->extent[i], e.outer[i]))
            return false;
        if (!run->n) {
            run->around[i] = sym_new(ir, S_LOCAL, e.outer_var[i]->type, e.outer_var[i]->name, e.loop->loc);
            run->extent[i] = e.outer[i];
        }
    }
    for (int i = 0; i < run->nouter; i++)
        e.loop = substitute(ir, e.loop, e.outer_var[i], mk_cast(ir, e.outer_var[i]->type, mk_var(ir, run->around[i])));
    run->stage[run->n] = e.stage;
    run->loop[run->n++] = e.loop;
    return true;
}
