/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row's statements in order: which loops are dealt out, where barriers stand, what every lane does. */
#include "plan/grid/lanes_state.h"

#include "depend/env.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"
#include "plan/grid/stride.h"

enum { MAX_CHAIN = 6, MAX_DEPTH = 4, WIDEST = 256 };

static void spread(LaneState *s, Node *n, Vec *out);

/* ---------------------------------------------------------------- barriers */

typedef struct Touch {
    LaneState *s;
    bool *read, *written, conflict;
} Touch;

static bool touch_pre(void *user, Node *n)
{
    Touch *t = user;
    const LaneState *s = t->s;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || s->own[n->sym->id])
        return true;
    int id = n->sym->id;
    t->conflict = t->conflict || s->written[id] || (n->kind == N_STORE && s->read[id]);
    if (t->read)
        *(n->kind == N_STORE ? &t->written[id] : &t->read[id]) = true;
    return true;
}

/* A barrier where `n` touches what another lane may have written, or writes what another may still read. */
static void fence(LaneState *s, Node *n, Vec *out)
{
    Touch t = {s, NULL, NULL, false};
    walk(&(Walker){.pre = touch_pre, .user = &t}, n);
    if (t.conflict) {
        Sym *f = sym_new(s->ir, S_FUNC, T_VOID, s->group->barrier, (Loc){0, 0});
        lane_push(s, out, mk_jump(s->ir, N_BARRIER, f, n->loc));
        s->out->flat = s->out->flat && s->depth == 0;
        for (int i = 0; i < s->ndefs; i++)
            s->read[i] = s->written[i] = false;
    }
    t = (Touch){s, s->read, s->written, false};
    walk(&(Walker){.pre = touch_pre, .user = &t}, n);
}

/* ---------------------------------------------------------------- loops that are dealt out */

/* Loops with nothing but loops in between, outermost first. */
static int chain_of(Node *n, Node **loops)
{
    int count = 0;
    while (n->kind == N_FOR && count < MAX_CHAIN) {
        loops[count++] = n;
        n = n->kid[2];
        while (n->kind == N_BLOCK && n->nkids == 1)
            n = n->kid[0];
    }
    return count;
}

typedef struct StoreSearch {
    const LaneState *s;
    bool own, others; /* found: stores into the row's own arrays, into others */
} StoreSearch;

static bool note_store(void *user, Node *n)
{
    StoreSearch *search = user;
    if (n->kind == N_STORE)
        *(search->s->own[n->sym->id] ? &search->own : &search->others) = true;
    return !is_expr(n);
}

static StoreSearch find_stores(const LaneState *s, Node *n)
{
    StoreSearch search = {.s = s};
    walk(&(Walker){.pre = note_store, .user = &search}, n);
    return search;
}

/* May the iterations of `loop`, in all of `region`, be dealt out, these reductions aside? */
static bool may_deal(LaneState *s, Node *region, Node *loop, const Vec *reductions)
{
    int n = 0;
    Sym *reduced[64];
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        if (n + 1 + r->nothers > 64 || (r->op >= RED_FIRST_GREATEST && region != loop))
            return false;
        if (r->acc)
            reduced[n++] = r->acc;
        for (int j = 0; j < r->nothers; j++)
            reduced[n++] = r->others[j];
    }
    return iterations_are_independent(s->ir, region, loop, reduced, n);
}

/* The loop of the chain to deal out: the one that reaches memory best; NULL: none. */
static Node *choose_loop(LaneState *s, Node *region, Vec *reductions)
{
    const char *why;
    Node *loops[MAX_CHAIN], *best = NULL;
    int most = 0, n = chain_of(region, loops);
    if (find_stores(s, region).own)
        return NULL;
    if (!find_reductions(s->ir, region, s->in->strict, reductions, &why)) {
        s->why = s->why ? s->why : why;
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        int near = coalescing(s->ir, loops[i]->kid[2], loops[i]->sym, loops[i]->u.i, &s->defs);
        if ((best && near <= most) || !may_deal(s, region, loops[i], reductions))
            continue;
        best = loops[i];
        most = near;
    }
    if (best)
        s->out->nearness += most;
    return best;
}

