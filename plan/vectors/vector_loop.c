/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main loop and the one behind it. */
#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/nests/prefetch_next_row.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/low_integers.h"
#include "plan/vectors/bit_matching.h"
#include "plan/vectors/scaled_products.h"
#include "plan/vectors/select_extremes.h"
#include "plan/vectors/vector_state.h"
#include "plan/vectors/wide_accumulators.h"

typedef struct Placing {
    const Map *written; /* by Sym.id: what the body assigns; what it only declares is the same all over the iteration */
    bool fixed;
} Placing;

static bool note_moving(void *user, Node *n)
{
    Placing *p = user;
    p->fixed = p->fixed && n->kind != N_LOAD && !(n->kind == N_VAR && map_get(p->written, n->sym->id));
    return p->fixed;
}

/* Is it the same element wherever the iteration loads it? */
static bool is_fixed(const Map *written, Node *access)
{
    Placing p = {written, true};
    for (int d = 0; d < access->nkids - (access->kind == N_STORE); d++)
        walk(&(Walker){.pre = note_moving, .user = &p}, access->kid[d]);
    return p.fixed;
}

/* Loads that every iteration makes, whatever conditions say: it may as well make them earlier. Of stores the place is known. */
static void find_certain(Arena *arena, CertainLoads *certain, const Map *written, Node *n)
{
    const bool lazy = n->kind == N_IF || (is_expr(n) && kind_info[n->kind].flags & F_LAZY);
    if ((n->kind == N_LOAD || n->kind == N_STORE) && is_fixed(written, n))
        vector_note_certain(arena, certain, n);
    for (int i = 0; i < (lazy ? 1 : n->nkids) && n->kind != N_FOR; i++)
        find_certain(arena, certain, written, n->kid[i]);
}

typedef struct Written {
    Arena *arena;
    Map syms;
} Written;

static bool note_written(void *user, Node *n)
{
    Written *w = user;
    if (!is_expr(n) && n->sym && n->kind != N_DECL)
        *map_at(w->arena, &w->syms, n->sym->id) = n;
    return !is_expr(n);
}

static CertainLoads find_loads(Arena *arena, Node *body)
{
    Written written = {.arena = arena};
    CertainLoads certain = {{0}, {0}};
    walk(&(Walker){.pre = note_written, .user = &written}, body);
    find_certain(arena, &certain, &written.syms, body);
    return certain;
}

Node *vector_body(VectorState *s, Node *loop, int copies, Node *at, Node *behind, Node *const *counts)
{
    Vec out = {0};
    s->copies = (BodyCopies){.number = copies, .at = at, .behind = behind};
    for (int c = 0; c < copies; c++)
        s->copies.count[c] = counts ? counts[c] : NULL;
    s->here.certain = find_loads(s->ir->arena, loop->kid[2]);
    s->scalars.places = (Map){0};
    s->joined.row_names = (Map){0};
    if (!vector_stmt(s, loop->kid[2], &out))
        return NULL;
    return vector_drop_unused_masks(s->ir, &s->masks, mk_block(s->ir, out.count, (Node **)out.items, loop->loc));
}

Node *vector_index_loop(Ir *ir, Sym *var, Node *lo, Node *hi, int64_t step, Node *body, Loc loc)
{
    return mk_for(ir, var, lo, mk_binary(ir, N_LT, mk_var(ir, var), hi), step, body, true, loc);
}

static Sym *index_symbol(Ir *ir, SymKind kind, const char *name)
{
    Sym *sym = sym_new(ir, kind, T_INDEX, name, (Loc){0, 0});
    sym->is_const = kind == S_LOCAL;
    return sym;
}

static bool find_bounds(VectorState *s, Node *loop, Vec *out, Node **lo, Node **hi)
{
    Bounds b;
    if (!for_bounds(loop, &b) || b.step != 1 || !trip_count(s->ir, loop) || type_bits(b.var->type) < 32)
        return vector_refuse(s, "it does not count up by one") != NULL;
    Node *end = widen(s->ir, b.hi);
    if (b.cmp == N_LE)
        end = ix_add(s->ir, end, ix_int(s->ir, 1));
    *lo = name_index(s->ir, out, "first", widen(s->ir, b.lo));
    *hi = name_index(s->ir, out, "end", end);
    return true;
}

