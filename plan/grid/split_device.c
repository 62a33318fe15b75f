/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host and device. A loop whose iterations are independent becomes a grid; a loop around such loops that must run
 * in order, such as time steps, stays on the host; what neither can do runs on one device thread.
 *
 *     for t                         host: for t
 *         for i, j parallel               launch #0 (i, j)
 *         for i, j parallel               launch #1 (i, j)
 */
#include "plan/grid/split_device.h"

#include "depend/depend.h"
#include "depend/linear.h"
#include "depend/parallel.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "plan/grid/band.h"
#include "plan/grid/device_nest.h"
#include "plan/grid/device_scalars.h"

typedef struct Splitter {
    Ir *ir;
    Plan *plan;
    const PlanOptions *opt;
    bool strict; /* no floating-point sum changes its order */
    bool *host;  /* per symbol id below nhost: a scalar whose value the host has; symbols made here are none */
    int nhost;
    Vec nests;
    /* Of the statement on its way through the steps of plan/passes.def: */
    Band band;     /* empty: it is no grid */
    bool is_piece; /* one of several that a step has made, */
    bool is_split; /* a block of such, now */
} Splitter;

static Node *split(Splitter *s, Node *n);

/* Expressions the host can evaluate: no memory, only scalars that it has. */

typedef struct HostSearch {
    const Splitter *s;
    bool yes;
} HostSearch;

static bool is_host(const Splitter *s, const Sym *sym) { return sym->id < s->nhost && s->host[sym->id]; }

static bool host_pre(void *user, Node *n)
{
    HostSearch *h = user;
    if (n->kind == N_LOAD || (n->kind == N_VAR && !is_host(h->s, n->sym)))
        h->yes = false;
    return h->yes;
}

static bool host_knows(const void *splitter, Node *e)
{
    HostSearch h = {splitter, true};
    walk(&(Walker){.pre = host_pre, .user = &h}, e);
    return h.yes;
}

static bool find_contract(void *user, Node *n)
{
    Node **found = user;
    if (!*found && (n->kind == N_CONTRACT || n->kind == N_LAUNCH))
        *found = n;
    return !*found && !is_expr(n);
}

/* The first contraction in a statement; NULL when there is none. */
static Node *contract_in(Node *n)
{
    Node *found = NULL;
    walk(&(Walker){.pre = find_contract, .user = &found}, n);
    return found;
}

static bool is_parallel(void *user, Node *n)
{
    const Splitter *s = user;
    return n->kind == N_CONTRACT || (n->kind == N_FOR && loop_is_parallel(s->ir, n));
}

static bool has_parallel(const Splitter *s, Node *n) { return any_stmt(n, is_parallel, (void *)s); }

static Node *launch(Splitter *s, DeviceNest *nest)
{
    int number = s->nests.count;
    vec_push(s->ir->arena, &s->nests, nest);
    capture(s->ir, nest, s->host, s->nhost);
    Node **vars = arena_new_array(s->ir->arena, Node *, nest->ncaptured + 1);
    for (int i = 0; i < nest->ncaptured; i++)
        vars[i] = mk_var(s->ir, nest->captured[i]);
    return mk_launch_of(s->ir, STAGE_DEVICE_NEST, number, nest->ncaptured, vars, nest->loc);
}

static NestInput nest_input(Splitter *s)
{
    const char *stem = arena_printf(s->ir->arena, "%s_nest%d", s->plan->func->name, s->nests.count + 1);
    return (NestInput){
        .ir = s->ir, .stem = stem, .strict = s->strict, .opt = s->opt, .host_knows = host_knows, .user = s, .remarks = &s->plan->remarks};
}

/* Everything in one place: on the lanes of one block, or on one thread: right whatever it is. */
static Node *launch_serial(Splitter *s, Node *n)
{
    const Node *contract = contract_in(n);
    if (contract) {
        diag_error(s->ir->diag, contract->loc, "keep intermediate values in arrays, or generate for --target=c",
                   "the host cannot launch this contraction: what surrounds it depends on values that only the GPU knows");
        return n;
    }
    NestInput in = nest_input(s);
    return launch(s, nest_of_loops(&in, NULL, 0, n));
}

