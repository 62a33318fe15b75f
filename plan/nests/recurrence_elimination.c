/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One scalar after the other, as long as there are some: one may be made of the last. */
#include "plan/nests/recurrence_elimination.h"

#include "depend/env.h"
#include "depend/reduce.h"
#include "depend/scan.h"
#include "depend/scope.h"
#include "ir/effect.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum {
    MOST_NODES = 24,   /* of what is computed again */
    MOST_OF_BODY = 400, /* of an iteration that is peeled */
    MOST_ROUNDS = 3    /* iterations that are */
};

typedef struct Elimination {
    Ir *ir;
    bool strict;
    const Node *block; /* which the loop is in */
    int at;            /* its place there */
    Node *loop;
    Bounds bounds;
    Map lets;   /* by symbol id: Node *, what names of the loop's body stand for, where that is little */
    Vec around; /* the loop is between them: iterations that are peeled */
    Vec behind; /* what the loop leaves in scalars */
} Elimination;

/* ---------------------------------------------------------------- what an iteration computes */

typedef struct Search {
    const Elimination *e;
    bool fits;
} Search;

static bool search_change(void *user, Node *n)
{
    Search *s = user;
    Node *body = s->e->loop->kid[2];
    const bool reads = n->kind == N_VAR || n->kind == N_LOAD;
    s->fits = s->fits && n->kind != N_CALL && !(reads && writes_sym(body, n->sym)) && !(n->kind == N_VAR && is_shared(n->sym));
    return s->fits;
}

/* Is it the same whenever it is computed, but for the loop's variable? */
static bool is_repeatable(const Elimination *e, Node *value)
{
    Search s = {e, tree_size(value, MOST_NODES) < MOST_NODES};
    if (s.fits)
        walk(&(Walker){.pre = search_change, .user = &s}, value);
    return s.fits;
}

static int writers(const Node *block, const Sym *sym)
{
    int count = 0;
    for (int i = 0; i < block->nkids; i++)
        count += writes_sym(block->kid[i], sym);
    return count;
}

/* Names of the body for little that is repeatable. */
static void note_lets(Elimination *e)
{
    const Node *body = e->loop->kid[2];
    e->lets = (Map){0};
    for (int i = 0; i < body->nkids; i++) {
        const Node *n = body->kid[i];
        if (n->kind != N_DECL || !n->nkids || n->sym->rank || writers(body, n->sym) != 1)
            continue;
        Node *value = expand_names(e->ir, &e->lets, n->kid[0]);
        if (is_repeatable(e, value))
            *map_at(e->ir->arena, &e->lets, n->sym->id) = mk_cast(e->ir, n->sym->type, value);
    }
}

/* ---------------------------------------------------------------- one scalar */

/* Of statement `i`, an assignment that every iteration makes to a scalar from outside: what it assigns; NULL: it is something else. */
static Node *handed_on(Elimination *e, int i)
{
    const Node *body = e->loop->kid[2], *n = body->kid[i];
    if (n->kind != N_ASSIGN || n->sym->kind != S_LOCAL || is_shared(n->sym) || writers(body, n->sym) != 1 ||
        uses_sym(stmt_value(n), n->sym))
        return NULL;
    Node *value = expand_names(e->ir, &e->lets, stmt_value(n));
    return is_repeatable(e, value) ? mk_cast(e->ir, n->sym->type, value) : NULL;
}

/* The value where the loop's variable is `at`. */
static Node *value_at(const Elimination *e, Node *value, Node *at)
{
    return substitute(e->ir, value, e->bounds.var, mk_cast(e->ir, e->bounds.var->type, at));
}

static Node *if_it_runs(const Elimination *e, Node *stmt)
{
    const Bounds *b = &e->bounds;
    return mk_if(e->ir, mk_binary(e->ir, b->cmp, b->lo, mk_cast(e->ir, b->var->type, b->hi)), stmt, NULL, e->loop->loc);
}

/* Is the scalar declared in front of the loop, and not looked at behind it? */
static bool is_dead_behind(const Elimination *e, const Sym *sym)
{
    bool dead = false;
    for (int i = 0; i < e->at; i++)
        dead = dead || (e->block->kid[i]->kind == N_DECL && e->block->kid[i]->sym == sym);
    for (int i = e->at + 1; i < e->block->nkids; i++)
        dead = dead && !uses_sym(e->block->kid[i], sym);
    return dead;
}

/* What the loop leaves in the scalar. */
static Node *leaving(const Elimination *e, Sym *sym, Node *value)
{
    Ir *ir = e->ir;
    const Bounds *b = &e->bounds;
    Node *hi = mk_cast(ir, b->var->type, b->hi), *last = b->cmp == N_LT ? mk_binary(ir, N_SUB, hi, mk_int(ir, b->var->type, 1)) : hi;
    Node *set = mk_assign(ir, sym, value_at(e, value, last), N_NONE, e->loop->loc);
    return if_it_runs(e, mk_block(ir, 1, &set, e->loop->loc));
}

