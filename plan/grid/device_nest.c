/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes first, then each form of the nest that can be made of its loops. */
#include "plan/grid/device_nest.h"

#include <string.h>

#include "depend/env.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/reduce.h"
#include "depend/scope.h"
#include "ir/check.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/fingerprint.h"
#include "plan/grid/lanes.h"
#include "plan/scalar_replace.h"
#include "plan/grid/stride.h"
#include "plan/grid/transpose.h"
#include "plan/grid/vectorize.h"

enum { MAX_AXIS_LOOPS = 8, MAX_ORDERED = 4 };

static Sym *index_symbol(Ir *ir, const char *name) { return sym_new(ir, S_PARAM, T_INDEX, name, (Loc){0, 0}); }

static Func *function(Ir *ir, const NestInput *in, const char *suffix, Sym *const *params, int nparams, Node *body, Loc loc)
{
    Func *f = arena_alloc(ir->arena, sizeof *f);
    f->name = arena_printf(ir->arena, "%s_%s", in->stem, suffix);
    f->result = T_VOID;
    f->params = arena_new_array(ir->arena, Sym *, nparams + 1);
    for (int i = 0; i < nparams; i++)
        f->params[i] = params[i];
    f->nparams = nparams;
    f->body = body->kind == N_BLOCK ? body : mk_block(ir, 1, &body, loc);
    f->loc = loc;
    return f;
}

/* ---------------------------------------------------------------- axes */

/* The loops in the order of the axes: [0] along x, [1] along y, the others folded along z, innermost first. */
typedef struct Axes {
    Node *loop[MAX_AXIS_LOOPS];
    int n;
    int nearness; /* coalescing() along x */
} Axes;

/* Along x the loop that reaches memory best, along y the best of the others or what makes a tile; of equals the
 * innermost. */
static Axes choose_axes(Ir *ir, Node *const *loops, int n, Node *body, Tile *tile)
{
    Axes axes = {.n = n};
    const Map defs = find_defs(ir, body);
    int near[MAX_AXIS_LOOPS], x = 0;
    bool taken[MAX_AXIS_LOOPS] = {false};
    for (int i = 0; i < n; i++)
        near[i] = coalescing(ir, body, loops[i]->sym, loops[i]->u.i, &defs);
    for (int a = 0; a < n; a++) {
        int best = -1;
        for (int i = n - 1; i >= 0; i--)
            if (!taken[i] && (best < 0 || (a < AXIS_Z && near[i] > near[best])))
                best = i;
        if (a == AXIS_Y && find_tile(ir, loops, n, x, body, tile))
            best = tile->along;
        x = a == AXIS_X ? best : x;
        taken[best] = true;
        axes.loop[a] = loops[best];
        axes.nearness = a == 0 ? near[best] : axes.nearness;
    }
    return axes;
}

/* An int will do for the numbers of a loop that counts an int up from a constant that is not negative. */
static Type index_type(const Node *loop)
{
    return loop->sym->type == T_INT && loop->u.i == 1 && loop->kid[0]->kind == N_INT && loop->kid[0]->u.i >= 0 ? T_INT : T_INDEX;
}

/* Parameters for the numbers along x, y and z. */
static void axis_symbols(Ir *ir, const Axes *axes, Sym **index)
{
    static const char *const names[AXES] = {"x", "y", "z"};
    for (int a = 0; a < AXES; a++) {
        bool alone = a < AXIS_Z ? a < axes->n : axes->n == AXES;
        index[a] = sym_new(ir, S_PARAM, alone ? index_type(axes->loop[a]) : T_INDEX, names[a], (Loc){0, 0});
    }
}

/* The loop's variable in its iteration `t`. */
static Node *variable_at(Ir *ir, Node *loop, Node *t)
{
    if (t->type == T_INT)
        return mk_decl(ir, loop->sym, is_int(loop->kid[0], 0) ? t : mk_binary(ir, N_ADD, t, loop->kid[0]), loop->loc);
    Node *value = ix_add(ir, widen(ir, loop->kid[0]), ix_mul(ir, ix_int(ir, loop->u.i), t));
    return mk_decl(ir, loop->sym, mk_cast(ir, loop->sym->type, value), loop->loc);
}

