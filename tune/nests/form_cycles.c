/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops are replayed. Of one that compilers vectorize, an iteration counts the share of a vector that it fills. */
#include "tune/nests/form_cycles.h"

#include <math.h>

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/libm.h"
#include "ir/range.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/by_compiler.h"
#include "tune/nests/loop_cycles.h"

/* How much better scalars must seem than vectors: sampled steps and borders may leave loops few iterations that have many. */
#define SCALARS_DOUBT 8

enum {
    GROUP = 4,       /* elements so far apart are loaded together and shuffled, */
    NEAR = 64,       /* elements so far apart one by one */
    BY_CONSTANT = 5, /* a division by a constant, in terms of an addition */
    REMAINDER = 16,  /* cycles until the scalar loop behind vectors runs and ends */
    GUESS = 4        /* cycles of a branch of which nobody knows which way it goes */
};

/* Of one iteration, in terms of vectors of the set. */
typedef struct Lanes {
    const FeatureInput *in;
    Arena *arena;
    Ranges *ranges;
    Node *loop;
    Map names; /* by symbol id: what constants of the body stand for */
    Map seen;  /* by node id */
    double times; /* how often an iteration does what is looked at */
    double arithmetic, loads, stores;
    int widest; /* bytes of the values */
    bool far;   /* some element is looked up, or is far from the next iteration's */
} Lanes;

static int bytes_for(Range r)
{
    for (int bytes = 1; bytes < 8; bytes *= 2) {
        const Wide half = (Wide)1 << (8 * bytes - 1);
        if ((r.lo >= -half && r.hi < half) || (r.lo >= 0 && r.hi < 2 * half))
            return bytes;
    }
    return 8;
}

/* Bytes of a lane that holds the value. */
static int width_of(const Lanes *l, Node *e)
{
    const Type type = (Type)e->type;
    if (type_is_float(type))
        return type_bytes(type);
    return type == T_BOOL || kind_info[e->kind].flags & F_REL ? 1 : bytes_for(range_of(l->ranges, e));
}