/* Fission. */

/* A parallel loop around statements of which some are grids of their own, and none shares scalars with another: a loop
 * for each grid, and for what stands between them. Iterations do not depend on one another, so that the order of the
 * pieces is all that counts. Nothing is split that gathers something up: lanes will share that. */
static bool splits(Splitter *s, Node *loop, bool *alone)
{
    Node *body = loop->kid[2];
    bool any = false;
    for (int i = 0; i < body->nkids; i++) {
        Node *kid = body->kid[i];
        alone[i] = kid->kind == N_FOR && loop_is_parallel(s->ir, kid);
        any = any || alone[i];
        if (kid->kind == N_DECL || (!alone[i] && has_kind(kid, N_FOR)))
            return false;
        for (int j = 0; j < i; j++)
            if (shares_scalar(s->ir, kid, body->kid[j]))
                return false;
    }
    return any;
}

static Node *split_loop(Splitter *s, Node *loop)
{
    if (loop->kind != N_FOR || contract_in(loop) || !loop_is_parallel(s->ir, loop))
        return loop;
    Node *body = loop->kid[2];
    if (body->kind != N_BLOCK || body->nkids < 2)
        return loop;
    bool *alone = arena_new_array(s->ir->arena, bool, body->nkids);
    if (!splits(s, loop, alone))
        return loop;
    Vec out = {0};
    s->is_split = true;
    for (int i = 0; i < body->nkids;) {
        int end = i + 1;
        while (end < body->nkids && !alone[i] && !alone[end])
            end++;
        Node *kids[] = {loop->kid[0], loop->kid[1], mk_block(s->ir, end - i, body->kid + i, body->kid[i]->loc)};
        vec_push(s->ir->arena, &out, with_kids(s->ir, loop, 3, kids));
        i = end;
    }
    return mk_block(s->ir, out.count, (Node **)out.items, loop->loc);
}

/* Steps. */

static void add_temporary(Splitter *s, Sym *array)
{
    Plan *p = s->plan;
    Temporary *more = arena_new_array(s->ir->arena, Temporary, p->ntemporaries + 1);
    for (int i = 0; i < p->ntemporaries; i++)
        more[i] = p->temporaries[i];
    more[p->ntemporaries++] = (Temporary){array, array_elements(s->ir, array)};
    p->temporaries = more;
}

static bool declares_array(const Vec *list)
{
    for (int i = 0; i < list->count; i++) {
        const Node *n = list->items[i];
        if (n->kind == N_DECL && n->sym->rank)
            return true;
    }
    return false;
}

/* Of a block of serial statements a block of pieces that are launches of their own, if there are several. */
static Node *expand_scalars(Splitter *s, Node *block)
{
    Vec cells = {0}, serial = {0};
    for (int i = 0; block->kind == N_BLOCK && i < block->nkids; i++)
        vec_push(s->ir->arena, &serial, block->kid[i]);
    if (!serial.count || declares_array(&serial)) /* which is the launch's own */
        return block;
    const Vec groups = cut_at_loops(s->ir, &serial, s->strict, &cells, block->loc);
    for (int i = 0; i < cells.count; i++)
        add_temporary(s, cells.items[i]);
    s->is_split = groups.count > 1;
    return groups.count == 1 ? block : mk_block(s->ir, groups.count, (Node **)groups.items, block->loc);
}

static Node *collapse_reductions(Splitter *s, Node *n)
{
    return s->is_piece && n->kind == N_BLOCK ? collapse_gathers(s->ir, n, s->strict) : n;
}

/* The band that begins with the loop, which s->band is from then on, as one nest. */
static Node *form_band(Splitter *s, Node *n)
{
    if (n->kind == N_FOR && !contract_in(n))
        s->band = find_band(s->ir, n, host_knows, s);
    return s->band.n ? nest_around(s->ir, s->band.loop, s->band.n, s->band.body) : n;
}

#define GRID_STEP(name, code, what) \
    static Node *step_##name(Splitter *s, Node *body) { return code; }
#include "plan/passes.def"