/* The loops, with what is computed before them where they run at all. */
static void add_running(VectorState *s, Vec *out, Node *lo, Node *hi, const Vec *loops, Loc loc)
{
    Ir *ir = s->ir;
    Vec *to = s->before.decls.count ? &s->before.decls : out;
    for (int i = 0; i < loops->count; i++)
        vec_push(ir->arena, to, loops->items[i]);
    if (to != out)
        vec_push(ir->arena, out, mk_if(ir, mk_binary(ir, N_LT, lo, hi), mk_block(ir, to->count, (Node **)to->items, loc), NULL, loc));
}

/* Where the main loop begins: further on if what it stores, or loads, is to be aligned; else if it may be stored non-temporally. What is
 * before comes last, so that prefix sums begin where they are. */
static Node *aligned_start(VectorState *s, Vec *out, Node *lo, Node *hi)
{
    Ir *ir = s->ir;
    Node *first = s->in->aligned ? vector_first_access(s, lo) : s->in->non_temporal_wish ? vector_first_store(s, lo) : NULL;
    if (!first || s->scan.carried)
        return lo;
    Node *head = mk_head(ir, first->sym, first->kid[0], s->shape.width), *all = ix_sub(ir, hi, lo);
    if (!s->in->aligned)
        head = mk_select(ir, mk_var(ir, s->in->non_temporal_wish), ix_min(ir, head, all), ix_int(ir, 0));
    else
        head = mk_select(ir, mk_binary(ir, N_LT, all, ix_int(ir, (int64_t)(s->in->copies ? s->in->copies : 1) * s->shape.lanes)),
                         ix_int(ir, 0), head);
    return name_index(ir, out, "start", ix_add(ir, lo, head));
}

void vector_count_lanes(VectorState *s, Node *at, Node *end, int copies, Node **count, Vec *out)
{
    Ir *ir = s->ir;
    const int lanes = s->shape.lanes;
    for (int c = 0; c < copies; c++) {
        Sym *sym = index_symbol(ir, S_LOCAL, "lanes");
        Node *left = ix_sub(ir, end, ix_add(ir, at, ix_int(ir, (int64_t)c * lanes)));
        Node *some = ix_min(ir, left, ix_int(ir, lanes));
        vec_push(ir->arena, out, mk_decl(ir, sym, c ? ix_max(ir, some, ix_int(ir, 0)) : some, s->loop.body->loc));
        count[c] = mk_var(ir, sym);
    }
}

typedef struct Accesses {
    VectorState *s;
    int all, single; /* whose elements partial vectors reach one by one: they are apart, or narrow */
    bool others;  /* calls, or loops: vectors save more than these cost */
} Accesses;

static bool note_access(void *user, Node *n)
{
    Accesses *a = user;
    Node *stride;
    a->others = a->others || (n->kind == N_CALL && !is_quick_function(n->sym)) || n->kind == N_FOR;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    const bool known = vector_stride(a->s, n->kid[0], &stride) && stride->kind == N_INT;
    const int64_t apart = known ? stride->u.i : 3;
    a->all += apart != 0;
    a->single += apart > 2 || apart < 0 || (apart && type_bits(n->sym->type) < 32);
    return true;
}

/* Where part of a vector is reached element by element as the whole is, with masks besides, the rest takes longer than the iterations do. */
static bool rest_is_scalar(VectorState *s, Node *loop)
{
    enum { FEW_LANES = 8 }; /* more of them have instructions for that */
    Accesses a = {.s = s};
    if (!s->in->copies || s->in->rest > 1 || s->shape.lanes > FEW_LANES || s->reductions.count || s->scan.carried)
        return false;
    walk(&(Walker){.pre = note_access, .user = &a}, loop->kid[2]);
    return !a.others && 2 * a.single > a.all;
}

