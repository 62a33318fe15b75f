/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/replay.h"

#include <math.h>

#include "ir/walk.h"
#include "tune/nests/nest_numbers.h"
#include "tune/nests/replay_count.h"

static void visit(Counter *c, const Node *n);

/* ---------------------------------------------------------------- what a loop changes */

static void note_changes(Counter *c, const Node *n, int level)
{
    const bool writes = n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_STORE || n->kind == N_VSTORE || n->kind == N_INTERLEAVE ||
                        n->kind == N_ROW_STORE || n->kind == N_SCATTER || n->kind == N_FOR || (n->kind == N_TILE && n->aux & TILE_STORES);
    if (writes)
        note_change(c, n->sym, level);
    if (n->kind == N_TILE && !(n->aux & TILE_STORES))
        note_change(c, n->kid[0]->sym, level);
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            note_changes(c, n->kid[i], level);
}

/* Scalars that are assigned to: what they are then, nobody knows. Those declared inside are bound before they are read. */
static void forget_assigned(Counter *c, const Node *n, unsigned wild)
{
    if (n->kind == N_ASSIGN)
        numbers_forget(&c->replay->numbers, n->sym, wild);
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            forget_assigned(c, n->kid[i], wild);
}

/* ---------------------------------------------------------------- loops */

/* Iterations of a loop: from number `first` on, each `step` further. */
typedef struct Stretch {
    const Node *loop, *body;
    double first, trips, step;
    bool is_main;
} Stretch;

static ReplayLoop *new_loop(Counter *c, const Stretch *s)
{
    const int depth = c->replay->numbers.depth;
    ReplayLoop *loop = arena_alloc(c->arena, sizeof *loop);
    *loop = (ReplayLoop){.loop = s->loop,
                         .body = s->body,
                         .parent = c->path[depth],
                         .depth = depth,
                         .runs = c->times,
                         .trips = s->trips,
                         .at = floor((s->trips - 1) / 2),
                         .innermost = !has_kind((Node *)s->body, N_FOR),
                         .is_main = s->is_main,
                         .is_guess = !trips_are_known(&c->replay->numbers, s->loop)};
    loop->work.scalars = 2 * loop->runs * loop->trips; /* adds to a counter, compares it */
    c->path[depth + 1] = c->replay->loops.count;
    vec_push(c->arena, &c->replay->loops, loop);
    c->replay->iterations += loop->innermost ? loop->runs * loop->trips : 0;
    return loop;
}

/* A loop deeper than numbers go is part of the one around. */
static void run_too_deep(Counter *c, const Stretch *s)
{
    const double times = c->times;
    numbers_forget(&c->replay->numbers, s->loop->sym, 1u << (DUAL_LOOPS - 1));
    c->times *= s->trips;
    c->replay->iterations += has_kind((Node *)s->body, N_FOR) ? 0 : c->times;
    visit(c, s->body);
    c->times = times;
}

static void run(Counter *c, const Stretch *s)
{
    Numbers *numbers = &c->replay->numbers;
    const int depth = numbers->depth;
    const double times = c->times;
    if (s->trips < 1)
        return;
    if (depth == DUAL_LOOPS) {
        run_too_deep(c, s);
        return;
    }
    const ReplayLoop *loop = new_loop(c, s);
    Dual var = dual_of(numbers, s->loop->kid[0]);
    var.value += s->first * (double)s->loop->u.i + loop->at * s->step;
    var.slope[depth] = s->step;
    numbers_bind(numbers, s->loop->sym, &var);
    note_changes(c, s->body, depth + 1);
    note_change(c, s->loop->sym, depth + 1);
    forget_assigned(c, s->body, 1u << depth);
    numbers->trips[depth] = s->trips;
    numbers->at[depth] = loop->at;
    numbers->depth = depth + 1;
    c->times = times * s->trips;
    visit(c, s->body);
    c->times = times;
    numbers->depth = depth;
    note_changes(c, s->body, depth);
    forget_assigned(c, s->body, 0);
}

/* ---------------------------------------------------------------- rows done together */

static const Node *only_statement(const Node *body) { return body->kind == N_BLOCK && body->nkids == 1 ? body->kid[0] : body; }

static const Node *assignment_to(const Node *n, const Sym *sym)
{
    const Node *found = n->kind == N_ASSIGN && n->sym == sym ? n : NULL;
    for (int i = 0; i < n->nkids && !found; i++)
        found = is_expr(n->kid[i]) ? NULL : assignment_to(n->kid[i], sym);
    return found;
}

/* Of rows_in_blocks() of plan/nests/unroll_and_jam.h: what an iteration does that does something, and how many it stands for; 1: the loop is no
 * such. */
