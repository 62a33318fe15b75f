/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outside in, with the ranges of the loops around. Each comparison of a loop's variable in it is tried: both parts are made and cleaned
 * up, and the loop is split if exactly one of them has no loop left. */
#include "plan/guard_splitting.h"

#include "depend/loop_range.h"
#include "ir/simplify.h"
#include "ir/walk.h"

enum { MOST_AROUND = 16, MOST_GUARDS = 4 };

typedef struct Splitting {
    Ir *ir;
    const Func *func; /* NULL: the body assigns to parameters, so that its extents say nothing of them */
    LoopRange around[MOST_AROUND];
    int count;
} Splitting;

/* ---------------------------------------------------------------- guards */

/* Comparisons of the loop's variable with what does not change in the loop. */
typedef struct Guards {
    Node *loop;
    Node *found[MOST_GUARDS];
    int count;
} Guards;

static bool is_place(Type type) { return type_is_integer(type) && type_is_signed(type) && type_bits(type) >= 32; }

static bool note_guard(void *user, Node *n)
{
    Guards *g = user;
    Kind cmp;
    Node *place;
    if (!(kind_info[n->kind].flags & F_REL) || !bound_on(n, g->loop->sym, false, &cmp, &place))
        return true;
    const bool splits = cmp == N_LT || cmp == N_LE || cmp == N_GT || cmp == N_GE;
    if (splits && (Type)place->type == g->loop->sym->type && is_stable_in(g->loop->kid[2], place) && g->count < MOST_GUARDS)
        g->found[g->count++] = n;
    return false;
}

static bool is_counted(Node *loop)
{
    Bounds b;
    return loop_declares(loop) && for_bounds(loop, &b) && b.step == 1 && (b.cmp == N_LT || b.cmp == N_LE) && is_place(b.var->type) &&
           !writes_sym(loop->kid[2], b.var) && is_stable_in(loop->kid[2], b.lo) && is_stable_in(loop->kid[2], b.hi);
}

/* ---------------------------------------------------------------- parts */

typedef struct Decided {
    Ir *ir;
    Node *guard;
    bool holds;
} Decided;

static Node *decide(void *user, Node *n)
{
    const Decided *d = user;
    return n == d->guard ? mk_int(d->ir, n->type, d->holds) : n;
}

/* Is the scalar set for good by a later statement of the block, before anything reads it? */
static bool is_set_anew(const Node *block, int at, const Sym *sym)
{
    for (int i = at + 1; i < block->nkids; i++) {
        Node *n = block->kid[i];
        if (uses_sym(n, sym))
            return n->kind == N_ASSIGN && n->sym == sym && !n->aux && !uses_sym(n->kid[0], sym);
    }
    return false;
}

/* Without values that nothing reads, as they are set again. */
static Node *drop_dead_value(void *user, Node *n)
{
    if (n->kind != N_BLOCK)
        return n;
    Ir *ir = user;
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids + 1);
    int count = 0;
    for (int i = 0; i < n->nkids; i++) {
        Node *s = n->kid[i];
        const bool dead = (s->kind == N_ASSIGN || (s->kind == N_DECL && s->nkids)) && !s->sym->rank && is_set_anew(n, i, s->sym);
        if (!dead)
            kids[count++] = s;
        else if (s->kind == N_DECL)
            kids[count++] = mk_decl(ir, s->sym, NULL, s->loc);
    }
    return with_kids(ir, n, count, kids);
}

/* Scalars that a body declares, and those that more than their own assignments read. */
typedef struct Locals {
    Ir *ir;
    const Sym *own; /* what is being assigned */
    Map declared, reads; /* by symbol id */
    bool dropped;
} Locals;

static bool note_local(void *user, Node *n)
{
    Locals *l = user;
    if (n->kind == N_DECL && !n->sym->rank)
        *map_at(l->ir->arena, &l->declared, n->sym->id) = n;
    if ((n->kind == N_VAR || n->kind == N_FOR) && n->sym != l->own)
        *map_at(l->ir->arena, &l->reads, n->sym->id) = n;
    if (n->kind != N_ASSIGN || l->own)
        return true;
    l->own = n->sym;
    walk(&(Walker){.pre = note_local, .user = l}, n);
    l->own = NULL;
    return false;
}

static Node *drop_local(void *user, Node *n)
{
    Locals *l = user;
    if ((n->kind != N_DECL && n->kind != N_ASSIGN) || !map_get(&l->declared, n->sym->id) || map_get(&l->reads, n->sym->id))
        return n;
    l->dropped = true;
    return NULL;
}

/* Without scalars of the body that only they themselves are computed from, and what was computed for these. */
static Node *drop_unread(Ir *ir, Node *body)
{
    Locals l = {.ir = ir, .dropped = true};
    while (l.dropped) {
        l = (Locals){.ir = ir};
        walk(&(Walker){.pre = note_local, .user = &l}, body);
        body = rewrite(&(Rewriter){.ir = ir, .post = drop_local, .user = &l}, body);
    }
    return body;
}

