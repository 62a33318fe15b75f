/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lanes reduce: sums and the like, places, parts of them in memory. */
#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"
#include "plan/grid/lanes_state.h"

/* ---------------------------------------------------------------- small makers */

/* Of a function of the CUDA engine, for the group's width. */
static Node *lane_call(LaneState *s, const char *name, Type type, int nargs, Node *const *args)
{
    Sym *f = sym_new(s->ir, S_FUNC, type, arena_printf(s->ir->arena, "%s%s", name, s->group->suffix), (Loc){0, 0});
    return mk_call(s->ir, f, nargs, args);
}

void lane_push(LaneState *s, Vec *out, Node *n) { vec_push(s->ir->arena, out, n); }

Node *lane_block(LaneState *s, const Vec *list, Loc loc) { return mk_block(s->ir, list->count, (Node **)list->items, loc); }

Node *lane_is(LaneState *s, Kind cmp) { return mk_binary(s->ir, cmp, mk_var(s->ir, s->in->lane), mk_int(s->ir, T_INT, 0)); }

/* ---------------------------------------------------------------- reductions */

/* What a lane starts from: nothing, or for lanes other than the first what changes nothing. */
Node *lane_neutral(Ir *ir, const Reduction *r)
{
    Type type = r->acc->type;
    bool product = r->op == RED_PRODUCT;
    if (r->op != RED_SUM && r->op != RED_XOR && !product)
        return NULL;
    if (type_is_integer(type))
        return mk_int(ir, type, product);
    Node *value = mk_float(ir, type, product ? 1 : 0);
    return product ? value : mk_unary(ir, N_NEG, value); /* -0 + x is x, even if x is -0 */
}

/* Names of the functions in templates/cuda/lanes.cu.j2. */
static const char *const combining[RED_COUNT] = {
    [RED_SUM] = "mik_sum",           [RED_PRODUCT] = "mik_product", [RED_FMAX] = "mik_fmax", [RED_FMIN] = "mik_fmin",
    [RED_GREATEST] = "mik_greatest", [RED_LEAST] = "mik_least",     [RED_AND] = "mik_and",   [RED_OR] = "mik_or",
    [RED_XOR] = "mik_xor",           [RED_ALL] = "mik_all",         [RED_ANY] = "mik_any",   [RED_FIRST_GREATEST] = "mik_greatest",
    [RED_FIRST_LEAST] = "mik_least"};

typedef struct Choosing {
    LaneState *s;
    Node *loop;
    const Choice *choice;
} Choosing;

/* The same `if`, which notes the value and the iteration besides. */
static Node *note_choice(void *user, Node *n)
{
    const Choosing *c = user;
    const Reduction *r = c->choice->r;
    Ir *ir = c->s->ir;
    if (n != r->choice)
        return is_expr(n) ? n : NULL;
    Node *number = mk_cast(ir, T_INDEX, mk_var(ir, c->loop->sym)), *then = n->kid[1];
    Vec list = {0};
    lane_push(c->s, &list, mk_assign(ir, c->choice->when, c->loop->u.i > 0 ? number : mk_unary(ir, N_NEG, number), N_NONE, n->loc));
    if (!r->acc)
        lane_push(c->s, &list, mk_assign(ir, c->choice->held, r->value, N_NONE, n->loc));
    for (int i = 0; i < (then->kind == N_BLOCK ? then->nkids : 1); i++)
        lane_push(c->s, &list, then->kind == N_BLOCK ? then->kid[i] : then);
    Node *cond = n->kid[0];
    if (!r->acc) {
        while (cond->kind == N_CAST)
            cond = cond->kid[0];
        Node *held = mk_var(ir, c->choice->held);
        cond = mk_binary(ir, (Kind)cond->kind, cond->kid[0] == r->held ? held : cond->kid[0],
                         cond->kid[1] == r->held ? held : cond->kid[1]);
    }
    return mk_if(ir, cond, lane_block(c->s, &list, n->loc), NULL, n->loc);
}