static int rows_together(const Node *loop, const Node **body)
{
    const Node *branch = only_statement(loop->kid[2]), *condition = branch->kind == N_IF && branch->nkids == 2 ? branch->kid[0] : NULL;
    if (!(loop->aux & FOR_ROWS) || !condition || condition->kind != N_GE || condition->kid[1]->kind != N_VAR)
        return 1;
    const Node *next = assignment_to(branch->kid[1], condition->kid[1]->sym);
    const Node *sum = next && next->kid[0]->kind == N_ADD ? next->kid[0] : NULL;
    if (!sum || sum->kid[1]->kind != N_INT || sum->kid[1]->u.i < 2)
        return 1;
    *body = branch->kid[1];
    return (int)sum->kid[1]->u.i;
}

/* ---------------------------------------------------------------- masks */

static bool search_mask(void *user, Node *n)
{
    (void)user;
    const int most = n->kind == N_VLOAD || n->kind == N_MEMBER              ? 1
                     : n->kind == N_INTERLEAVE                              ? (n->aux ? 1 + n->aux : 3)
                     : n->kind == N_VSTORE && n->aux != VSTORE_NON_TEMPORAL ? 2
                     : n->kind == N_FIRST                                   ? 0
                                                                            : n->nkids;
    return n->nkids > most;
}

static bool has_masks(const Node *body) { return any_node((Node *)body, search_mask, NULL); }

static void visit_loop(Counter *c, const Node *n, bool is_main)
{
    const Node *body = n->kid[2];
    const double trips = trips_of(&c->replay->numbers, n), step = (double)n->u.i;
    const int rows = rows_together(n, &body);
    count_condition(c, n->kid[1]);
    if (rows > 1) {
        const double together = floor(trips / rows);
        run(c, &(Stretch){n, body, 0, together, rows * step, is_main});
        run(c, &(Stretch){n, body, together * rows, trips - together * rows, step, false});
    } else if (trips > 1 && n->u.i > 1 && (n->aux & FOR_TILES || has_masks(body))) {
        run(c, &(Stretch){n, body, 0, trips - 1, step, is_main});
        run(c, &(Stretch){n, body, trips - 1, 1, step, is_main});
    } else
        run(c, &(Stretch){n, body, 0, trips, step, is_main});
}

/* ---------------------------------------------------------------- statements */

/* Of loops of a block that the spec has as one, does it go further in an iteration than all others? */
static bool is_widest(const Node *block, const Node *loop)
{
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i]->kind == N_FOR && block->kid[i]->loc.beg == loop->loc.beg && block->kid[i]->u.i > loop->u.i)
            return false;
    return true;
}

static void visit_block(Counter *c, const Node *n)
{
    const bool is_main = counter_loop(c)->is_main;
    for (int i = 0; i < n->nkids; i++)
        if (n->kid[i]->kind == N_FOR)
            visit_loop(c, n->kid[i], is_main && is_widest(n, n->kid[i]));
        else
            visit(c, n->kid[i]);
}

static void visit_branch(Counter *c, const Node *n)
{
    const double times = c->times, chance = chance_of(&c->replay->numbers, n->kid[0]);
    count_condition(c, n->kid[0]);
    counter_loop(c)->work.guesses += chance == EVEN_CHANCE ? times : 0;
    for (int i = 1; i < n->nkids; i++) {
        c->times = times * (i == 1 ? chance : 1 - chance);
        if (c->times > 0)
            visit(c, n->kid[i]);
    }
    c->times = times;
    if (chance > 0 && chance < 1)
        forget_assigned(c, n, (1u << c->replay->numbers.depth) - 1);
}

static void visit(Counter *c, const Node *n)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: visit_block(c, n); return;
    case N_FOR: visit_loop(c, n, counter_loop(c)->is_main); return;
    case N_IF: visit_branch(c, n); return;
    case N_DECL: count_decl(c, n); return;
    case N_ASSIGN: count_assign(c, n); return;
    case N_STORE:
    case N_INTERLEAVE:
    case N_VSTORE: count_store(c, n); return;
    case N_ROW_STORE: count_row_store(c, n); return;
    case N_SCATTER: count_scatter(c, n); return;
    case N_TILE: count_tile(c, n); return;
    case N_PREFETCH: count_prefetch(c, n); return;
    default: return;
    }
}

Replay *replay_nest(const FeatureInput *in, Arena *arena, const Node *body)
{
    Replay *replay = arena_alloc(arena, sizeof *replay);
    replay->numbers = nest_numbers(in, arena);
    Counter c = {.arena = arena, .replay = replay, .set = in->set, .times = 1, .time = 1};
    ReplayLoop *nest = arena_alloc(arena, sizeof *nest);
    *nest = (ReplayLoop){.body = body, .parent = -1, .depth = -1, .runs = 1, .trips = 1, .is_main = true};
    vec_push(arena, &replay->loops, nest);
    visit(&c, body);
    return replay;
}