/* Declarations of the loops from `from` on, folded in `index`, the first of them fastest, then `body`. */
static Node *unfold(Ir *ir, const Axes *axes, int from, int to, Node *index, Node **decls)
{
    for (int i = from; i < to; i++) {
        Node *trip = trip_count_of_running(ir, axes->loop[i]); /* there is an index */
        decls[i] = variable_at(ir, axes->loop[i], i < to - 1 ? ix_mod(ir, index, trip) : index);
        index = ix_div(ir, index, trip);
    }
    return index;
}

/* The body behind declarations, loops in the order of the text. */
static Node *behind(Ir *ir, Node *const *decls, int n, Node *body)
{
    Node *stmts[MAX_AXIS_LOOPS + 1];
    for (int i = 0; i < n; i++)
        stmts[i] = decls[n - 1 - i];
    stmts[n] = body;
    return mk_block(ir, n + 1, stmts, body->loc);
}

static Node *at_point(Ir *ir, const Axes *axes, Sym *const *index, Node *body)
{
    Node *decls[MAX_AXIS_LOOPS];
    for (int a = 0; a < axes->n && a < AXIS_Z; a++)
        decls[a] = variable_at(ir, axes->loop[a], mk_var(ir, index[a]));
    if (axes->n == AXES)
        decls[AXIS_Z] = variable_at(ir, axes->loop[AXIS_Z], mk_var(ir, index[AXIS_Z]));
    else if (axes->n > AXES)
        unfold(ir, axes, AXIS_Z, axes->n, mk_var(ir, index[AXIS_Z]), decls);
    return behind(ir, decls, axes->n, body);
}

static Node *at_row(Ir *ir, const Axes *axes, Sym *row, Node *body)
{
    Node *decls[MAX_AXIS_LOOPS];
    unfold(ir, axes, 0, axes->n, mk_var(ir, row), decls);
    return behind(ir, decls, axes->n, body);
}

static void set_extents(Ir *ir, DeviceNest *nest, const Axes *axes)
{
    nest->naxes = axes->n < AXES ? axes->n : AXES;
    for (int a = 0; a < AXES; a++)
        nest->extent[a] = ix_int(ir, 1);
    for (int i = 0; i < axes->n; i++) {
        int a = i < AXIS_Z ? i : AXIS_Z;
        nest->extent[a] = ix_mul(ir, trip_count(ir, axes->loop[i]), nest->extent[a]);
    }
}

/* ---------------------------------------------------------------- forms */

/* A nest on its way through the steps of plan/passes.def. Once it has vectors, no other forms are made. */
typedef struct Mapping {
    const NestInput *in;
    Node *const *loops; /* outermost first */
    int nloops;
    Node *body;     /* inside, */
    Node *scalars;  /* and with elements in scalars */
    DeviceNest *nest;
    Axes axes;
    Tile tile; /* value: NULL: there is none */
} Mapping;

static void promote_elements(Mapping *m)
{
    if (!m->nest->form[FORM_VECTOR])
        m->scalars = replace_elements(m->in->ir, m->body, false);
}

static void add_points(Mapping *m)
{
    Ir *ir = m->in->ir;
    DeviceNest *nest = m->nest;
    Sym *index[AXES];
    if (nest->form[FORM_VECTOR])
        return;
    m->axes = choose_axes(ir, m->loops, m->nloops, m->scalars, &m->tile);
    set_extents(ir, nest, &m->axes);
    for (int a = 0; a < m->axes.n; a++)
        nest->along[a] = m->axes.loop[a]->sym;
    axis_symbols(ir, &m->axes, index);
    nest->form[FORM_POINT] = function(ir, m->in, "at", index, nest->naxes, at_point(ir, &m->axes, index, m->body), nest->loc);
}

