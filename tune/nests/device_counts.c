/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launch first, then its warps, one after the other. */
#include "tune/nests/device_counts.h"

#include "depend/parallel.h"
#include "tune/nests/lane_values.h"

enum {
    UNKNOWN_TRIPS = 16,
    MOST_UNROLLED = 16,
    MOST_NESTED = 16,
    TILE_SIDE = 32,
    PARTS_BLOCKS = 1024,
    PARTS_STEPS = 4096,
    PARTS_ROWS = 256
};
enum { WORD_BYTES = 4, PIECE_BYTES = 16 };

/* A grid. */
typedef struct Launch {
    const DeviceNest *nest;
    NestForm form;
    int wide, tall; /* threads along x and y; all others lie along x */
    int width;      /* points of a thread */
    int64_t extent[AXES], blocks[AXES];
} Launch;

/* A loop around. */
typedef struct Around {
    const Sym *var;
    int64_t step;
    double trips;
    bool unrolled;
} Around;

/* Warps going through a tree. */
typedef struct Going {
    Ir *ir;
    const DeviceLimits *limits;
    const Launch *launch;
    DeviceNumbers *out;
    LaneValues values;
    bool active[MOST_LANES], is_first; /* it is the block's first warp: what is the same for all is noted */
    double transactions, shared;       /* of the block so far */
    double most;                       /* transactions of a warp */
    int64_t items;                     /* its threads that have something to do, besides those that only go along */
    double iterations;                 /* of a lane, of innermost loops */
    Map own, inputs;                   /* by symbol id: arrays of the thread; int *, place in out->reuse */
    Around around[MOST_NESTED];        /* outermost first */
    int naround;
} Going;

static int64_t up(int64_t n, int64_t by) { return (n + by - 1) / by; }

/* As mik_side() of templates/engine/cuda/nest_launch.cuh. */
static int side(int64_t n, int most)
{
    int s = 1;
    while (s < n && s < most)
        s *= 2;
    return s;
}

/* As mik_row_chunks() there. */
static int64_t chunks_of(int64_t steps, int64_t rows)
{
    const int64_t most = PARTS_BLOCKS / rows, wanted = steps / PARTS_STEPS;
    return rows > PARTS_ROWS || wanted < 2 ? 1 : wanted < most ? wanted : most;
}

/* ---------------------------------------------------------------- the launch */

static void lay_out_points(Launch *l)
{
    const GridKnobs *knobs = &l->nest->knobs;
    const int threads = grid_knob(knobs, GRID_THREADS), most = grid_knob(knobs, GRID_WIDE), wide = most < threads ? most : threads;
    l->wide = l->nest->naxes ? side(l->extent[AXIS_X], l->nest->naxes == 1 || l->extent[AXIS_Y] == 1 ? threads : wide) : 1;
    l->tall = l->nest->naxes > 1 ? side(l->extent[AXIS_Y], threads / l->wide) : 1;
    l->blocks[AXIS_X] = up(l->extent[AXIS_X], l->wide);
    l->blocks[AXIS_Y] = up(l->extent[AXIS_Y], l->tall);
    l->blocks[AXIS_Z] = l->extent[AXIS_Z];
}

static void lay_out_rows(Launch *l, int threads, int64_t blocks, int64_t chunks)
{
    l->wide = threads;
    l->blocks[AXIS_X] = blocks;
    l->blocks[AXIS_Y] = chunks;
}