/* Iterations `from` to `to`, some vectors at a time, of whose lanes only some may count; or as they are. */
static Node *rest_of(VectorState *s, Node *loop, Node *from, Node *to)
{
    Ir *ir = s->ir;
    if (rest_is_scalar(s, loop))
        return mk_for(ir, loop->sym, mk_cast(ir, loop->sym->type, from),
                      mk_binary(ir, N_LT, mk_var(ir, loop->sym), mk_cast(ir, loop->sym->type, to)), 1, s->scalars_body, true, loop->loc);
    const int copies = s->in->rest, lanes = s->shape.lanes;
    Sym *at = index_symbol(ir, S_LOOP, loop->sym->name);
    Node *count[MOST_COPIES] = {ix_sub(ir, to, mk_var(ir, at))};
    Vec all = {0};
    /* Behind a main loop so few are left that what takes part of a vector may have their number as it is. */
    if (copies > 1 || !s->in->copies || has_kind(loop->kid[2], N_FOR))
        vector_count_lanes(s, mk_var(ir, at), to, copies, count, &all);
    Node *body = vector_body(s, loop, copies, mk_var(ir, at), ix_int(ir, lanes), count);
    if (!body)
        return NULL;
    for (int i = 0; i < body->nkids; i++)
        vec_push(ir->arena, &all, body->kid[i]);
    return vector_index_loop(ir, at, from, to, (int64_t)copies * lanes, mk_block(ir, all.count, (Node **)all.items, loop->loc), loop->loc);
}

/* What the main loop leaves: behind it, and, if it begins further on, before it. */
static Node *rests_of(VectorState *s, Node *loop, Node *lo, Node *start, Node *whole, Node *hi)
{
    Ir *ir = s->ir;
    if (start == lo)
        return rest_of(s, loop, whole, hi);
    Sym *side = index_symbol(ir, S_LOOP, "side"), *from = index_symbol(ir, S_LOCAL, "from"), *to = index_symbol(ir, S_LOCAL, "to");
    Node *rest = rest_of(s, loop, mk_var(ir, from), mk_var(ir, to)), *behind = mk_var(ir, side);
    if (!rest)
        return NULL;
    Node *both[] = {mk_decl(ir, from, mk_select(ir, behind, whole, lo), loop->loc),
                    mk_decl(ir, to, mk_select(ir, behind, hi, start), loop->loc), rest};
    return vector_index_loop(ir, side, ix_int(ir, 0), ix_int(ir, 2), 1, mk_block(ir, 3, both, loop->loc), loop->loc);
}

/* Vectors in a row, or each in a part of the iterations of its own: *behind is how far they are apart, *span how far the loop goes. */
static void lay_out(VectorState *s, Vec *out, Node *start, Node *hi, Node **span, Node **behind)
{
    Ir *ir = s->ir;
    const int64_t lanes = s->shape.lanes, step = s->in->copies * lanes;
    Node *rounds = ix_div(ir, ix_sub(ir, hi, start), ix_int(ir, step));
    *behind = ix_int(ir, lanes);
    *span = ix_mul(ir, rounds, ix_int(ir, step));
    if (s->in->streams)
        *span = *behind = name_index(ir, out, "part", ix_mul(ir, rounds, ix_int(ir, lanes)));
}

enum { LINE = 64 }; /* bytes */

/* Prefetches the lines of what the copies load, so many elements further on. */
static void add_prefetches(VectorState *s, const Node *load, Node *apart, int copies, Vec *out)
{
    const int bytes = s->shape.lanes * type_bytes(load->sym->type), step = !s->in->streams && LINE / bytes > 1 ? LINE / bytes : 1;
    VectorPlace place;
    for (int c = 0; c < copies; c += step)
        if (vector_place(s, load, c, &place) && !place.apart)
            vec_push(s->ir->arena, out, mk_prefetch(s->ir, load->sym, ix_add(s->ir, place.first, apart), load->loc));
}

typedef struct Loads {
    Vec found;
    Arena *arena;
} Loads;

static bool search_load(void *user, Node *n)
{
    Loads *l = user;
    bool known = n->kind != N_LOAD || n->nkids != 1;
    for (int i = 0; !known && i < l->found.count; i++)
        known = ((const Node *)l->found.items[i])->sym == n->sym;
    if (!known)
        vec_push(l->arena, &l->found, n);
    return true;
}

