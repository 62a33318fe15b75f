/* Products are told by their loops' roles: rows are folded into R_M, outermost first. */
#include "plan/chains/chain_stage.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/nests/parts.h"

static bool same(Ir *ir, Node *a, Node *b) { return poly_equal(poly_of(ir, a), poly_of(ir, b)); }

/* A stage while it is being looked at. */
typedef struct Entry {
    ChainStage stage;
    Sym *outer_var;
    Node *outer; /* iterations of its loop */
    Node *loop;
} Entry;

/* ---------------------------------------------------------------- products */

/* The operands' loads and the epilogue in all loops but the row's and the one around. */
static Node *product_loops(Ir *ir, const Contraction *c, const LoopDim *row, const LoopDim *outer)
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
            if ((int)d->role != role || d == row || d == outer)
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

static bool enter_product(const ChainRun *run, Contraction *c, Entry *e)
{
    Ir *ir = run->ir;
    const LoopDim *batch = NULL, *m = NULL, *row, *outer;
    const int nbatch = dims_of(c, R_BATCH, &batch), nm = dims_of(c, R_M, &m);
    const bool outer_in_m = run->has_outer && !nbatch;
    for (int i = 0; i < c->ndims; i++)
        if (!counts_up(&c->dims[i]))
            return false;
    if (c->otherwise || c->is_otherwise || (int)run->has_outer != nbatch + outer_in_m || nm < 1 + outer_in_m)
        return false;
    outer = !run->has_outer ? NULL : outer_in_m ? m : batch;
    row = m + outer_in_m;
    if (row->step != 1 || (outer && (outer->step != 1 || !is_int(outer->lo, 0))))
        return false;
    e->stage = (ChainStage){.product = c, .first = widen(ir, row->lo), .rows = row->extent, .per_row = ix_int(ir, 1), .folded = outer_in_m};
    for (const LoopDim *d = row + 1; d < m + nm; d++)
        e->stage.per_row = ix_mul(ir, e->stage.per_row, d->extent);
    e->outer_var = outer ? outer->var : NULL;
    e->outer = outer ? outer->extent : NULL;
    e->loop = product_loops(ir, c, row, outer);
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

static bool enter_nest(const ChainRun *run, HostNest *nest, Entry *e)
{
    Ir *ir = run->ir;
    Node *source = nest->source, *row = run->has_outer && source->kind == N_FOR ? only_loop(source->kid[2]) : source;
    Bounds around, rows;
    if (source->kind != N_FOR || !nest->row_count || !row || hands_arrays_over(nest) || !for_bounds(source, &around) ||
        !for_bounds(row, &rows))
        return false;
    e->stage = (ChainStage){.nest = nest, .first = nest->first_row, .rows = nest->row_count};
    e->loop = row;
    if (!run->has_outer)
        return true;
    const bool is_cut = nest->ncounts == 2 && nest->cut[0] == source->sym && nest->cut[1] == row->sym;
    if ((!is_cut && !nest->per_second) || !is_int(around.lo, 0) || around.step != 1 || rows.step != 1 ||
        uses_sym(row->kid[0], source->sym) || uses_sym(row->kid[1], source->sym))
        return false;
    e->stage.first = widen(ir, rows.lo);
    e->stage.rows = trip_count_of_running(ir, row);
    e->outer_var = source->sym;
    e->outer = nest->row_count;
    return true;
}

/* ---------------------------------------------------------------- statements */

static Node *only_launch(Node *n)
{
    n = only_statement(n);
    return n->kind == N_LAUNCH && !n->aux ? n : NULL;
}

/* The product where a condition holds, else the loops that it is. */
static bool enter_either(const ChainRun *run, Node *n, Entry *e)
{
    Node *product = only_statement(n->kid[1]), *loops = n->nkids == 3 ? only_launch(n->kid[2]) : NULL;
    Entry other;
    if (product->kind != N_CONTRACT || !loops || reads_array(n->kid[0], NULL) ||
        !enter_product(run, run->plan->contractions[product->u.i], e) || !enter_nest(run, run->plan->host_nests[loops->u.i], &other) ||
        !same(run->ir, e->stage.first, other.stage.first) || !same(run->ir, e->stage.rows, other.stage.rows))
        return false;
    e->stage.nest = other.stage.nest;
    e->stage.when = n->kid[0];
    return true;
}

bool chain_enter(ChainRun *run, Node *n)
{
    Ir *ir = run->ir;
    Entry e = {.outer = NULL};
    const bool enters = n->kind == N_CONTRACT ? enter_product(run, run->plan->contractions[n->u.i], &e)
                        : n->kind == N_IF     ? enter_either(run, n, &e)
                                              : only_launch(n) && enter_nest(run, run->plan->host_nests[n->u.i], &e);
    if (!enters || run->n == CHAIN_STAGES || (run->n && run->has_outer && !same(ir, run->outer, e.outer)))
        return false;
    if (run->has_outer) {
        if (!run->n) {
            run->around = sym_new(ir, S_LOCAL, e.outer_var->type, e.outer_var->name, e.loop->loc);
            run->outer = e.outer;
        }
        e.loop = substitute(ir, e.loop, e.outer_var, mk_cast(ir, e.outer_var->type, mk_var(ir, run->around)));
    }
    run->stage[run->n] = e.stage;
    run->loop[run->n++] = e.loop;
    return true;
}