/* As templates/cuda/nest_run.cu.j2 does it. `steps`: 0 where nobody knows. */
static void lay_out(Launch *l, int64_t steps)
{
    const GridKnobs *knobs = &l->nest->knobs;
    const int64_t x = l->extent[AXIS_X], y = l->extent[AXIS_Y], z = l->extent[AXIS_Z];
    const int threads = grid_knob(knobs, GRID_THREADS), rows = grid_knob(knobs, GRID_ROWS), lanes = grid_knob(knobs, GRID_LANES);
    l->tall = l->width = 1;
    l->blocks[AXIS_Y] = l->blocks[AXIS_Z] = 1;
    switch (l->form) {
    case FORM_WARP: lay_out_rows(l, MOST_LANES * rows, up(x * y * z, rows), 1); break;
    case FORM_BLOCK: lay_out_rows(l, lanes, x * y * z, 1); break;
    case FORM_PARTS: lay_out_rows(l, lanes, x * y * z, chunks_of(steps, x * y * z)); break;
    case FORM_VECTOR:
        l->width = l->nest->width;
        lay_out_rows(l, threads, up(x, (int64_t)threads * l->width), 1);
        break;
    case FORM_COLUMNS:
        lay_out_rows(l, TILE_SIDE, up(x, TILE_SIDE), y);
        l->tall = grid_knob(knobs, GRID_COLUMN);
        l->blocks[AXIS_Z] = z;
        break;
    case FORM_TILE:
        lay_out_rows(l, TILE_SIDE, up(x, TILE_SIDE), up(y, TILE_SIDE));
        l->tall = grid_knob(knobs, GRID_TILE);
        l->width = TILE_SIDE / l->tall;
        l->blocks[AXIS_Z] = z;
        break;
    default: lay_out_points(l);
    }
}

/* ---------------------------------------------------------------- accesses */

static int active_lanes(const Going *g)
{
    int n = 0;
    for (int i = 0; i < MOST_LANES; i++)
        n += g->active[i];
    return n;
}

/* By how many elements the loop moves the access; 0: not at all. */
static int64_t moved(Going *g, const Node *access, const Around *loop)
{
    LaneValue here, there, var;
    if (!lane_values_of_access(&g->values, access, &here) || !map_get(&g->values.known, loop->var->id))
        return INT64_MAX;
    const LaneValue at = *(const LaneValue *)map_get(&g->values.known, loop->var->id);
    for (int i = 0; i < MOST_LANES; i++)
        var.of[i] = at.of[i] + loop->step;
    lanes_set(&g->values, loop->var, &var);
    const bool known = lane_values_of_access(&g->values, access, &there);
    lanes_set(&g->values, loop->var, &at);
    for (int i = 0; known && i < MOST_LANES; i++)
        if (g->active[i])
            return there.of[i] - here.of[i];
    return INT64_MAX;
}

/* Elements that one instruction moves: as many as lie one behind the other in 16 bytes, where arrays are known to be aligned. */
static int vector_of(Going *g, const Node *access)
{
    const Around *inner = g->naround ? &g->around[g->naround - 1] : NULL;
    if (g->launch->form != FORM_VECTOR || !inner || !inner->unrolled || moved(g, access, inner) != 1)
        return 1;
    const int most = PIECE_BYTES / type_bytes(access->sym->type);
    return inner->trips < most ? (int)inner->trips : most;
}

static void note_input(Going *g, const Node *load)
{
    double reuse = 1;
    for (int i = 0; i < g->naround; i++)
        if (g->around[i].unrolled && moved(g, load, &g->around[i]) == 0)
            reuse *= g->around[i].trips;
    double **known = (double **)map_at(g->ir->scratch, &g->inputs, load->sym->id);
    if (!*known && g->out->ninputs < MOST_INPUTS) {
        *known = &g->out->reuse[g->out->ninputs++];
        **known = reuse;
    }
    if (*known && reuse < **known)
        **known = reuse;
}

/* Loops that do not move an access, and have none inside that does, find it in a register. */
static double without_repeats(Going *g, const Node *access, double times)
{
    for (int i = g->naround - 1; i >= 0 && moved(g, access, &g->around[i]) == 0; i--)
        times /= g->around[i].trips > 1 ? g->around[i].trips : 1;
    return times;
}

static void note_access(Going *g, const Node *access, double times)
{
    LaneValue element;
    int64_t address[MOST_LANES];
    int n = 0;
    if (map_get(&g->own, access->sym->id) || !active_lanes(g))
        return;
    const int bytes = type_bytes(access->sym->type), vector = vector_of(g, access);
    if (lane_values_of_access(&g->values, access, &element))
        for (int i = 0; i < MOST_LANES; i++)
            if (g->active[i])
                address[n++] = element.of[i] * bytes;
    const int lines = n ? lines_of_warp(address, n, bytes * vector, g->limits->line) : active_lanes(g);
    times = without_repeats(g, access, times);
    g->transactions += staging_transactions(g->limits, times * MOST_LANES, MOST_LANES, vector, lines);
    if (g->is_first && access->kind == N_LOAD)
        note_input(g, access);
}

