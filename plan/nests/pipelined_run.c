/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are values of the outermost loop's variable; distances are those of depend/distance.h. */
#include "plan/nests/pipelined_run.h"

#include "depend/distance.h"
#include "depend/index.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/producers.h"

/* ---------------------------------------------------------------- rows */

typedef struct RowSearch {
    const Sym *var; /* the row's */
    bool fits;
    bool found; /* an array has rows */
} RowSearch;

/* Rows are far apart in memory: their number is no last subscript of an array that has others, and in no two. */
static bool note_row(void *user, Node *n)
{
    RowSearch *s = user;
    int times = 0;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return s->fits;
    for (int d = 0; d < n->sym->rank; d++)
        if (uses_sym(n->kid[d], s->var)) {
            times++;
            s->fits = s->fits && (d < n->sym->rank - 1 || n->sym->rank == 1);
        }
    s->fits = s->fits && times < 2;
    s->found = s->found || times;
    return s->fits;
}

static bool find_store(void *user, Node *n)
{
    Node **store = user;
    if (n->kind == N_STORE && !*store && n->sym->kind == S_ARRAY)
        *store = n;
    return !*store;
}

Node *constant_row(Node *loops)
{
    Node *store = NULL;
    walk(&(Walker){.pre = find_store, .user = &store}, loops);
    return store && store->sym->rank > 1 && store->kid[0]->kind == N_INT ? store->kid[0] : NULL;
}

/* A loop around the loops that runs over their row alone. */
static Node *loop_over_row(Ir *ir, Node *loops, Node *row)
{
    Sym *var = sym_new(ir, S_LOCAL, T_INDEX, "row", loops->loc);
    Node *at = mk_cast(ir, T_INDEX, row);
    return mk_for(ir, var, at, mk_binary(ir, N_LE, mk_var(ir, var), at), 1, loops, true, loops->loc);
}

bool run_enter(const WaveInput *in, Run *run, Node *launch, Node *when)
{
    if (launch->aux != STAGE_HOST_NEST || run->n == MOST_STAGES)
        return false;
    HostNest *nest = host_nest_at(in->plan, launch->u.i);
    Node *source = nest->source;
    WaveStage *stage = &run->stage[run->n];
    if (source->kind != N_FOR || !nest->cut.loops)
        return false;
    RowSearch rows = {.var = source->sym, .fits = true};
    walk(&(Walker){.pre = note_row, .user = &rows}, source->kid[2]);
    *stage = (WaveStage){.nest = nest, .when = when, .row = nest->rows.first, .rows = nest->rows.count, .per_row = nest->rows.each};
    run->loop[run->n] = source;
    if (nest->rows.count && has_kind(source->kid[2], N_FOR))
        return rows.fits && rows.found && !when;
    Node *row = constant_row(source);
    if (!row)
        return false;
    stage->row = widen(in->ir, row);
    stage->rows = ix_int(in->ir, 1);
    stage->per_row = nest->cut.count[0];
    run->loop[run->n] = loop_over_row(in->ir, source, row);
    return true;
}

/* ---------------------------------------------------------------- distances */

static Accesses accesses_of(Ir *ir, const Run *run) { return find_accesses(ir, mk_block(ir, run->n, (Node **)run->loop, (Loc){0, 0})); }

static int64_t max_of(int64_t a, int64_t b) { return a > b ? a : b; }

static const char *conflict_text(Ir *ir, const Carried *why)
{
    return arena_printf(ir->arena, "%s meets %s more than %d rows away", place_text(ir, why->from, why->from_stmt),
                        place_text(ir, why->to, why->to_stmt), DISTANCE_MOST);
}

static bool is_shared(void *user, Node *n)
{
    const Run *run = user;
    bool found = false;
    for (int i = 0; (n->kind == N_LOAD || n->kind == N_STORE) && i < run->n - 1; i++)
        found = found || uses_sym(run->loop[i], n->sym);
    return found;
}

/* Has the last stage an array in common with another? */
static bool shares_array(const Run *run) { return any_node(run->loop[run->n - 1], is_shared, (void *)run); }

static void remark_apart(const WaveInput *in, const Run *run, const Carried *why)
{
    if (why->from && in->opt->remarks)
        add_remark(in->ir, &in->plan->remarks, run->stage[run->n - 1].nest->loc, REMARK_MISSED, false,
                   arena_printf(in->ir->arena, "these loops stay apart from those before: %s", conflict_text(in->ir, why)));
}