/* Iterations and limits, for the host. */
static void note_steps(LaneState *s, Node *loop)
{
    Ir *ir = s->ir;
    Node *trip = trip_count(ir, loop);
    if (!s->in->host_knows(s->in->user, trip)) {
        s->steps_unknown = true;
        return;
    }
    s->out->steps = s->out->steps ? ix_max(ir, s->out->steps, trip) : trip;
}

/* for (var = lo + lane * step; var < hi; var += width * step), where var and its bound are of a type that has room beyond. */
static bool deal_directly(LaneState *s, Node *loop, Node *body, Vec *out)
{
    Ir *ir = s->ir;
    Bounds b;
    int64_t stride;
    for_bounds(loop, &b);
    Type type = loop->sym->type;
    bool ascends = b.step > 0 && (b.cmp == N_LT || b.cmp == N_LE) && type_is_signed(type) && type_bits(type) >= 32;
    if (!ascends || __builtin_mul_overflow(b.step, s->group->width, &stride) || stride > 1 << 20)
        return false;
    if (type_bits(type) == 32) {
        if (!s->in->host_knows(s->in->user, b.hi))
            return false;
        Node *reach = ix_add(ir, widen(ir, b.hi), ix_int(ir, b.step * (s->group->width > WIDEST ? s->group->width : WIDEST)));
        s->out->reach = s->out->reach ? ix_max(ir, s->out->reach, reach) : reach;
    }
    Node *lane = mk_cast(ir, type, mk_var(ir, s->in->lane));
    if (b.step != 1)
        lane = mk_binary(ir, N_MUL, lane, mk_int(ir, type, b.step));
    Node *from = is_int(b.lo, 0) ? lane : mk_binary(ir, N_ADD, b.lo, lane);
    lane_push(s, out, mk_for(ir, loop->sym, from, loop->kid[1], stride, body, true, loop->loc));
    return true;
}

/* for (t = lane; t < trip; t += width) { var = lo + step * t; ... } */
static void deal_by_number(LaneState *s, Node *loop, Node *body, Vec *out)
{
    Ir *ir = s->ir;
    Sym *t = sym_new(ir, S_LOOP, T_INDEX, "t", loop->loc);
    Node *value = ix_add(ir, widen(ir, loop->kid[0]), ix_mul(ir, ix_int(ir, loop->u.i), mk_var(ir, t)));
    Sym *var = sym_new(ir, S_LOCAL, loop->sym->type, loop->sym->name, loop->sym->loc);
    Node *stmts[] = {mk_decl(ir, var, mk_cast(ir, var->type, value), loop->loc), rename_sym(ir, body, loop->sym, var)};
    Node *cond = mk_binary(ir, N_LT, mk_var(ir, t), trip_count(ir, loop));
    lane_push(s, out,
              mk_for(ir, t, mk_cast(ir, T_INDEX, mk_var(ir, s->in->lane)), cond, s->group->width, mk_block(ir, 2, stmts, loop->loc), true,
                     loop->loc));
}

static Node *guard_store(void *user, Node *n)
{
    LaneState *s = user;
    if (n->kind != N_STORE || s->own[n->sym->id])
        return n;
    return mk_if(s->ir, mk_binary(s->ir, N_NE, mk_var(s->ir, s->in->on), mk_int(s->ir, T_INT, 0)), n, NULL, n->loc);
}

/* ---------------------------------------------------------------- statements */

typedef struct Swap {
    Node *from, *to;
} Swap;

static Node *swap_pre(void *user, Node *n)
{
    const Swap *swap = user;
    return n == swap->from ? swap->to : is_expr(n) ? n : NULL;
}