/* Lanes meet in functions of the engine, which are neither the C library's nor the spec's. Each warp leaves its part in shared memory, and
 * fetches the others'. */
static void note_meeting(Going *g, const Node *call, double times)
{
    const Launch *l = g->launch;
    const int warps = (int)up((int64_t)l->wide * l->tall, MOST_LANES), parts = l->form == FORM_COLUMNS ? MOST_LANES * l->tall : warps;
    if (l->form == FORM_WARP || call->sym->libm || call->sym->func || call->sym->is_pure)
        return;
    g->shared += times * (1 + (l->form == FORM_COLUMNS ? l->tall : 1));
    if (g->is_first) {
        g->out->shared += parts * type_bytes((Type)call->type);
        g->out->shared_elements += parts;
    }
}

static void go_expr(Going *g, const Node *e, double times)
{
    for (int i = 0; i < e->nkids; i++)
        go_expr(g, e->kid[i], times);
    if (e->kind == N_LOAD)
        note_access(g, e, times);
    if (e->kind == N_CALL)
        note_meeting(g, e, times);
}

/* ---------------------------------------------------------------- statements */

static void go(Going *g, Node *n, double times);

static int words_of(Type type) { return type_bytes(type) > WORD_BYTES ? type_bytes(type) / WORD_BYTES : 1; }

static void go_decl(Going *g, const Node *n, double times)
{
    LaneValue value = {{0}};
    int64_t elements = 1;
    for (int d = 0; d < n->sym->rank; d++)
        elements *= n->sym->extent[d] && lane_values_of(&g->values, n->sym->extent[d], &value) ? value.of[0] : UNKNOWN_TRIPS;
    if (g->is_first)
        g->out->elements += (int)elements * words_of(n->sym->type);
    if (n->sym->rank)
        *map_at(g->ir->scratch, &g->own, n->sym->id) = (void *)n;
    for (int i = 0; i < n->nkids; i++)
        go_expr(g, n->kid[i], times);
    if (n->nkids && !n->sym->rank)
        lanes_define(&g->values, n->sym, n->kid[0]);
    else
        lanes_set(&g->values, n->sym, NULL);
}

static void go_store(Going *g, const Node *n, double times)
{
    for (int i = 0; i < n->nkids; i++)
        go_expr(g, n->kid[i], times);
    note_access(g, n, times);
}

/* Where the condition says something of each lane, those go on for which it holds. */
static void go_if(Going *g, Node *n, double times)
{
    LaneValue condition;
    bool before[MOST_LANES];
    go_expr(g, n->kid[0], times);
    const bool known = lane_values_of(&g->values, n->kid[0], &condition);
    for (int i = 0; i < MOST_LANES; i++)
        before[i] = g->active[i];
    for (int arm = 1; arm < n->nkids; arm++) {
        for (int i = 0; known && i < MOST_LANES; i++)
            g->active[i] = before[i] && (condition.of[i] != 0) == (arm == 1);
        go(g, n->kid[arm], times);
    }
    for (int i = 0; i < MOST_LANES; i++)
        g->active[i] = before[i];
}

/* Of the lane that has most. */
static double trips_of_warp(const Going *g, Node *loop)
{
    LaneValue trips;
    Node *count = trip_count(g->ir, loop);
    int64_t most = 0;
    if (!count || !lane_values_of(&g->values, count, &trips))
        return UNKNOWN_TRIPS;
    for (int i = 0; i < MOST_LANES; i++)
        most = g->active[i] && trips.of[i] > most ? trips.of[i] : most;
    return (double)most;
}

static bool has_loop(const Node *n)
{
    bool found = n->kind == N_FOR;
    for (int i = 0; !found && !is_expr(n) && i < n->nkids; i++)
        found = has_loop(n->kid[i]);
    return found;
}