/* The first iteration, under its condition, goes in front of the loop. */
static void peel(Elimination *e)
{
    Ir *ir = e->ir;
    Node *loop = e->loop, *lo = e->bounds.lo, *first = copy_with_own_symbols(ir, value_at(e, loop->kid[2], lo));
    vec_push(ir->arena, &e->around, if_it_runs(e, first));
    Node *kids[] = {lo->kind == N_INT ? mk_int(ir, (Type)lo->type, lo->u.i + 1) : mk_binary(ir, N_ADD, lo, mk_int(ir, (Type)lo->type, 1)),
                    loop->kid[1], loop->kid[2]};
    e->loop = with_kids(ir, loop, 3, kids);
    for_bounds(e->loop, &e->bounds);
}

static Sym *constant_like(Ir *ir, const Sym *sym)
{
    Sym *constant = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc);
    constant->is_const = true;
    return constant;
}

/* Without statement `i`, which hands `value` on. */
static void eliminate(Elimination *e, int i, Node *value)
{
    Ir *ir = e->ir;
    Node *loop = e->loop, *body = loop->kid[2], *assign = body->kid[i], **kids = arena_new_array(ir->arena, Node *, body->nkids + 1);
    Sym *sym = assign->sym, *now = constant_like(ir, sym), *then = constant_like(ir, sym);
    Node *before = value_at(e, value, mk_binary(ir, N_SUB, mk_var(ir, e->bounds.var), mk_int(ir, e->bounds.var->type, 1)));
    kids[0] = mk_decl(ir, then, before, assign->loc); /* in every iteration, since it can neither trap nor leave an array */
    for (int k = 0; k < body->nkids; k++)
        kids[k + 1] = rename_sym(ir, body->kid[k], sym, k < i ? then : now);
    kids[i + 1] = mk_decl(ir, now, stmt_value(assign), assign->loc);
    if (!is_dead_behind(e, sym))
        vec_push(ir->arena, &e->behind, leaving(e, sym, value));
    e->loop = with_kid(ir, loop, 2, mk_block(ir, body->nkids + 1, kids, body->loc));
}

/* Of all scalars that it can be done for, once. */
static bool eliminate_some(Elimination *e)
{
    const int count = e->loop->kid[2]->nkids;
    Node **value = arena_new_array(e->ir->arena, Node *, count + 1);
    bool some = false;
    note_lets(e);
    for (int i = 0; i < count; i++)
        some = (value[i] = handed_on(e, i)) || some;
    if (some)
        peel(e);
    for (int i = count - 1; i >= 0; i--) /* each adds a statement in front */
        if (value[i])
            eliminate(e, i + e->loop->kid[2]->nkids - count, value[i]);
    return some;
}

/* ---------------------------------------------------------------- loops */

static bool fits(const Elimination *e)
{
    const Bounds *b = &e->bounds;
    Node *body = e->loop->kid[2];
    if (body->kind != N_BLOCK || tree_size(body, MOST_OF_BODY) >= MOST_OF_BODY || has_kind(body, N_BREAK) || has_kind(body, N_CONTINUE) ||
        has_kind(body, N_RETURN) || has_stage(body))
        return false;
    return b->step == 1 && (b->cmp == N_LT || b->cmp == N_LE) && type_is_signed(b->var->type) && type_bits(b->var->type) >= 32 &&
           !uses_sym(b->lo, b->var) && is_repeatable(e, b->lo) && is_repeatable(e, b->hi);
}

static bool is_free(const Elimination *e, Node *loop)
{
    return loop_is_unordered(e->ir, loop, e->strict) || loop_is_scan(e->ir, loop, e->strict);
}

/* Adds the loop to `out`, with what has to be in front of it and behind. False: as it is. */
static bool of_loop(const Elimination *outer, const Node *block, int at, Vec *out)
{
    Elimination e = *outer;
    Ir *ir = e.ir;
    Node *loop = block->kid[at];
    e.block = block;
    e.at = at;
    e.loop = loop;
    if (loop->kind != N_FOR || !loop_declares(loop) || !for_bounds(loop, &e.bounds) || !fits(&e) || is_free(&e, loop))
        return false;
    for (int i = 0; i < MOST_ROUNDS && eliminate_some(&e); i++)
        ;
    if (e.loop == loop || !is_free(&e, e.loop))
        return false;
    if (drop_unused(ir, e.loop->kid[2])->nkids)
        vec_push(ir->arena, &e.around, e.loop);
    for (int i = 0; i < e.around.count; i++)
        vec_push(ir->arena, out, e.around.items[i]);
    for (int i = 0; i < e.behind.count; i++)
        vec_push(ir->arena, out, e.behind.items[i]);
    return true;
}

static Node *at_block(void *user, Node *n)
{
    const Elimination *e = user;
    Vec out = {0};
    bool changed = false;
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++) {
        if (of_loop(e, n, i, &out))
            changed = true;
        else
            vec_push(e->ir->arena, &out, n->kid[i]);
    }
    return changed ? mk_block(e->ir, out.count, (Node **)out.items, n->loc) : n;
}

Node *eliminate_recurrences(Ir *ir, Node *body, bool strict)
{
    Elimination e = {.ir = ir, .strict = strict};
    Node *rewritten = rewrite(&(Rewriter){.ir = ir, .post = at_block, .user = &e}, body);
    return rewritten == body ? body : drop_unused(ir, rewritten);
}