Node *lane_begin_choice(LaneState *s, Node *loop, Node *body, Choice *choice, Vec *out)
{
    Ir *ir = s->ir;
    const Reduction *r = choice->r;
    choice->held = r->acc;
    choice->when = sym_new(ir, S_LOCAL, T_INDEX, "when", loop->loc);
    lane_push(s, out, mk_decl(ir, choice->when, mk_int(ir, T_INDEX, INT64_MIN), loop->loc));
    if (!r->acc) { /* the loop reads it only if it runs */
        choice->held = sym_new(ir, S_LOCAL, r->held->type, "held", loop->loc);
        lane_push(s, out, mk_decl(ir, choice->held, NULL, loop->loc));
        Node *runs = mk_binary(ir, N_GT, trip_count_of_running(ir, loop), ix_int(ir, 0));
        lane_push(s, out, mk_if(ir, runs, mk_assign(ir, choice->held, r->held, N_NONE, loop->loc), NULL, loop->loc));
    }
    Choosing c = {s, loop, choice};
    return rewrite(&(Rewriter){.ir = ir, .pre = note_choice, .user = &c}, body);
}

/* Of the lanes with the best value, the one with the earliest iteration hands out what it chose. */
void lane_end_choice(LaneState *s, const Choice *choice, Vec *out)
{
    Ir *ir = s->ir;
    Node *held = mk_var(ir, choice->held), *when = mk_var(ir, choice->when);
    Sym *best = sym_new(ir, S_LOCAL, choice->held->type, "best", (Loc){0, 0}), *first = sym_new(ir, S_LOCAL, T_INDEX, "first", (Loc){0, 0});
    Sym *mine = sym_new(ir, S_LOCAL, T_INT, "mine", (Loc){0, 0});
    lane_push(s, out, mk_decl(ir, best, lane_call(s, combining[choice->r->op], best->type, 1, &held), (Loc){0, 0}));
    Node *is_best = mk_binary(ir, N_EQ, held, mk_var(ir, best));
    Node *late = mk_select(ir, is_best, when, mk_int(ir, T_INDEX, INT64_MAX));
    lane_push(s, out, mk_decl(ir, first, lane_call(s, "mik_least", T_INDEX, 1, &late), (Loc){0, 0}));
    Node *is_mine = mk_binary(ir, N_LAND, is_best, mk_binary(ir, N_EQ, when, mk_var(ir, first)));
    lane_push(s, out, mk_decl(ir, mine, is_mine, (Loc){0, 0}));
    for (int i = -1; i < choice->r->nothers; i++) {
        Sym *sym = i < 0 ? choice->r->acc : choice->r->others[i];
        Node *args[] = {sym ? mk_var(ir, sym) : NULL, mk_var(ir, mine)};
        if (sym)
            lane_push(s, out, mk_assign(ir, sym, lane_call(s, "mik_chosen", sym->type, 2, args), N_NONE, (Loc){0, 0}));
    }
}

void lane_combine(LaneState *s, const Reduction *r, Vec *out)
{
    Node *part = mk_var(s->ir, r->acc);
    lane_push(s, out, mk_assign(s->ir, r->acc, lane_call(s, combining[r->op], r->acc->type, 1, &part), N_NONE, (Loc){0, 0}));
}

/* part[row * chunks + number] */
static Node *part_index(LaneState *s, Sym *number)
{
    const Shared *shared = s->in->shared;
    return ix_add(s->ir, ix_mul(s->ir, mk_var(s->ir, shared->row), mk_var(s->ir, shared->chunks)), mk_var(s->ir, number));
}

static bool is_meeting(void *user, Node *n)
{
    Node *other = user;
    return n->kind == N_STORE && uses_sym(other, n->sym);
}

/* Does a statement store to an array that the other one touches? */
static bool stores_into(Node *stmt, Node *other) { return any_stmt(stmt, is_meeting, other); }