/* Its body once, in the iteration in the middle. */
static void go_for(Going *g, Node *n, double times)
{
    LaneValue at;
    Node *count = trip_count(g->ir, n);
    const double trips = trips_of_warp(g, n);
    const bool unrolls = count && count->kind == N_INT && trips <= MOST_UNROLLED, has_room = g->naround < MOST_NESTED;
    go_expr(g, n->kid[0], times);
    go_expr(g, n->kid[1], times * trips);
    if (g->is_first && !unrolls)
        g->out->elements += words_of(n->sym->type);
    const bool known = lane_values_of(&g->values, n->kid[0], &at);
    for (int i = 0; known && i < MOST_LANES; i++)
        at.of[i] += n->u.i * (unrolls ? 0 : (int64_t)(trips / 2));
    lanes_set(&g->values, n->sym, known ? &at : NULL);
    if (has_room)
        g->around[g->naround++] = (Around){n->sym, n->u.i, trips, unrolls};
    go(g, n->kid[2], times * trips);
    g->naround -= has_room;
    lanes_set(&g->values, n->sym, NULL);
    if (!has_loop(n->kid[2]))
        g->iterations += times * trips;
}

static void go(Going *g, Node *n, double times)
{
    switch ((Kind)n->kind) {
    case N_DECL: go_decl(g, n, times); break;
    case N_STORE: go_store(g, n, times); break;
    case N_FOR: go_for(g, n, times); break;
    case N_IF: go_if(g, n, times); break;
    case N_ASSIGN:
        go_expr(g, n->kid[0], times);
        lanes_set(&g->values, n->sym, NULL);
        break;
    default:
        for (int i = 0; i < n->nkids; i++)
            is_expr(n->kid[i]) ? go_expr(g, n->kid[i], times) : go(g, n->kid[i], times);
    }
}

/* ---------------------------------------------------------------- a block */

/* The form's parameters of thread number `thread` of the block, and whether it has something to do. */
static bool parameters_of(const Launch *l, const int64_t block[AXES], int thread, int64_t value[AXES + 2])
{
    const int64_t *e = l->extent, across = thread % l->wide, up = thread / l->wide;
    const int64_t x = block[AXIS_X] * l->wide + across, y = block[AXIS_Y] * l->tall + up;
    for (int i = 0; i < AXES + 2; i++)
        value[i] = i < AXES ? block[i] : 0;
    switch (l->form) {
    case FORM_WARP:
        value[0] = block[AXIS_X] * (l->wide / MOST_LANES) + thread / MOST_LANES;
        value[1] = thread % MOST_LANES;
        return value[0] < e[AXIS_X] * e[AXIS_Y] * e[AXIS_Z];
    case FORM_BLOCK:
    case FORM_PARTS:
        value[1] = thread;
        value[2] = block[AXIS_Y];
        value[3] = l->blocks[AXIS_Y];
        return true;
    case FORM_VECTOR: value[0] = x; return (x + 1) * l->width <= e[AXIS_X];
    case FORM_COLUMNS:
        value[0] = x < e[AXIS_X] ? x : e[AXIS_X] - 1;
        value[3] = up;
        value[4] = x < e[AXIS_X];
        return true;
    default:
        value[0] = x;
        value[1] = y;
        return x < e[AXIS_X] && y < e[AXIS_Y];
    }
}

/* Of a tile: neighbours are along x where values are used, and along y where they are fetched. */
static bool parameters_of_tile(const Launch *l, NestForm part, const int64_t block[AXES], int thread, int64_t value[AXES + 2])
{
    const int64_t across = thread % l->wide, up = thread / l->wide;
    value[0] = block[AXIS_X] * TILE_SIDE + (part == FORM_FETCH ? up : across);
    value[1] = block[AXIS_Y] * TILE_SIDE + (part == FORM_FETCH ? across : up);
    value[2] = block[AXIS_Z];
    value[3] = value[4] = 0;
    return value[0] < l->extent[AXIS_X] && value[1] < l->extent[AXIS_Y];
}