/* The body behind prefetches of the next rows' lines, and of those that come soon. */
static Node *with_prefetches(VectorState *s, Node *body, int copies)
{
    Ir *ir = s->ir;
    Vec all = {0};
    Loads loads = {.arena = ir->arena};
    for (int i = 0; s->in->next_rows && !s->in->streams && i < s->in->next_rows->count; i++)
        add_prefetches(s, ((const NextRow *)s->in->next_rows->items[i])->load, s->main.next_row[i], copies, &all);
    if (s->in->ahead)
        walk(&(Walker){.pre = search_load, .user = &loads}, s->loop.body);
    for (int i = 0; i < loads.found.count; i++) {
        const Node *load = loads.found.items[i];
        if (vector_varies(&s->loop, load->kid[0]))
            add_prefetches(s, load, ix_int(ir, s->in->ahead * (LINE / type_bytes(load->sym->type))), copies, &all);
    }
    for (int i = 0; i < body->nkids; i++)
        vec_push(ir->arena, &all, body->kid[i]);
    return mk_block(ir, all.count, (Node **)all.items, body->loc);
}

static Node *main_loop(VectorState *s, Node *loop, int copies, Node *start, Node *end, Node *behind)
{
    Sym *at = index_symbol(s->ir, S_LOOP, loop->sym->name);
    const int64_t step = (int64_t)(s->in->streams ? 1 : copies) * s->shape.lanes;
    Node *body = vector_body(s, loop, copies, mk_var(s->ir, at), behind, NULL);
    body = body && (s->in->next_rows || s->in->ahead) ? with_prefetches(s, body, copies) : body;
    return body ? vector_index_loop(s->ir, at, start, end, step, body, loop->loc) : NULL;
}

/* Loops of fewer and fewer vectors from *whole on, which becomes where they end. False after s->why is set. */
static bool add_halves(VectorState *s, Node *loop, Node *hi, Node *behind, Vec *loops, Node **whole, Vec *out)
{
    Ir *ir = s->ir;
    for (int copies = s->in->copies / 2; s->in->halves && copies > s->in->rest; copies /= 2) {
        Node *step = ix_int(ir, (int64_t)copies * s->shape.lanes);
        Node *span = ix_mul(ir, ix_div(ir, ix_sub(ir, hi, *whole), step), step);
        Node *end = name_index(ir, out, "whole", ix_add(ir, *whole, span)), *half = main_loop(s, loop, copies, *whole, end, behind);
        if (!half)
            return false;
        vec_push(ir->arena, loops, half);
        *whole = end;
    }
    return true;
}

/* The main loop, and what follows it; *whole: where these end. False after s->why is set. */
static bool add_whole(VectorState *s, Node *loop, Node *start, Node *hi, Vec *loops, Node **whole, Vec *out)
{
    Ir *ir = s->ir;
    Node *span, *behind;
    lay_out(s, out, start, hi, &span, &behind);
    *whole = name_index(ir, out, "whole", ix_add(ir, start, s->in->streams ? ix_mul(ir, span, ix_int(ir, s->in->copies)) : span));
    vector_begin_non_temporal(s, out, start);
    Node *head = main_loop(s, loop, s->in->copies, start, s->in->streams ? ix_add(ir, start, span) : *whole, behind);
    if (head)
        vec_push(ir->arena, loops, head);
    const bool fits = head && add_halves(s, loop, hi, behind, loops, whole, out);
    s->main.non_temporal = NULL;
    return fits;
}

/* With operations that only vectors have. */
static Node *with_operations(Ir *ir, Node *loop)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], select_extremes(ir, name_low_integers(ir, loop->kid[2]))};
    return match_scaled_products(ir, match_bits(ir, with_kids(ir, loop, 3, kids)));
}