/* May many blocks share the loop's iterations? What it stores it stores where its parts are reduced. */
static bool may_share(LaneState *s, Node *region, const Node *loop, const Vec *reductions)
{
    bool is_place = false;
    for (int i = 0; i < reductions->count; i++)
        is_place = is_place || ((Reduction *)reductions->items[i])->op >= RED_FIRST_GREATEST;
    return !is_place && s->ndealt == 0 && s->depth == 0 && region == loop && reductions->count && reductions->count <= MAX_PARTS;
}

static void deal(LaneState *s, Node *region, Node *loop, const Vec *reductions, Vec *out)
{
    Ir *ir = s->ir;
    Node *body = loop->kid[2];
    Choice *choices = arena_new_array(ir->arena, Choice, reductions->count + 1);
    const Share share = s->in->shared ? s->in->shared->share : SHARE_NONE;
    s->out->shares = may_share(s, region, loop, reductions);
    s->ndealt++;
    s->any = true;
    s->out->flat = s->out->flat && s->depth == 0;
    note_steps(s, loop);
    fence(s, region, out);
    if (share == SHARE_PARTS) {
        lane_deal_part(s, loop, reductions, out);
        return;
    }
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        choices[i].r = r;
        if (r->op >= RED_FIRST_GREATEST) {
            body = lane_begin_choice(s, loop, body, &choices[i], out);
            continue;
        }
        Node *start = lane_neutral(ir, r);
        if (start)
            lane_push(s, out, mk_if(ir, lane_is(s, N_NE), mk_assign(ir, r->acc, start, N_NONE, loop->loc), NULL, loop->loc));
    }
    if (s->group->guarded)
        body = rewrite(&(Rewriter){.ir = ir, .post = guard_store, .user = s}, body);
    Vec dealt = {0};
    if (share == SHARE_WHOLE)
        lane_push(s, &dealt, lane_loop_over_parts(s, loop, reductions));
    else if (!deal_directly(s, loop, body, &dealt))
        deal_by_number(s, loop, body, &dealt);
    Swap swap = {loop, dealt.items[0]};
    lane_push(s, out, rewrite(&(Rewriter){.ir = ir, .pre = swap_pre, .user = &swap}, region));
    for (int i = 0; i < reductions->count; i++) {
        if (choices[i].r->op >= RED_FIRST_GREATEST)
            lane_end_choice(s, &choices[i], out);
        else
            lane_combine(s, choices[i].r, out);
    }
}

/* Nothing of it is dealt out: all lanes do it if it only computes, lane 0 alone if it stores. */
static void keep(LaneState *s, Node *n, Vec *out)
{
    fence(s, n, out);
    const StoreSearch stores = find_stores(s, n);
    const bool parts = s->in->shared && s->in->shared->share == SHARE_PARTS;
    if (parts)
        vec_push(s->ir->arena, &s->before, n);
    if (!stores.others) {
        lane_push(s, out, n);
        return;
    }
    if (parts) {
        vec_push(s->ir->arena, &s->skipped, n);
        return;
    }
    Vec found = {0};
    const char *why;
    Node *wrapped = n->kind == N_FOR ? n : NULL; /* a loop that only lane 0 runs must not change what the others go on with */
    const bool scalars = n->kind == N_ASSIGN || n->kind == N_DECL ||
                         (wrapped && (!find_reductions(s->ir, n, false, &found, &why) || found.count)) || stores.own;
    s->failed = s->failed || scalars || (n->kind != N_STORE && n->kind != N_FOR);
    Node *first = lane_is(s, N_EQ);
    if (s->group->guarded)
        first = mk_binary(s->ir, N_LAND, first, mk_binary(s->ir, N_NE, mk_var(s->ir, s->in->on), mk_int(s->ir, T_INT, 0)));
    lane_push(s, out, mk_if(s->ir, first, n, NULL, n->loc));
}

static bool has_dealt_loop(LaneState *s, Node *n)
{
    Lanes out = {.flat = true};
    LaneState trial = *s;
    trial.out = &out;
    trial.any = trial.failed = false;
    trial.read = arena_new_array(s->ir->scratch, bool, s->ndefs + 1);
    trial.written = arena_new_array(s->ir->scratch, bool, s->ndefs + 1);
    Vec ignored = {0};
    spread(&trial, n, &ignored);
    s->why = s->why ? s->why : trial.why;
    return trial.any && !trial.failed;
}