static const struct GridStep {
    const char *name;
    Node *(*run)(Splitter *, Node *);
} steps[] = {
#define GRID_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

/* Statements. */

static Node *split_pieces(Splitter *s, Node *block, size_t first);

/* A loop, or a block of serial statements, through the steps from `first` on; pieces that one makes of it go on by themselves. NULL: it is
 * no grid, and *n is what has become of it. */
static Node *make_grid(Splitter *s, Node **n, size_t first)
{
    const NestInput in = nest_input(s);
    Func f = {.name = in.stem, .result = T_VOID, .loc = (*n)->loc};
    s->band = (Band){.n = 0};
    s->is_piece = first > 0;
    s->is_split = false;
    for (size_t i = first; i < sizeof steps / sizeof *steps; i++) {
        *n = steps[i].run(s, *n);
        f.body = (*n)->kind == N_BLOCK ? *n : mk_block(s->ir, 1, n, f.loc);
        watch_step(s->ir, s->opt->watch, steps[i].name, &f, TREE_PART);
        if (s->is_split)
            return split_pieces(s, *n, i + 1);
    }
    return s->band.n ? launch(s, nest_of_loops(&in, s->band.loop, s->band.n, s->band.body)) : NULL;
}

/* A block of serial statements. `first` as make_grid() has it. */
static Node *split_serial(Splitter *s, Node *block, size_t first)
{
    Node *grids = make_grid(s, &block, first);
    return grids ? grids : launch_serial(s, block);
}

/* A loop: grids, else the host's, else one launch. */
static Node *split_for(Splitter *s, Node *n, size_t first)
{
    Node *grids = make_grid(s, &n, first);
    if (grids)
        return grids;
    const NestInput in = nest_input(s);
    const bool contract = contract_in(n) != NULL;
    Bounds b;
    bool host_loop = n->aux && for_bounds(n, &b) && host_knows(s, b.lo) && host_knows(s, b.hi) && has_parallel(s, n->kid[2]);
    if (!host_loop || (!contract && is_dealt_out(&in, n)))
        return launch_serial(s, n);
    note_ordered(&in, n);
    s->host[n->sym->id] = true;
    Node *kids[] = {n->kid[0], n->kid[1], split(s, n->kid[2])};
    return with_kids(s->ir, n, 3, kids);
}

/* What a step has made of one statement, each by itself. */
static Node *split_pieces(Splitter *s, Node *block, size_t first)
{
    Node **pieces = arena_new_array(s->ir->arena, Node *, block->nkids);
    for (int i = 0; i < block->nkids; i++) {
        Node *n = block->kid[i];
        pieces[i] = n->kind == N_BLOCK ? split_serial(s, n, first) : n->kind == N_FOR ? split_for(s, n, first) : split(s, n);
    }
    return mk_block(s->ir, block->nkids, pieces, block->loc);
}

/* A scalar that the host can compute once and for all. */
static bool is_host_decl(const Splitter *s, Node *block, const Node *decl)
{
    if (decl->sym->rank || !decl->nkids || !host_knows(s, decl->kid[0]))
        return false;
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i] != decl && writes_sym(block->kid[i], decl->sym))
            return false;
    return true;
}

/* Which statements of a block one thread must run, and where each goes. A scalar that the device computes lives in one
 * launch: everything from its first use to its last is that thread's. Its declaration waits for the first use when
 * its value does not change until then. */
static void find_serial(Splitter *s, Node *n, bool *serial, int *place)
{
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kid[i];
        place[i] = i;
        serial[i] = serial[i] || kid->kind == N_STORE || kid->kind == N_ASSIGN || (kid->kind == N_FOR && !kid->aux);
        if (kid->kind != N_DECL || kid->sym->rank)
            continue;
        if (is_host_decl(s, n, kid)) {
            s->host[kid->sym->id] = true;
            continue;
        }
        int first = n->nkids, last = i;
        for (int j = n->nkids - 1; j > i; j--)
            if (uses_sym(n->kid[j], kid->sym) || writes_sym(n->kid[j], kid->sym)) {
                first = j;
                last = last > i ? last : j;
            }
        if (first < n->nkids && (!kid->nkids || host_knows(s, kid->kid[0])))
            place[i] = first;
        for (int j = place[i]; j <= last; j++)
            serial[j] = true;
    }
}