static int widest_of_kids(const Lanes *l, Node *e)
{
    int widest = 1;
    for (int i = 0; i < e->nkids; i++) {
        const int width = width_of(l, e->kid[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static double part(const Lanes *l, int width) { return width / (double)vector_sets[l->in->set].bytes; }

static void visit(Lanes *l, Node *e);

/* ---------------------------------------------------------------- memory */

enum { LOWER_HALVES = 32 }; /* bytes of vectors of which most shuffles stay within halves, and none takes lanes of two vectors */

/* Shuffles for a vector of elements that are so far apart: of two vectors at a time, until it has all. */
static double shuffles(const Lanes *l, double far)
{
    const double each = vector_sets[l->in->set].bytes == LOWER_HALVES ? (far == 3 ? 3 : 2) : 1;
    return far > 1 ? each * ceil(log2(far)) : 0;
}

static bool is_change(void *user, Node *n)
{
    Node *body = user;
    return n->kind == N_VAR && n->sym->kind != S_LOOP && writes_sym(body, n->sym);
}

/* Does a scalar of the iteration say which element it is? */
static bool is_looked_up(const Lanes *l, Node *subscript) { return any_node(subscript, is_change, l->loop->kid[2]); }

static void access(Lanes *l, Node *n, double *count)
{
    Poly *coef, *rest;
    Sym *var = l->loop->sym;
    int64_t stride = 0;
    const int bytes = type_bytes(n->sym->type);
    Node *subscript = expand_names(l->in->ir, &l->names, n->kid[0]);
    const bool affine = !is_looked_up(l, subscript) && poly_affine(l->in->ir, poly_of(l->in->ir, subscript), &var, 1, &coef, &rest) &&
                        poly_const(coef, &stride);
    const double far = fabs((double)stride);
    if (affine && stride == 0)
        return;
    if (affine && far <= GROUP) {
        *count += l->times * part(l, bytes);
        l->arithmetic += l->times * part(l, bytes) * (stride < 0 ? 1 : shuffles(l, far));
        return;
    }
    *count += l->times;
    l->arithmetic += l->times;
    l->far = l->far || !affine || far > NEAR;
}

/* ---------------------------------------------------------------- values */

static double weight(Node *e, int width)
{
    switch ((Kind)e->kind) {
    case N_MUL: return width == 1 || width == 8 ? 3 : 1;
    case N_DIV:
    case N_MOD: return type_is_float((Type)e->type) ? DIVISION : e->kid[1]->kind == N_INT ? BY_CONSTANT : 4 * DIVISION;
    case N_CALL: return is_libm(e->sym, "sqrt") ? DIVISION : 1;
    default: return 1;
    }
}

static void note_width(Lanes *l, int width) { l->widest = width > l->widest ? width : l->widest; }

static void convert(Lanes *l, Node *e)
{
    const int from = width_of(l, e->kid[0]), to = width_of(l, e);
    const bool is_number = type_is_float((Type)e->type) != type_is_float((Type)e->kid[0]->type);
    const int wide = from > to ? from : to;
    l->arithmetic += l->times * part(l, wide) * (is_number + (from != to) * fabs(log2(from) - log2(to)));
    note_width(l, wide);
}

static void visit(Lanes *l, Node *e)
{
    if (map_get(&l->seen, e->id))
        return;
    *map_at(l->arena, &l->seen, e->id) = e;
    if (e->kind == N_LOAD) {
        note_width(l, type_bytes(e->sym->type));
        access(l, e, &l->loads);
        return;
    }
    if (e->kind == N_INT || e->kind == N_FLOAT || e->kind == N_VAR || e->kind == N_REF || (Type)e->type == T_INDEX)
        return;
    for (int i = 0; i < e->nkids; i++)
        visit(l, e->kid[i]);
    if (e->kind == N_CAST) {
        convert(l, e);
        return;
    }
    int width = width_of(l, e);
    const int kids = widest_of_kids(l, e);
    width = kids > width ? kids : width;
    note_width(l, width);
    l->arithmetic += l->times * part(l, width) * weight(e, width);
}

/* Loops inside are unrolled. */
static void note_statements(Lanes *l, Node *n)
{
    if (is_expr(n))
        return;
    if ((n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids) {
        if (n->kind == N_DECL && n->sym->is_const && type_is_integer(n->sym->type))
            *map_at(l->arena, &l->names, n->sym->id) = n->kid[0];
        if (n->kind != N_DECL || !n->sym->is_const || n->sym->type != T_INDEX)
            visit(l, n->kid[0]);
    }
    if (n->kind == N_IF)
        visit(l, n->kid[0]);
    if (n->kind == N_STORE) {
        visit(l, stmt_value(n));
        access(l, n, &l->stores);
    }
    const Node *trips = n->kind == N_FOR ? trip_count(l->in->ir, n) : NULL;
    const double times = l->times;
    l->times *= trips && trips->kind == N_INT ? (double)trips->u.i : 1;
    for (int i = n->kind == N_FOR ? 2 : 0; i < n->nkids; i++)
        note_statements(l, n->kid[i]);
    l->times = times;
}

/* ---------------------------------------------------------------- loops */

typedef struct Estimate {
    const FeatureInput *in;
    Arena *arena;
    Ranges *ranges;
    const Replay *replay;
    bool guesses; /* nobody knows the trip count of some innermost loop */
    bool fills;   /* some loop is expected to fill vectors */
} Estimate;

/* Lanes of a loop: as many as vectors have for its widest values, no more than a constant trip count fills. */
static double lanes_of_loop(const Estimate *c, const ReplayLoop *loop, int widest)
{
    const double lanes = vector_sets[c->in->set].bytes / (double)widest;
    const Node *trips = trip_count(c->in->ir, (Node *)loop->loop);
    return trips && trips->kind == N_INT && loop->trips < lanes ? exp2(floor(log2(fmax(1, loop->trips)))) : lanes;
}

/* `scalar`: cycles of the loop as it is. */
static double by_vectors(const Estimate *c, const ReplayLoop *loop, double scalar)
{
    Lanes l = {.in = c->in, .arena = c->arena, .ranges = c->ranges, .loop = (Node *)loop->loop, .times = 1, .widest = 1};
    note_statements(&l, (Node *)loop->body);
    if (l.far)
        return scalar;
    const Machine *m = &c->in->machine;
    const double full = vector_sets[c->in->set].bytes / (double)l.widest, lanes = lanes_of_loop(c, loop, l.widest);
    const double all = l.arithmetic + l.loads + l.stores + 2 / full;
    const double each = full / lanes *
                        fmax(fmax(l.arithmetic / m->ports, all / m->issue), fmax(l.loads / m->load_ports, l.stores / m->store_ports));
    const double whole = floor(loop->trips / lanes) * lanes;
    const double one = scalar / fmax(1, loop->runs * loop->trips);
    const double rest = loop->trips > whole ? REMAINDER + (loop->trips - whole) * one : 0;
    return fmin(scalar, loop->runs * (START + whole * each + rest));
}

/* Besides what the model of nests counts, lanes that lie on lines of their own take as long as a load once more. */
static double cycles_alone(const FeatureInput *in, Arena *arena, const ReplayLoop *loop)
{
    return loop_cycles(&in->machine, arena, loop) + GUESS * loop->work.guesses + loop->work.far_lanes / in->machine.load_ports;
}

/* Of loop number `i` and those inside, of which it or some are by vectors. */
static double cycles_of(Estimate *c, int i)
{
    const ReplayLoop *loop = c->replay->loops.items[i];
    double cycles = cycles_alone(c->in, c->arena, loop);
    c->guesses = c->guesses || (loop->innermost && loop->is_guess);
    for (int j = i + 1; j < c->replay->loops.count; j++)
        if (((const ReplayLoop *)c->replay->loops.items[j])->parent == i)
            cycles += cycles_of(c, j);
    const bool may = loop->loop && suits_compilers(c->in->ir, (Node *)loop->loop, c->in->set);
    const double vectors = may ? by_vectors(c, loop, cycles) : cycles;
    c->fills = c->fills || vectors < cycles;
    return vectors;
}

double form_cycles(const FeatureInput *in, Arena *arena, const Node *body)
{
    const Replay *replay = replay_nest(in, arena, body);
    double cycles = 0;
    for (int i = 0; i < replay->loops.count; i++)
        cycles += cycles_alone(in, arena, replay->loops.items[i]);
    return cycles;
}

/* ---------------------------------------------------------------- how sure is it? */

typedef struct Sampled {
    Ir *ir;
    Node *loop;
    bool found; /* something whose value only shapes that are sampled have */
} Sampled;

static bool is_data(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || type_is_float((Type)n->type);
}

/* Does the condition tell borders from the inside of arrays, rather than look at what they hold? */
static bool is_of_border(Node *cond) { return !any_node(cond, is_data, NULL); }

/* Steps through memory that are no constants, and borders. */
static bool search_sampled(void *user, Node *n)
{
    Sampled *s = user;
    const bool is_access = n->kind == N_LOAD || n->kind == N_STORE;
    const bool chooses = n->kind == N_IF || n->kind == N_SEL || kind_info[n->kind].flags & F_LAZY;
    s->found = s->found || (chooses && is_of_border(n->kid[0]));
    for (int d = 0; is_access && !s->found && d < n->sym->rank; d++) {
        Poly *coef, *rest;
        int64_t step;
        Sym *var = s->loop->sym;
        s->found = poly_affine(s->ir, poly_of(s->ir, n->kid[d]), &var, 1, &coef, &rest) && !poly_const(coef, &step);
    }
    return !s->found;
}

static bool search_loop(void *user, Node *n)
{
    Sampled *s = user;
    if (n->kind == N_FOR && !has_kind(n->kid[2], N_FOR)) {
        s->loop = n;
        walk(&(Walker){.pre = search_sampled, .user = s}, n->kid[2]);
    }
    s->found = s->found || (n->kind == N_IF && is_of_border(n->kid[0]));
    return !s->found && !is_expr(n);
}

static bool is_sampled(Ir *ir, Node *body)
{
    Sampled s = {.ir = ir};
    walk(&(Walker){.pre = search_loop, .user = &s}, body);
    return s.found;
}

double compiled_cycles(const FeatureInput *in, Arena *arena, Node *body)
{
    Estimate c = {.in = in, .arena = arena, .ranges = ranges_new(in->ir, body), .replay = replay_nest(in, arena, body)};
    const double cycles = cycles_of(&c, 0);
    return c.guesses ? INFINITY : c.fills || !is_sampled(in->ir, body) ? cycles : cycles * SCALARS_DOUBT;
}