static void go_warp(Going *g, NestForm part, const int64_t block[AXES], int first, double times)
{
    const Launch *l = g->launch;
    const Func *f = l->nest->form[part];
    LaneValue values[AXES + 2] = {{{0}}};
    for (int i = 0; i < MOST_LANES; i++) {
        int64_t value[AXES + 2];
        const bool is_there = first + i < l->wide * l->tall;
        g->active[i] = l->form == FORM_TILE ? parameters_of_tile(l, part, block, first + i, value)
                                            : parameters_of(l, block, first + i, value);
        g->active[i] = g->active[i] && is_there;
        for (int p = 0; p < AXES + 2; p++)
            values[p].of[i] = value[p];
    }
    const int known = l->form == FORM_PARTS ? 4 : l->form == FORM_TILE ? AXES : f->nparams;
    for (int p = 0; p < f->nparams && p < AXES + 2; p++)
        lanes_set(&g->values, f->params[p], p < known ? &values[p] : NULL);
    g->is_first = first == 0;
    g->items += part == FORM_FETCH ? 0 : active_lanes(g);
    go(g, f->body, times);
}

/* What a tile moves through shared memory: a row of it as one, a column as the other. */
static void add_tile(Going *g, const Launch *l)
{
    const Type type = l->nest->form[FORM_FETCH]->result;
    const int words = words_of(type);
    int transactions = 0;
    for (int w = 0; w < words; w++) {
        int64_t row[MOST_LANES], column[MOST_LANES];
        for (int i = 0; i < MOST_LANES; i++) {
            row[i] = (int64_t)i * type_bytes(type) / WORD_BYTES + w;
            column[i] = (int64_t)i * (TILE_SIDE + 1) * type_bytes(type) / WORD_BYTES + w;
        }
        transactions += bank_transactions(row, MOST_LANES, g->limits->banks) + bank_transactions(column, MOST_LANES, g->limits->banks);
    }
    g->shared += (double)transactions * TILE_SIDE;
    g->out->shared_elements += TILE_SIDE * (TILE_SIDE + 1);
    g->out->shared += TILE_SIDE * (TILE_SIDE + 1) * type_bytes(type);
}

static void go_block(Going *g, const int64_t block[AXES])
{
    const Launch *l = g->launch;
    for (int first = 0; first < l->wide * l->tall; first += MOST_LANES) {
        const double before = g->transactions;
        if (l->form == FORM_TILE)
            go_warp(g, FORM_FETCH, block, first, l->width);
        go_warp(g, l->form, block, first, l->form == FORM_TILE ? l->width : 1);
        g->most = g->transactions - before > g->most ? g->transactions - before : g->most;
    }
    if (l->form == FORM_TILE)
        add_tile(g, l);
}

/* How many such blocks make up the grid, the last one along each axis not being full. */
static double whole_of(const Going *g)
{
    const Launch *l = g->launch;
    const double points = (double)(l->extent[AXIS_X] * l->extent[AXIS_Y] * l->extent[AXIS_Z]), items = (double)g->items;
    switch (l->form) {
    case FORM_POINT: return points / items;
    case FORM_WARP: return points * MOST_LANES / items;
    case FORM_VECTOR:
    case FORM_TILE: return items > 0 ? points / (items * l->width) : (double)g->out->blocks;
    default: return (double)g->out->blocks;
    }
}

/* Iterations of a point, the one in the middle. */
static double iterations_of_point(const Going *whole)
{
    DeviceNumbers ignored = {0};
    Launch points = *whole->launch;
    int64_t block[AXES];
    Going g = {.ir = whole->ir, .limits = whole->limits, .launch = &points, .out = &ignored, .values = whole->values};
    points.form = FORM_POINT;
    lay_out(&points, 0);
    for (int a = 0; a < AXES; a++)
        block[a] = points.blocks[a] / 2;
    go_warp(&g, FORM_POINT, block, 0, 1);
    return g.iterations > 1 ? g.iterations : 1;
}

/* ---------------------------------------------------------------- */