bool run_follow(const WaveInput *in, Run *run)
{
    Accesses all = accesses_of(in->ir, run);
    const int last = run->n - 1;
    int64_t behind = run->stage[last - 1].behind, ahead = run->stage[last - 1].ahead, d;
    Carried why;
    if (!shares_array(run) || !accesses_are_within(&all, run->loop, run->n))
        return false;
    for (int i = 0; i < last; i++) {
        if (!loop_distance(&all, run->loop[i], run->loop[last], &d, &why)) {
            remark_apart(in, run, &why);
            return false;
        }
        behind = max_of(behind, run->stage[i].behind + d);
        ahead = ahead < 0 || !loop_distance(&all, run->loop[last], run->loop[i], &d, &why) ? -1 : max_of(ahead, run->stage[i].ahead + d);
    }
    run->stage[last].behind = behind;
    run->stage[last].ahead = ahead;
    return !meets_whole(in->plan, run->loop, run->n);
}

/* ---------------------------------------------------------------- bytes */

typedef struct RowBytes {
    Ir *ir;
    const Sym *var;
    Map seen;  /* by symbol id of arrays */
    bool known;
    Node *sum;
} RowBytes;

static bool add_row_bytes(void *user, Node *n)
{
    RowBytes *r = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || map_get(&r->seen, n->sym->id))
        return true;
    Node *bytes = mk_float(r->ir, T_DOUBLE, type_bytes(n->sym->type));
    bool has_rows = false;
    for (int d = 0; d < n->sym->rank; d++) {
        const bool is_row = uses_sym(n->kid[d], r->var);
        has_rows = has_rows || is_row;
        r->known = r->known && (is_row || n->sym->extent[d]);
        if (!is_row && n->sym->extent[d])
            bytes = mk_binary(r->ir, N_MUL, bytes, mk_cast(r->ir, T_DOUBLE, n->sym->extent[d]));
    }
    if (!has_rows)
        return true;
    *map_at(r->ir->arena, &r->seen, n->sym->id) = n;
    r->sum = r->sum ? mk_binary(r->ir, N_ADD, r->sum, bytes) : bytes;
    return true;
}

Node *run_row_bytes(Ir *ir, const Run *run)
{
    RowBytes r = {.ir = ir, .known = true};
    for (int i = 0; i < run->n; i++) {
        r.var = run->loop[i]->sym;
        walk(&(Walker){.pre = add_row_bytes, .user = &r}, run->loop[i]);
    }
    return r.known ? r.sum : NULL;
}

/* ---------------------------------------------------------------- steps */

typedef struct StepSearch {
    const Accesses *in;
    const Sym *step;
    bool shapes; /* what is touched depends on the step */
} StepSearch;

/* Elements of arrays that the stages do not write, and values, may depend on it. */
static bool note_step(void *user, Node *n)
{
    StepSearch *s = user;
    switch ((Kind)n->kind) {
    case N_FOR: s->shapes = s->shapes || uses_sym(n->kid[0], s->step) || uses_sym(n->kid[1], s->step); break;
    case N_IF: s->shapes = s->shapes || uses_sym(n->kid[0], s->step); break;
    case N_DECL:
    case N_ASSIGN: s->shapes = s->shapes || (type_is_integer(n->sym->type) && n->nkids && uses_sym(n->kid[0], s->step)); break;
    case N_LOAD:
    case N_STORE:
        for (int d = 0; map_get(&s->in->stored, n->sym->id) && d < n->sym->rank; d++)
            s->shapes = s->shapes || uses_sym(n->kid[d], s->step);
        break;
    default: break;
    }
    return !s->shapes;
}

bool run_steps(const WaveInput *in, const Run *run, const Sym *step, int64_t *apart, int64_t *onward)
{
    Accesses all = accesses_of(in->ir, run);
    StepSearch search = {&all, step, false};
    int64_t d;
    Carried why;
    for (int i = 0; i < run->n; i++) {
        walk(&(Walker){.pre = note_step, .user = &search}, run->loop[i]);
        search.shapes = search.shapes || (run->stage[i].when && uses_sym(run->stage[i].when, step));
    }
    if (search.shapes || !accesses_are_within(&all, run->loop, run->n))
        return false;
    *apart = 0;
    *onward = run->stage[run->n - 1].ahead < 0 ? -1 : 0;
    for (int i = 0; i < run->n; i++)
        for (int j = 0; j < run->n; j++) {
            const WaveStage *a = &run->stage[i], *b = &run->stage[j];
            if (!loop_distance(&all, run->loop[i], run->loop[j], &d, &why))
                return false;
            *apart = max_of(*apart, d + a->behind - b->behind);
            const bool near = *onward >= 0 && loop_distance(&all, run->loop[j], run->loop[i], &d, &why);
            *onward = near ? max_of(*onward, d + a->ahead - b->ahead) : -1;
        }
    return true;
}