/* Serial statements that follow one another: a launch for each loop that may be one, if there are several. */
static void flush_serial(Splitter *s, Vec *out, Vec *serial, Loc loc)
{
    if (!serial->count)
        return;
    Node *together = mk_block(s->ir, serial->count, (Node **)serial->items, loc);
    Node *grids = split_serial(s, together, 0);
    for (int i = 0; i < (grids->kind == N_BLOCK ? grids->nkids : 1); i++)
        vec_push(s->ir->arena, out, grids->kind == N_BLOCK ? grids->kid[i] : grids);
    serial->count = 0;
}

/* Stores and other serial statements that follow one another share a launch. */
static Node *split_block(Splitter *s, Node *n)
{
    Arena *arena = s->ir->arena;
    bool *serial = arena_new_array(arena, bool, n->nkids + 1), all = true;
    int *place = arena_new_array(arena, int, n->nkids + 1);
    find_serial(s, n, serial, place);
    for (int i = 0; i < n->nkids; i++)
        all = all && (serial[i] || place[i] != i);
    Vec out = {0}, together = {0};
    if (all) {
        for (int i = 0; i < n->nkids; i++)
            vec_push(arena, &together, n->kid[i]);
        flush_serial(s, &out, &together, n->loc);
        return mk_block(s->ir, out.count, (Node **)out.items, n->loc);
    }
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kid[i];
        if (place[i] != i)
            continue;
        for (int j = 0; j < i; j++)
            if (place[j] == i)
                vec_push(arena, &together, n->kid[j]);
        if (kid->kind == N_DECL && kid->sym->rank) {
            add_temporary(s, kid->sym);
        } else if (serial[i]) {
            vec_push(arena, &together, kid);
        } else {
            flush_serial(s, &out, &together, n->loc);
            vec_push(arena, &out, split(s, kid));
        }
    }
    flush_serial(s, &out, &together, n->loc);
    return mk_block(s->ir, out.count, (Node **)out.items, n->loc);
}

static Node *split(Splitter *s, Node *n)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: return split_block(s, n);
    case N_FOR: return split_for(s, n, 0);
    case N_DECL:
    case N_LAUNCH:
    case N_CONTRACT: return n;
    case N_IF:
        if (host_knows(s, n->kid[0])) {
            Node *kids[] = {n->kid[0], split(s, n->kid[1]), n->nkids == 3 ? split(s, n->kid[2]) : NULL};
            return with_kids(s->ir, n, n->nkids, kids);
        }
        return launch_serial(s, n);
    default: return launch_serial(s, n);
    }
}

/* The device's long double is another type than the host's. */

typedef struct LongDouble {
    bool found;
    Loc loc;
} LongDouble;

static bool find_long_double(void *user, Node *n)
{
    LongDouble *l = user;
    if (n->type == T_LDOUBLE || (n->sym && n->sym->type == T_LDOUBLE))
        *l = (LongDouble){true, n->loc};
    return !l->found;
}

static bool has_long_double(Ir *ir, const Plan *plan)
{
    LongDouble l = {false, {0, 0}};
    for (int i = 0; i < plan->func->nparams && !l.found; i++)
        if (plan->func->params[i]->type == T_LDOUBLE)
            l = (LongDouble){true, plan->func->params[i]->loc};
    walk(&(Walker){.pre = find_long_double, .user = &l}, plan->source);
    if (l.found)
        diag_error(ir->diag, l.loc, "use double, or generate for --target=c", "a GPU has no long double");
    return l.found;
}

void split_device(Ir *ir, Plan *plan, const PlanOptions *opt)
{
    if (has_long_double(ir, plan))
        return;
    Splitter s = {.ir = ir, .plan = plan, .opt = opt, .strict = opt->fp_strict};
    s.nhost = ir->nsyms;
    s.host = arena_new_array(ir->arena, bool, s.nhost + 1);
    for (int i = 0; i < plan->func->nparams; i++)
        s.host[plan->func->params[i]->id] = true;
    plan->func->body = split(&s, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_DEVICE_NEST, &s.nests);
}