/* What an iteration does where the guard holds, or where it does not. */
static Node *part_of(const Splitting *s, Node *body, Node *guard, bool holds)
{
    Ir *ir = s->ir;
    Decided d = {.ir = ir, .guard = guard, .holds = holds};
    Node *part = simplify(ir, rewrite(&(Rewriter){.ir = ir, .post = decide, .user = &d}, body));
    part = rewrite(&(Rewriter){.ir = ir, .post = drop_dead_value, .user = ir}, part);
    return simplify(ir, drop_unread(ir, part));
}

/* ---------------------------------------------------------------- loops */

/* Is p never negative while the loops around run? */
static bool never_negative(const Splitting *s, Poly *p)
{
    Poly *least = extreme_inside(s->ir, s->func, p, s->around, s->count, false);
    return least && known_nonnegative(s->ir, s->func, least);
}

/* The loop up to the guard's place and that from there on, as a block; NULL: it had better stay whole. */
static Node *split_by(const Splitting *s, Node *loop, Node *guard)
{
    Ir *ir = s->ir;
    Bounds b;
    Kind cmp;
    Node *place;
    for_bounds(loop, &b);
    bound_on(guard, b.var, false, &cmp, &place);
    const bool holds_below = cmp == N_LT || cmp == N_LE, with_place = cmp == N_LE || cmp == N_GT;
    Poly *from = poly_add(ir, poly_of(ir, place), poly_int(ir, with_place));
    Poly *end = poly_add(ir, poly_of(ir, b.hi), poly_int(ir, b.cmp == N_LE));
    if (!never_negative(s, poly_sub(ir, end, from)) || !never_negative(s, poly_sub(ir, from, poly_of(ir, b.lo))))
        return NULL;
    Node *below = part_of(s, loop->kid[2], guard, holds_below), *above = part_of(s, loop->kid[2], guard, !holds_below);
    if (has_kind(below, N_FOR) == has_kind(above, N_FOR))
        return NULL;
    Node *within = mk_binary(ir, with_place ? N_LE : N_LT, mk_var(ir, b.var), place);
    Node *first = with_kid(ir, with_kid(ir, loop, 1, within), 2, below);
    Node *lo = with_place ? mk_binary(ir, N_ADD, place, mk_int(ir, place->type, 1)) : place;
    Node *second = with_kid(ir, with_kid(ir, loop, 0, lo), 2, above);
    return mk_block(ir, 2, (Node *[]){first, copy_with_own_symbols(ir, second)}, loop->loc);
}

static Node *split_loop(const Splitting *s, Node *loop)
{
    Guards g = {.loop = loop};
    if (!has_kind(loop->kid[2], N_FOR))
        return loop;
    walk(&(Walker){.pre = note_guard, .user = &g}, loop->kid[2]);
    for (int i = 0; i < g.count; i++) {
        Node *split = split_by(s, loop, g.found[i]);
        if (split)
            return split;
    }
    return loop;
}

static Node *split_all(Splitting *s, Node *n);

/* A block into which the parts of split loops go. */
static Node *split_block(Splitting *s, Node *n)
{
    Vec kids = {0};
    bool changed = false;
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = split_all(s, n->kid[i]);
        const bool is_split = kid->kind == N_BLOCK && n->kid[i]->kind == N_FOR;
        changed = changed || kid != n->kid[i];
        for (int j = 0; j < (is_split ? kid->nkids : 1); j++)
            vec_push(s->ir->arena, &kids, is_split ? kid->kid[j] : kid);
    }
    return changed ? with_kids(s->ir, n, kids.count, (Node **)kids.items) : n;
}

static Node *split_all(Splitting *s, Node *n)
{
    if (is_expr(n))
        return n;
    const bool counted = n->kind == N_FOR && is_counted(n) && s->count < MOST_AROUND;
    if (counted) {
        Node *split = split_loop(s, n);
        if (split != n)
            return split_block(s, split);
    } else if (n->kind == N_BLOCK) {
        return split_block(s, n);
    }
    if (counted)
        s->around[s->count++] = range_of_loop(s->ir, n);
    Node **kids = arena_new_array(s->ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = split_all(s, n->kid[i]);
    s->count -= counted;
    return with_kids(s->ir, n, n->nkids, kids);
}

Node *split_at_guards(Ir *ir, const Func *func)
{
    Splitting s = {.ir = ir, .func = func};
    for (int i = 0; i < func->nparams; i++)
        if (!func->params[i]->rank && writes_sym(func->body, func->params[i]))
            s.func = NULL;
    return split_all(&s, func->body);
}