static bool find_extents(const Going *g, const DeviceNest *nest, int64_t extent[AXES])
{
    LaneValue value;
    for (int a = 0; a < AXES; a++) {
        if (!lane_values_of(&g->values, nest->extent[a], &value) || value.of[0] <= 0)
            return false;
        extent[a] = value.of[0];
    }
    return true;
}

bool device_numbers(Ir *ir, const DeviceNest *nest, NestForm form, const ScalarValue *scalars, int nscalars, const DeviceLimits *limits,
                    DeviceNumbers *out)
{
    Launch launch = {.nest = nest, .form = form};
    Going g = {.ir = ir, .limits = limits, .launch = &launch, .out = out, .values = {.arena = ir->scratch}};
    LaneValue steps;
    int64_t block[AXES];
    *out = (DeviceNumbers){0};
    for (int i = 0; i < nscalars; i++)
        lanes_set_all(&g.values, scalars[i].scalar, scalars[i].value);
    if (form == FORM_FETCH || form == FORM_WHOLE || !nest->form[form] || !find_extents(&g, nest, launch.extent))
        return false;
    lay_out(&launch, nest->steps && lane_values_of(&g.values, nest->steps, &steps) ? steps.of[0] : 0);
    out->blocks = launch.blocks[AXIS_X] * launch.blocks[AXIS_Y] * launch.blocks[AXIS_Z];
    out->threads = launch.wide * launch.tall;
    out->outputs = launch.width;
    const double of_point = iterations_of_point(&g);
    out->iterations = of_point * (double)(launch.extent[AXIS_X] * launch.extent[AXIS_Y] * launch.extent[AXIS_Z]);
    for (int a = 0; a < AXES; a++)
        block[a] = launch.blocks[a] / 2;
    go_block(&g, block);
    out->transactions = g.transactions * whole_of(&g);
    out->busy = g.most > 0 ? g.transactions / g.most : 0;
    out->all_busy = out->busy * whole_of(&g);
    out->shared_transactions = g.shared;
    out->depth = form == FORM_TILE ? 1 : g.iterations / ((out->threads + MOST_LANES - 1) / MOST_LANES);
    arena_reset(ir->scratch);
    return true;
}

static NestForm form_by_steps(const DeviceNest *nest, const int64_t *e, int64_t steps)
{
    const int64_t rows = e[AXIS_X] * e[AXIS_Y] * e[AXIS_Z];
    if (!nest->form[FORM_WARP])
        return steps < 16 ? FORM_POINT : FORM_BLOCK;
    if (nest->prefers_lanes ? steps < 16 : steps < 64 || rows >= 65536)
        return FORM_POINT;
    if (nest->form[FORM_COLUMNS] && rows >= 1024)
        return FORM_COLUMNS;
    return steps >= 4096 || (steps >= 512 && rows < 1024) ? FORM_BLOCK : FORM_WARP;
}

bool device_form(Ir *ir, const DeviceNest *nest, const ScalarValue *scalars, int nscalars, NestForm *form)
{
    Going g = {.ir = ir, .values = {.arena = ir->scratch}};
    LaneValue steps, reach;
    int64_t e[AXES];
    for (int i = 0; i < nscalars; i++)
        lanes_set_all(&g.values, scalars[i].scalar, scalars[i].value);
    bool known = find_extents(&g, nest, e);
    *form = FORM_POINT;
    if (known && nest->form[FORM_VECTOR]) {
        *form = e[AXIS_X] >= 65536 ? FORM_VECTOR : FORM_POINT;
    } else if (known && nest->form[FORM_TILE]) {
        *form = e[AXIS_X] >= 16 && e[AXIS_Y] >= 16 ? FORM_TILE : FORM_POINT;
    } else if (known && nest->form[FORM_BLOCK]) {
        known = nest->steps && lane_values_of(&g.values, nest->steps, &steps) &&
                (!nest->reach || lane_values_of(&g.values, nest->reach, &reach));
        if (known && (!nest->reach || reach.of[0] <= INT32_MAX))
            *form = form_by_steps(nest, e, steps.of[0]);
    }
    arena_reset(ir->scratch);
    return known;
}