static LaneInput lane_input(const NestInput *in, Node *body, bool guarded)
{
    return (LaneInput){.ir = in->ir,
                       .body = body,
                       .strict = in->strict,
                       .lane = sym_new(in->ir, S_PARAM, T_INT, "lane", (Loc){0, 0}),
                       .on = guarded ? sym_new(in->ir, S_PARAM, T_INT, "on", (Loc){0, 0}) : NULL,
                       .host_knows = in->host_knows,
                       .user = in->user};
}

static const LaneGroup warp = {32, "<32>", "__syncwarp", false};

static LaneGroup block_group(Ir *ir, const GridKnobs *knobs)
{
    const int lanes = grid_knob(knobs, GRID_LANES);
    return (LaneGroup){lanes, arena_printf(ir->arena, "<%d>", lanes), "__syncthreads", false};
}

static LaneGroup column_group(Ir *ir, const GridKnobs *knobs)
{
    const int lanes = grid_knob(knobs, GRID_COLUMN);
    return (LaneGroup){lanes, arena_printf(ir->arena, "_y<%d>", lanes), "__syncthreads", true};
}

static void add_rows(Mapping *m)
{
    const NestInput *in = m->in;
    Ir *ir = in->ir;
    DeviceNest *nest = m->nest;
    const Axes *axes = &m->axes;
    const LaneGroup block = block_group(ir, &nest->knobs);
    const struct {
        NestForm form;
        const LaneGroup *group;
        const char *suffix;
    } forms[] = {{FORM_WARP, &warp, "warp"}, {FORM_BLOCK, &block, "block"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Lanes lanes;
        LaneInput lane = lane_input(in, m->scalars, false);
        if (nest->form[FORM_VECTOR] || (forms[i].form == FORM_WARP && axes->n == 0) ||
            !spread_over_lanes(&lane, forms[i].group, &lanes, NULL))
            continue;
        Sym *params[] = {index_symbol(ir, "row"), lane.lane};
        nest->form[forms[i].form] = function(ir, in, forms[i].suffix, params, 2, at_row(ir, axes, params[0], lanes.body), nest->loc);
        nest->steps = lanes.steps;
        nest->reach = lanes.reach;
        nest->prefers_lanes = lanes.nearness >= axes->nearness;
    }
}

/* Few rows that reduce very much: many blocks for each. */
static void add_parts(Mapping *m)
{
    const NestInput *in = m->in;
    Ir *ir = in->ir;
    DeviceNest *nest = m->nest;
    const Axes *axes = &m->axes;
    Lanes lanes;
    const LaneGroup block = block_group(ir, &nest->knobs);
    Shared shared = {
        .share = SHARE_PARTS, .row = index_symbol(ir, "row"), .chunk = index_symbol(ir, "chunk"), .chunks = index_symbol(ir, "chunks")};
    LaneInput lane = lane_input(in, m->scalars, false);
    if (!nest->form[FORM_BLOCK] || !spread_over_lanes(&lane, &block, &lanes, NULL) || !lanes.shares || !lanes.steps)
        return;
    lane.shared = &shared;
    if (!spread_over_lanes(&lane, &block, &lanes, NULL))
        return;
    Sym *params[4 + MAX_PARTS] = {shared.row, lane.lane, shared.chunk, shared.chunks};
    for (int i = 0; i < shared.nparts; i++)
        params[4 + i] = shared.part[i];
    Node *alone = drop_unused(ir, lanes.body); /* what stands behind the loop is left to `whole` */
    Func *parts = function(ir, in, "parts", params, 4 + shared.nparts, at_row(ir, axes, shared.row, alone), nest->loc);
    shared.share = SHARE_WHOLE;
    if (!spread_over_lanes(&lane, &block, &lanes, NULL))
        return;
    for (int i = 0; i < shared.nparts; i++)
        params[3 + i] = shared.part[i];
    params[2] = shared.chunks;
    nest->form[FORM_PARTS] = parts;
    nest->form[FORM_WHOLE] = function(ir, in, "whole", params, 3 + shared.nparts, at_row(ir, axes, shared.row, lanes.body), nest->loc);
}

/* Points that reach memory well, too few of them to fill the machine: rows of threads share their loops. */
static void add_columns(Mapping *m)
{
    const NestInput *in = m->in;
    Ir *ir = in->ir;
    DeviceNest *nest = m->nest;
    const Axes *axes = &m->axes;
    Lanes lanes;
    LaneInput lane = lane_input(in, m->scalars, true);
    const LaneGroup columns = column_group(ir, &nest->knobs);
    if (!nest->form[FORM_WARP] || nest->prefers_lanes || !spread_over_lanes(&lane, &columns, &lanes, NULL) || !lanes.flat)
        return;
    Sym *params[] = {NULL, NULL, NULL, lane.lane, lane.on};
    axis_symbols(ir, axes, params);
    nest->form[FORM_COLUMNS] = function(ir, in, "columns", params, 5, at_point(ir, axes, params, lanes.body), nest->loc);
}

/* ---------------------------------------------------------------- what runs in order */

const char *note_ordered(const NestInput *in, Node *loop)
{
    Ir *ir = in->ir;
    Carried why;
    const char *because = NULL;
    int line, column;
    Vec reductions = {0};
    if (!loop_is_ordered(ir, loop, &why))
        return NULL;
    if (why.scalar && find_reductions(ir, loop, in->strict, &reductions, &because))
        because = arena_printf(ir->arena, "%s is reduced by one thread after the other", why.scalar->name);
    diag_line_column(ir->diag, loop->loc, &line, &column);
    const char *text = arena_printf(ir->arena, "loop %s runs in order: %s", loop->sym->name,
                                    why.scalar && because ? because : carried_text(ir, &why));
    add_remark(ir, in->remarks, loop->loc, REMARK_MISSED, false, text);
    return arena_printf(ir->arena, "loop %s at line %d%s", loop->sym->name, line, text + 5 + strlen(loop->sym->name));
}

typedef struct Noting {
    const NestInput *in;
    Map shared; /* by place: loops whose iterations lanes share */
    Vec phrases;
} Noting;

static bool note_shared(void *user, Node *n)
{
    Noting *g = user;
    Vec reductions = {0};
    const char *why;
    if (n->kind == N_FOR && find_reductions(g->in->ir, n, g->in->strict, &reductions, &why) && reductions.count)
        *map_at(g->in->ir->arena, &g->shared, (int)n->loc.beg) = n;
    return !is_expr(n);
}

static bool note_loop(void *user, Node *n)
{
    Noting *g = user;
    const char *phrase = n->kind == N_FOR && !map_get(&g->shared, (int)n->loc.beg) ? note_ordered(g->in, n) : NULL;
    if (phrase && g->phrases.count < MAX_ORDERED)
        vec_push(g->in->ir->arena, &g->phrases, (void *)phrase);
    return !is_expr(n);
}

/* `scalars`: the body with elements in scalars. */
static void note_body(const NestInput *in, DeviceNest *nest, Node *body, Node *scalars)
{
    Noting g = {.in = in};
    if (nest->form[FORM_BLOCK])
        walk(&(Walker){.pre = note_shared, .user = &g}, scalars);
    walk(&(Walker){.pre = note_loop, .user = &g}, body);
    vec_push(in->ir->arena, &g.phrases, NULL);
    nest->ordered = (const char **)g.phrases.items;
}

/* ---------------------------------------------------------------- */

/* Element-wise over contiguous arrays: one axis, whatever the number of loops. */
static void add_vector(Mapping *m)
{
    const NestInput *in = m->in;
    DeviceNest *nest = m->nest;
    Vector v;
    if (!find_vector(in->ir, m->loops, m->nloops, m->body, grid_knob(&nest->knobs, GRID_PIECES), &v))
        return;
    nest->width = v.width;
    nest->form[FORM_POINT] = function(in->ir, in, "at", &v.point, 1, v.one, nest->loc);
    nest->form[FORM_VECTOR] = function(in->ir, in, "vector", &v.group, 1, v.all, nest->loc);
    for (int a = 0; a < AXES; a++)
        nest->extent[a] = ix_int(in->ir, 1);
    for (int i = 0; i < m->nloops; i++)
        nest->extent[AXIS_X] = ix_mul(in->ir, nest->extent[AXIS_X], trip_count(in->ir, m->loops[i]));
    nest->naxes = 1;
}

static void add_tile(Mapping *m)
{
    const NestInput *in = m->in;
    Ir *ir = in->ir;
    DeviceNest *nest = m->nest;
    const Axes *axes = &m->axes;
    const Tile *tile = &m->tile;
    if (!tile->value)
        return;
    Sym *at[] = {NULL, NULL, NULL, tile->value};
    axis_symbols(ir, axes, at);
    Node *fetch = mk_return(ir, tile->load, tile->load->loc);
    nest->form[FORM_FETCH] = function(ir, in, "fetch", at, 3, at_point(ir, axes, at, fetch), nest->loc);
    nest->form[FORM_FETCH]->result = tile->load->type;
    nest->form[FORM_TILE] = function(ir, in, "tile", at, 4, at_point(ir, axes, at, tile->body), nest->loc);
}

#define DEVICE_STEP(name, code, what) \
    static void step_##name(Mapping *m) { code; }
#include "plan/passes.def"

static const struct DeviceStep {
    const char *name;
    void (*run)(Mapping *);
} steps[] = {
#define DEVICE_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

Node *nest_around(Ir *ir, Node *const *loops, int nloops, Node *body)
{
    for (int i = nloops - 1; i >= 0; i--) {
        Node *kids[] = {loops[i]->kid[0], loops[i]->kid[1], body};
        body = with_kids(ir, loops[i], 3, kids);
    }
    return body;
}

/* Verifies what there is behind a step: the functions of the nest, and before there are any, its loops. */
static void watch_nest(const Mapping *m, const PassWatch *watch, const char *step)
{
    Ir *ir = m->in->ir;
    bool any = false;
    for (int i = 0; i < FORM_COUNT; i++) {
        any = any || m->nest->form[i];
        if (m->nest->form[i])
            watch_step(ir, watch, step, m->nest->form[i], TREE_PART);
    }
    if (any || !watch)
        return;
    Node *loops = nest_around(ir, m->loops, m->nloops, m->scalars);
    Func f = {.name = m->in->stem, .result = T_VOID, .loc = m->nest->loc};
    f.body = loops->kind == N_BLOCK ? loops : mk_block(ir, 1, &loops, f.loc);
    watch_step(ir, watch, step, &f, TREE_PART);
}

/* What a nest is made of. */
typedef struct Making {
    const NestInput *in;
    Node *const *loops;
    int nloops;
    Node *body;
    uint64_t fingerprint;
} Making;

/* *scalars: the body with elements in scalars. `watch`: as watch_step() has it. */
static DeviceNest *nest_with(const Making *making, const GridKnobs *knobs, const PassWatch *watch, Node **scalars)
{
    Ir *ir = making->in->ir;
    DeviceNest *nest = arena_alloc(ir->arena, sizeof *nest);
    Mapping m = {
        .in = making->in, .loops = making->loops, .nloops = making->nloops, .body = making->body, .scalars = making->body, .nest = nest};
    nest->stem = m.in->stem;
    nest->loc = m.nloops ? m.loops[0]->loc : m.body->loc;
    nest->knobs = *knobs;
    nest->fingerprint = making->fingerprint;
    nest->along = arena_new_array(ir->arena, Sym *, m.nloops + 1);
    for (int i = 0; i < m.nloops; i++)
        nest->along[i] = m.loops[i]->sym;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        steps[i].run(&m);
        watch_nest(&m, watch, steps[i].name);
    }
    *scalars = m.scalars;
    return nest;
}

/* GridInput.make: a trial. */
static const DeviceNest *make_again(const void *maker, const GridKnobs *knobs)
{
    Node *scalars;
    return nest_with(maker, knobs, NULL, &scalars);
}

/* As planned, or with what is chosen then. Only what is kept is printed for --dump-after. */
static DeviceNest *chosen_nest(const Making *m, Node **scalars)
{
    const PlanOptions *opt = m->in->opt;
    Ir *ir = m->in->ir;
    Text printed;
    PassWatch watch = opt->watch ? *opt->watch : (PassWatch){0};
    text_init(&printed, ir->arena);
    watch.out = &printed;
    DeviceNest *nest = nest_with(m, &(GridKnobs){{0}}, opt->watch ? &watch : NULL, scalars);
    if (opt->grid_knobs) {
        const GridInput again = {nest, make_again, m};
        const GridKnobs knobs = opt->grid_knobs(opt->grid_user, ir, &again);
        if (!grid_is_planned(&knobs))
            return nest_with(m, &knobs, opt->watch, scalars);
    }
    if (opt->watch && printed.size)
        text_puts(opt->watch->out, printed.data);
    return nest;
}

/* Each has a stem of its own, and all else as the nest has it. */
static void add_forms(const Making *m, const GridForms *forms, DeviceNest *nest)
{
    for (int i = 0; i < forms->count; i++) {
        Node *scalars;
        NestInput in = *m->in;
        Making other = *m;
        in.stem = arena_printf(in.ir->arena, "%s_form%d", nest->stem, forms->first + i);
        other.in = &in;
        DeviceNest *form = nest_with(&other, &forms->knobs[i], in.opt->watch, &scalars);
        form->number = forms->first + i;
        form->ordered = nest->ordered;
        vec_push(in.ir->arena, &nest->more, form);
    }
}

DeviceNest *nest_of_loops(const NestInput *in, Node *const *loops, int nloops, Node *body)
{
    Ir *ir = in->ir;
    Node *scalars, *source = nest_around(ir, loops, nloops, body);
    const Making making = {in, loops, nloops, body, fingerprint(ir, source)};
    DeviceNest *nest = chosen_nest(&making, &scalars);
    nest->source = source;
    note_body(in, nest, body, scalars);
    for (int i = 0; i < in->opt->ngrid_forms; i++)
        if (in->opt->grid_forms[i].fingerprint == making.fingerprint)
            add_forms(&making, &in->opt->grid_forms[i], nest);
    arena_reset(ir->scratch); /* tables per symbol */
    return nest;
}

bool is_dealt_out(const NestInput *in, Node *loop)
{
    Lanes lanes;
    const LaneGroup block = block_group(in->ir, &(GridKnobs){{0}});
    LaneInput lane = lane_input(in, replace_elements(in->ir, loop, false), false);
    return spread_over_lanes(&lane, &block, &lanes, NULL) && lanes.flat;
}

/* ---------------------------------------------------------------- captured scalars */

typedef struct Captures {
    Ir *ir;
    const bool *host;
    int nhost;
    Vec found;
} Captures;

static bool find_captured(void *user, Node *n)
{
    Captures *c = user;
    if (n->kind != N_VAR || n->sym->kind == S_PARAM || n->sym->id >= c->nhost || !c->host[n->sym->id])
        return true;
    for (int i = 0; i < c->found.count; i++)
        if (c->found.items[i] == n->sym)
            return true;
    vec_push(c->ir->arena, &c->found, n->sym);
    return true;
}

void capture(Ir *ir, DeviceNest *nest, const bool *host, int nhost)
{
    Captures c = {ir, host, nhost, {0}};
    Walker w = {.pre = find_captured, .user = &c};
    for (int i = 0; i < FORM_COUNT; i++)
        if (nest->form[i])
            walk(&w, nest->form[i]->body);
    for (int a = 0; a < AXES; a++)
        walk(&w, nest->extent[a]);
    if (nest->steps)
        walk(&w, nest->steps);
    if (nest->reach)
        walk(&w, nest->reach);
    nest->ncaptured = c.found.count;
    nest->captured = (Sym **)c.found.items;
    for (int i = 0; i < nest->more.count; i++) {
        DeviceNest *form = nest->more.items[i];
        form->ncaptured = nest->ncaptured;
        form->captured = nest->captured;
    }
}