/* What lanes may have touched since the last barrier. */
typedef struct Touched {
    bool *read, *written;
} Touched;

static Touched touched(LaneState *s)
{
    Touched t = {arena_new_array(s->ir->scratch, bool, s->ndefs + 1), arena_new_array(s->ir->scratch, bool, s->ndefs + 1)};
    for (int i = 0; i < s->ndefs; i++) {
        t.read[i] = s->read[i];
        t.written[i] = s->written[i];
    }
    return t;
}

static void add_touched(LaneState *s, const Touched *t)
{
    for (int i = 0; i < s->ndefs; i++) {
        s->read[i] = s->read[i] || t->read[i];
        s->written[i] = s->written[i] || t->written[i];
    }
}

static void set_touched(LaneState *s, const Touched *t)
{
    for (int i = 0; i < s->ndefs; i++) {
        s->read[i] = t->read[i];
        s->written[i] = t->written[i];
    }
}

/* All lanes go through the loop together, or through the branch. A barrier inside may not be met. */
static void go_along(LaneState *s, Node *n, Vec *out)
{
    fence(s, n->kid[0], out);
    Touched before = touched(s), after = touched(s);
    if (n->kind == N_FOR) { /* what one iteration leaves behind, the next one meets */
        Touch t = {s, s->read, s->written, false};
        walk(&(Walker){.pre = touch_pre, .user = &t}, n->kid[1]);
        walk(&(Walker){.pre = touch_pre, .user = &t}, n->kid[2]);
        before = touched(s);
    }
    const bool same = n->kind == N_IF && s->in->host_knows(s->in->user, n->kid[0]); /* for all rows */
    s->depth += !same;
    Node *kids[3] = {n->kid[0], n->kid[1], NULL};
    for (int i = n->kind == N_FOR ? 2 : 1; i < n->nkids; i++) {
        Vec list = {0};
        set_touched(s, &before);
        spread(s, n->kid[i], &list);
        kids[i] = lane_block(s, &list, n->kid[i]->loc);
        add_touched(s, &after);
        after = touched(s);
    }
    s->depth -= !same;
    lane_push(s, out, with_kids(s->ir, n, n->nkids, kids));
}

static void spread_for(LaneState *s, Node *n, Vec *out)
{
    Vec reductions = {0};
    Node *loop = choose_loop(s, n, &reductions);
    if (loop)
        deal(s, n, loop, &reductions, out);
    else if (n->aux && s->depth < MAX_DEPTH && has_dealt_loop(s, n->kid[2]))
        go_along(s, n, out);
    else
        keep(s, n, out);
}

static void spread(LaneState *s, Node *n, Vec *out)
{
    if (s->done)
        return;
    switch ((Kind)n->kind) {
    case N_BLOCK: {
        Vec list = {0};
        for (int i = 0; i < n->nkids; i++)
            spread(s, n->kid[i], &list);
        lane_push(s, out, lane_block(s, &list, n->loc));
        break;
    }
    case N_FOR: spread_for(s, n, out); break;
    case N_IF: go_along(s, n, out); break;
    case N_DECL:
        if (n->sym->rank)
            s->own[n->sym->id] = true;
        keep(s, n, out);
        break;
    default: keep(s, n, out);
    }
}

bool spread_over_lanes(const LaneInput *in, const LaneGroup *group, Lanes *out, const char **why)
{
    Ir *ir = in->ir;
    LaneState s = {.in = in, .group = group, .ir = ir, .out = out, .ndefs = ir->nsyms, .defs = find_defs(ir, in->body)};
    *out = (Lanes){.flat = true};
    s.read = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    s.written = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    s.own = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    Vec list = {0};
    spread(&s, in->body, &list);
    out->body = list.items[0];
    if (s.steps_unknown)
        out->steps = NULL;
    if (why)
        *why = s.any && !s.failed ? NULL : s.why;
    return s.any && !s.failed;
}
