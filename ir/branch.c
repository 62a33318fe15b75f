/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges a statement with the one before it, if both depend on one condition that stays true between them. */
#include "ir/branch.h"

#include "ir/condition.h"
#include "ir/effect.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* The last statement of a list while it is an `if` that others have merged into. */
typedef struct OpenIf {
    Node *original, *newest; /* the first of the merged statements, the last one */
    Stmts *then, *otherwise; /* otherwise: NULL while there is none */
} OpenIf;

struct Stmts {
    Facts *facts;
    Vec items; /* Node; the last one is out of date while `open` */
    OpenIf *open;
    bool merge;
};

Stmts *stmts_new(Facts *facts, bool merge)
{
    Stmts *list = arena_alloc(facts->ir->scratch, sizeof *list);
    list->facts = facts;
    list->merge = merge && facts->opt->mode == LICM_FULL;
    return list;
}

Node *only_statement(Node *body)
{
    while (body->kind == N_BLOCK && body->nkids == 1 && body->kid[0]->kind != N_DECL)
        body = body->kid[0];
    return body;
}

Node *if_statement(Facts *f, Node *original, Node *cond, Node *then, Node *otherwise)
{
    while (f->opt->mode == LICM_FULL && !otherwise) {
        const Node *inner = only_statement(then);
        if (inner->kind != N_IF || inner->nkids != 2)
            break;
        Node *both[] = {cond, inner->kid[0]};
        cond = condition_chain(f, N_LAND, 2, both);
        then = inner->kid[1];
    }
    Node *kids[] = {cond, then, otherwise};
    return with_kids(f->ir, original, otherwise ? 3 : 2, kids);
}

/* Bring the last item up to date. */
static void close_last(Stmts *list)
{
    OpenIf *open = list->open;
    if (!open)
        return;
    list->open = NULL;
    Node *then = stmts_block(open->then, NULL);
    Node *otherwise = open->otherwise ? stmts_block(open->otherwise, NULL) : NULL;
    list->items.items[list->items.count - 1] = if_statement(list->facts, open->original, open->original->kid[0], then, otherwise);
}

static void push(Stmts *list, Node *stmt)
{
    close_last(list);
    vec_push(list->facts->ir->scratch, &list->items, stmt);
}

/* May `stmt` change the value of the condition whose symbols are marked? */
typedef struct Changes {
    Facts *facts;
    Map marked;
    bool found;
} Changes;

static bool mark_sources(void *user, Node *n)
{
    Changes *c = user;
    const Sym *sources[MOST_SOURCES];
    int count = n->sym && n->sym->kind != S_FUNC ? value_sources(n->sym, sources) : 0;
    for (int i = 0; i < count; i++)
        *map_at(c->facts->ir->scratch, &c->marked, sources[i]->id) = (void *)sources[i];
    return true;
}

static void find_change(void *user, const Sym *sym)
{
    Changes *c = user;
    c->found = c->found || map_get(&c->marked, sym->id);
}

static bool look_for_change(void *user, Node *n)
{
    Changes *c = user;
    if (is_expr(n) && !(expr_flags(c->facts->ranges, n) & EXPR_CALLS))
        return false;
    own_effects(n, find_change, c);
    return !c->found;
}

static bool may_change(Facts *f, Node *stmt, Node *cond)
{
    Changes c = {.facts = f};
    walk(&(Walker){.pre = mark_sources, .user = &c}, cond);
    walk(&(Walker){.pre = look_for_change, .user = &c}, stmt);
    return c.found;
}

/* The branch declares a name that others have too: it keeps a block of its own. */
static bool keeps_block(Facts *f, const Node *branch)
{
    for (int i = 0; i < branch->nkids && branch->kind == N_BLOCK; i++)
        if (branch->kid[i]->kind == N_DECL && !is_sole_name(f, branch->kid[i]->sym))
            return true;
    return false;
}

static void add_branch(Stmts *list, Node *branch)
{
    if (branch->kind != N_BLOCK || keeps_block(list->facts, branch))
        stmts_add(list, branch);
    else
        for (int i = 0; i < branch->nkids; i++)
            stmts_add(list, branch->kid[i]);
}

static Stmts *opened(Facts *f, Node *branch)
{
    Stmts *list = stmts_new(f, true);
    if (branch->kind != N_BLOCK || keeps_block(f, branch))
        push(list, branch);
    else
        for (int i = 0; i < branch->nkids; i++)
            push(list, branch->kid[i]); /* its neighbours have been tried already */
    return list;
}

static void open_last(Stmts *list)
{
    Node *last = list->items.items[list->items.count - 1];
    OpenIf *open = arena_alloc(list->facts->ir->scratch, sizeof *open);
    open->original = open->newest = last;
    open->then = opened(list->facts, last->kid[1]);
    open->otherwise = last->nkids == 3 ? opened(list->facts, last->kid[2]) : NULL;
    list->open = open;
}

static bool merges_with_last(const Stmts *list, const Node *stmt)
{
    if (!list->merge || stmt->kind != N_IF || list->items.count == 0)
        return false;
    const Node *last = list->items.items[list->items.count - 1];
    if (last->kind != N_IF || last->kid[0] != stmt->kid[0])
        return false;
    if (list->facts->func->counts && (last->nkids == 3 || list->open)) /* what stands in `stmt` would stand in front of the `else` */
        return false;
    const unsigned once = list->facts->opt->fp == FP_NONE ? EXPR_IMPURE | EXPR_RAISES : EXPR_IMPURE;
    if (expr_flags(list->facts->ranges, stmt->kid[0]) & once)
        return false;
    /* What merged before `newest` has been looked at when `newest` came. */
    return !may_change(list->facts, list->open ? list->open->newest : (Node *)last, stmt->kid[0]);
}

void stmts_add(Stmts *list, Node *stmt)
{
    if (!merges_with_last(list, stmt)) {
        push(list, stmt);
        return;
    }
    if (!list->open)
        open_last(list);
    OpenIf *open = list->open;
    open->newest = stmt;
    add_branch(open->then, stmt->kid[1]);
    if (stmt->nkids == 3 && !open->otherwise)
        open->otherwise = opened(list->facts, stmt->kid[2]);
    else if (stmt->nkids == 3)
        add_branch(open->otherwise, stmt->kid[2]);
}

Node *stmts_block(Stmts *list, Node *original)
{
    close_last(list);
    Node *none = NULL;
    Node *const *stmts = list->items.count ? (Node *const *)list->items.items : &none;
    if (!original)
        return mk_block(list->facts->ir, list->items.count, stmts, (Loc){0, 0});
    return with_kids(list->facts->ir, original, list->items.count, stmts);
}

Node *stmts_body(Stmts *list, Node *original)
{
    if (original->kind == N_BLOCK)
        return stmts_block(list, original);
    close_last(list);
    Node *first = list->items.count ? list->items.items[0] : NULL;
    return list->items.count == 1 && first->kind != N_DECL ? first : stmts_block(list, NULL);
}

Node *only_loop(Node *n)
{
    n = only_statement(n);
    return n->kind == N_FOR ? n : NULL;
}