/* What comes before the loop is done by every chunk, or after all of them: may it? */
static bool may_wait(const LaneState *s, Node *loop)
{
    for (int i = 0; i < s->before.count; i++)
        if (stores_into(loop, s->before.items[i]))
            return false;
    for (int i = 0; i < s->skipped.count; i++)
        if (stores_into(s->skipped.items[i], loop))
            return false;
    return true;
}

/* The loop over one chunk; what it reduces goes to memory. */
void lane_deal_part(LaneState *s, Node *loop, const Vec *reductions, Vec *out)
{
    Ir *ir = s->ir;
    Shared *shared = s->in->shared;
    Node *trip = trip_count(ir, loop), *chunk = mk_var(ir, shared->chunk), *chunks = mk_var(ir, shared->chunks);
    Sym *t = sym_new(ir, S_LOOP, T_INDEX, "t", loop->loc), *var = sym_new(ir, S_LOCAL, loop->sym->type, loop->sym->name, loop->loc);
    Node *from = ix_add(ir, ix_div(ir, ix_mul(ir, trip, chunk), chunks), mk_cast(ir, T_INDEX, mk_var(ir, s->in->lane)));
    Node *end = ix_div(ir, ix_mul(ir, trip, ix_add(ir, chunk, ix_int(ir, 1))), chunks);
    Node *value = ix_add(ir, widen(ir, loop->kid[0]), ix_mul(ir, ix_int(ir, loop->u.i), mk_var(ir, t)));
    Node *stmts[] = {mk_decl(ir, var, mk_cast(ir, var->type, value), loop->loc), rename_sym(ir, loop->kid[2], loop->sym, var)};
    s->failed = s->failed || !may_wait(s, loop);
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        Node *start = lane_neutral(ir, r);
        s->failed = s->failed || (!start && s->skipped.count); /* it starts from what the spec has stored */
        if (start)
            lane_push(s, out, mk_assign(ir, r->acc, start, N_NONE, loop->loc));
    }
    lane_push(
        s, out,
        mk_for(ir, t, from, mk_binary(ir, N_LT, mk_var(ir, t), end), s->group->width, mk_block(ir, 2, stmts, loop->loc), true, loop->loc));
    Vec stores = {0};
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        Node *extent = NULL, *at = part_index(s, shared->chunk);
        lane_combine(s, r, out);
        shared->part[i] = sym_new_array(ir, S_ARRAY, r->acc->type, "part", 1, &extent, loop->loc);
        lane_push(s, &stores, mk_store(ir, shared->part[i], 1, &at, mk_var(ir, r->acc), N_NONE, loop->loc));
    }
    lane_push(s, out, mk_if(ir, lane_is(s, N_EQ), lane_block(s, &stores, loop->loc), NULL, loop->loc));
    shared->nparts = reductions->count;
    s->done = true;
}

/* The loop over the parts. */
Node *lane_loop_over_parts(LaneState *s, Node *loop, const Vec *reductions)
{
    Ir *ir = s->ir;
    Shared *shared = s->in->shared;
    Sym *c = sym_new(ir, S_LOOP, T_INDEX, "c", loop->loc);
    Vec list = {0};
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        Node *at = part_index(s, c);
        const char *name = arena_printf(ir->arena, "mik_both_%s()", combining[r->op] + 4);
        Node *args[] = {mk_var(ir, r->acc), mk_load(ir, shared->part[i], 1, &at)};
        Node *both = mk_call(ir, sym_new(ir, S_FUNC, r->acc->type, name, loop->loc), 2, args);
        lane_push(s, &list, mk_assign(ir, r->acc, both, N_NONE, loop->loc));
    }
    return mk_for(ir, c, mk_cast(ir, T_INDEX, mk_var(ir, s->in->lane)), mk_binary(ir, N_LT, mk_var(ir, c), mk_var(ir, shared->chunks)),
                  s->group->width, lane_block(s, &list, loop->loc), true, loop->loc);
}