LaneWidth vector_loop_width(Ir *ir, Node *loop, const Map *names)
{
    Vec reductions = {0};
    const char *why;
    NarrowLanes narrow;
    loop = with_operations(ir, loop);
    find_reductions(ir, loop, false, &reductions, &why);
    const LoopFacts facts = vector_facts(ir, loop, &reductions);
    return vector_is_wide(&facts) ? LANES_64 : find_narrow_lanes(ir, loop, &facts, &reductions, names, &narrow) ? narrow.width : LANES_32;
}

/* Of a loop with these operations, which is one of `scalars` without. */
static Node *vectors_of(const VectorInput *in, const VectorShape *shape, Node *loop, Node *scalars, const char **why)
{
    Ir *ir = in->ir;
    Vec reductions = {0}, out = {0}, loops = {0};
    Node *lo = NULL, *hi = NULL;
    *why = NULL;
    Scan scan = {.acc = NULL};
    if (loop->aux & FOR_SCAN) {
        if (!find_scan(ir, loop, in->strict, &scan)) {
            *why = "its iterations have an order";
            return NULL;
        }
        loop = scan.loop;
    }
    if (!find_reductions(ir, loop, in->strict, &reductions, why))
        return NULL;
    VectorState s = {.in = in, .ir = ir, .shape = *shape, .loop = vector_facts(ir, loop, &reductions), .scalars_body = scalars->kid[2]};
    NarrowLanes narrow;
    if (lane_bits(shape->width) < 32) {
        if (!find_narrow_lanes(ir, loop, &s.loop, &reductions, in->names, &narrow))
            internal_error("vectors: a loop over %s has no narrow lanes after all", loop->sym->name);
        s.narrow = &narrow;
    }
    s.groups = (NarrowGroups){.facts = &s.loop, .names = in->names};
    s.copies.number = in->copies > in->rest ? in->copies : in->rest;
    s.scan.scan = scan;
    const bool bounded = find_bounds(&s, loop, &out, &lo, &hi);
    s.reductions.count = reductions.count;
    s.reductions.runs = bounded ? mk_binary(ir, N_LT, lo, hi) : NULL;
    const bool carries = scan.acc && vector_fact(&s.loop, scan.total, VARIES);
    if (scan.acc && !carries)
        vector_refuse(&s, "a sum grows by the same in each iteration");
    if (!bounded || (scan.acc && !carries) || (carries && !vector_begin_scan(&s, &out)) ||
        !vector_begin_reductions(&s, &reductions, &out)) {
        *why = s.why;
        return NULL;
    }
    if (in->next_rows)
        s.main.next_row = arena_new_array(ir->arena, Node *, in->next_rows->count);
    for (int i = 0; in->next_rows && i < in->next_rows->count; i++)
        s.main.next_row[i] = name_index(ir, &out, "next", next_row_apart(ir, in->next_rows->items[i]));
    Node *start = aligned_start(&s, &out, lo, hi), *whole = start;
    const bool begun = !in->copies || add_whole(&s, loop, start, hi, &loops, &whole, &out), none = begun && start == lo && whole == hi;
    Node *rest = begun && !none ? rests_of(&s, loop, lo, start, whole, hi) : NULL;
    *why = s.why;
    if (!rest && !none)
        return NULL;
    if (rest)
        vec_push(ir->arena, &loops, rest);
    add_running(&s, &out, lo, hi, &loops, loop->loc);
    vector_end_reductions(&s, &reductions, &out);
    if (carries)
        vector_end_scan(&s, &out);
    return mk_block(ir, out.count, (Node **)out.items, loop->loc);
}

Node *vector_loop(const VectorInput *in, const VectorShape *shape, Node *loop, const char **why)
{
    Vec out = {0}, behind = {0};
    Node *with = with_operations(in->ir, loop);
    if (shape->width == LANES_64)
        with = widen_accumulators(in->ir, with, &out, &behind);
    Node *vectors = vectors_of(in, shape, with, loop, why);
    if (!vectors || !out.count)
        return vectors;
    vec_push(in->ir->arena, &out, vectors);
    for (int i = 0; i < behind.count; i++)
        vec_push(in->ir->arena, &out, behind.items[i]);
    return mk_block(in->ir, out.count, (Node **)out.items, loop->loc);
}
