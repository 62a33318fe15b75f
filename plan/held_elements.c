/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place is set by one branch alone, whose condition compares the element there with the one at the new place. Before the loop the
 * element is read only if the first iteration is certain to read it; not where a condition keeps the first iteration from it, such as b < 0
 * of a place that begins with -1. */
#include "plan/held_elements.h"

#include "depend/index.h"
#include "depend/inside.h"
#include "depend/parallel.h"
#include "ir/simplify.h"
#include "ir/walk.h"

typedef struct Holding {
    Ir *ir;
    const Func *func;
    Node *body;          /* the operator's */
    Node *loop, *branch;
    Sym *place, *next;   /* place = next; */
    Node *first;         /* what the place is before the loop, a constant; NULL: nobody knows */
    Node *element;       /* at the place */
    bool certain, never; /* the first iteration reads it, does not */
    Sym *held;
} Holding;

static Node *only_one(Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n;
}

/* ---------------------------------------------------------------- may it be? */

static bool is_change(void *user, Node *n)
{
    const Holding *h = user;
    const bool writes = n->kind == N_ASSIGN || n->kind == N_DECL || n->kind == N_FOR;
    return (writes && n->sym == h->place && n != only_one(h->branch->kid[1])) ||
           (writes && n->sym == h->next && n != h->loop && n->kind != N_DECL);
}

/* Does the loop change the place elsewhere, or the new one? */
static bool is_changed_elsewhere(const Holding *h) { return any_stmt(h->loop, is_change, (void *)h); }

/* Does it change with the place alone? */
static bool is_of_place(const Holding *h, const Node *e)
{
    bool yes = e->kind == N_CALL ? false : (e->kind != N_VAR && e->kind != N_LOAD) || e->sym == h->place || !writes_sym(h->loop, e->sym);
    for (int i = 0; i < e->nkids && yes; i++)
        yes = is_of_place(h, e->kid[i]);
    return yes;
}

/* Is the condition so, whatever else it reads, as long as the place is what it was before the loop? */
static bool is_so_first(const Holding *h, Node *cond, bool so)
{
    Node *now = h->first ? simplify(h->ir, substitute(h->ir, cond, h->place, h->first)) : cond;
    return now->kind == N_INT && (now->u.i != 0) == so;
}

/* Numbers that have variables as they are in memory. */
static bool is_plain(const Sym *array)
{
    const bool plain = array->type == T_DOUBLE || array->type == T_FLOAT || (type_is_integer(array->type) && type_bits(array->type) >= 32);
    return plain && !array->is_volatile;
}

/* Finds the element in a condition; lazily: which is not evaluated always; kept: nor the first time. */
static void find_element(Holding *h, Node *e, bool lazily, bool kept)
{
    if (e->kind == N_LOAD && uses_sym(e, h->place) && is_plain(e->sym) && is_of_place(h, e) && (!h->element || h->element == e)) {
        h->never = h->element ? h->never && kept : kept;
        h->certain = h->certain || !lazily;
        h->element = e;
        return;
    }
    for (int i = 0; i < e->nkids; i++) {
        const bool later = i && kind_info[e->kind].flags & F_LAZY, chain = e->kind == N_LAND || e->kind == N_LOR;
        find_element(h, e->kid[i], lazily || later, kept || (later && chain && is_so_first(h, e->kid[0], e->kind == N_LOR)));
    }
}

/* Does evaluating e read `load` for certain? */
static bool reads_always(const Node *e, const Node *load)
{
    bool yes = e == load;
    for (int i = 0; i < e->nkids && !yes && !(i && kind_info[e->kind].flags & F_LAZY); i++)
        yes = reads_always(e->kid[i], load);
    return yes;
}

/* Or if it is true? */
static bool reads_where_true(const Node *e, const Node *load)
{
    return reads_always(e, load) || (e->kind == N_LAND && (reads_where_true(e->kid[0], load) || reads_where_true(e->kid[1], load)));
}

static bool reads(Node *e, const Node *load)
{
    bool yes = e == load;
    for (int i = 0; i < e->nkids && !yes; i++)
        yes = reads(e->kid[i], load);
    return yes;
}

static bool is_around(Node *n, const Node *loop)
{
    bool yes = n == loop;
    for (int i = 0; i < n->nkids && !yes && !is_expr(n); i++)
        yes = is_around(n->kid[i], loop);
    return yes;
}

/* The loops around, with nothing in the innermost one but a scalar that is set to the element. */
static Node *loops_around(const Holding *h, Node *n, Node *set)
{
    if (n == h->loop)
        return with_kids(h->ir, n, 3, (Node *[]){n->kid[0], n->kid[1], set});
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]) && is_around(n->kid[i], h->loop)) {
            Node *inner = loops_around(h, n->kid[i], set);
            return n->kind == N_FOR ? with_kids(h->ir, n, 3, (Node *[]){n->kid[0], n->kid[1], inner}) : inner;
        }
    return set;
}

/* May every iteration read the element at the new place? */
static bool is_inside(const Holding *h, Node *there)
{
    Sym *any = sym_new(h->ir, S_LOCAL, h->element->sym->type, "any", there->loc);
    Node *stmt;
    return !perhaps_outside(h->ir, h->func, loops_around(h, h->body, mk_decl(h->ir, any, there, there->loc)), &stmt);
}

static bool may_hold(Holding *h)
{
    Node *set = h->branch->nkids == 2 ? only_one(h->branch->kid[1]) : NULL;
    if (!set || set->kind != N_ASSIGN || !type_is_integer(set->sym->type) || set->kid[0]->kind != N_VAR ||
        set->kid[0]->sym->type != set->sym->type)
        return false;
    h->place = set->sym;
    h->next = set->kid[0]->sym;
    find_element(h, h->branch->kid[0], false, false);
    if (!h->element || !(h->certain || h->never) || is_changed_elsewhere(h))
        return false;
    Node *there = substitute(h->ir, h->element, h->place, mk_var(h->ir, h->next));
    return reads(h->branch->kid[0], there) &&
           (reads_where_true(h->branch->kid[0], there) || (h->next == h->loop->sym && is_inside(h, there)));
}

/* ---------------------------------------------------------------- do it */

static Node *replace(void *user, Node *n)
{
    const Holding *h = user;
    return n == h->element ? mk_var(h->ir, h->held) : n;
}

static Node *replace_branch(void *user, Node *n)
{
    Holding *h = user;
    if (n != h->branch)
        return n;
    Ir *ir = h->ir;
    Node *there = substitute(ir, h->element, h->place, mk_var(ir, h->next)), *set = only_one(n->kid[1]);
    Node *both[] = {set, mk_assign(ir, h->held, there, N_NONE, set->loc)};
    Node *cond = rewrite(&(Rewriter){.ir = ir, .post = replace, .user = h}, n->kid[0]);
    return mk_if(ir, cond, mk_block(ir, 2, both, set->loc), NULL, n->loc);
}

static void hold(Holding *h, Vec *out)
{
    Ir *ir = h->ir;
    const Sym *array = h->element->sym;
    h->held = sym_new(ir, S_LOCAL, array->type, arena_printf(ir->arena, "held_%s", array->name), h->branch->loc);
    Node *zero = type_is_float(array->type) ? mk_float(ir, array->type, 0) : mk_int(ir, array->type, 0);
    Node *runs = mk_binary(ir, N_GT, trip_count_of_running(ir, h->loop), ix_int(ir, 0));
    Node *start = h->certain ? mk_select(ir, runs, h->element, zero) : zero;
    vec_push(ir->arena, out, mk_decl(ir, h->held, start, h->branch->loc));
    vec_push(ir->arena, out, rewrite(&(Rewriter){.ir = ir, .post = replace_branch, .user = h}, h->loop));
}

/* The constant that the place is before the block's statement `at`; NULL: it is none. */
static Node *value_before(const Node *block, int at, const Sym *place)
{
    while (at-- > 0) {
        Node *n = block->kid[at];
        if ((n->kind == N_DECL || n->kind == N_ASSIGN) && n->sym == place)
            return n->nkids && n->kid[0]->kind == N_INT ? n->kid[0] : NULL;
        if (writes_sym(n, place))
            return NULL;
    }
    return NULL;
}

static bool hold_in(Holding *h, const Node *block, int at, Vec *out)
{
    Bounds bounds;
    Node *loop = block->kid[at], *body = loop->kind == N_FOR ? loop->kid[2] : NULL;
    if (!body || has_kind(body, N_FOR) || !for_bounds(loop, &bounds))
        return false;
    Node *const *statements = body->kind == N_BLOCK ? body->kid : &loop->kid[2];
    for (int i = 0; i < (body->kind == N_BLOCK ? body->nkids : 1); i++) {
        Node *set = statements[i]->kind == N_IF ? only_one(statements[i]->kid[1]) : NULL;
        if (!set || set->kind != N_ASSIGN)
            continue;
        Holding found = {.ir = h->ir, .func = h->func, .body = h->body, .loop = loop, .branch = statements[i]};
        found.first = value_before(block, at, set->sym);
        if (may_hold(&found) && trip_count_of_running(h->ir, loop)) {
            hold(&found, out);
            return true;
        }
    }
    return false;
}

static Node *hold_in_block(Holding *h, Node *block)
{
    Vec out = {0};
    bool held = false;
    for (int i = 0; i < block->nkids; i++) {
        const bool here = hold_in(h, block, i, &out);
        held = held || here;
        if (!here)
            vec_push(h->ir->arena, &out, block->kid[i]);
    }
    return held ? mk_block(h->ir, out.count, (Node **)out.items, block->loc) : block;
}

static Node *hold_post(void *user, Node *n)
{
    Holding *h = user;
    if (n->kind == N_BLOCK)
        return hold_in_block(h, n);
    if (n->kind != N_FOR || n->kid[2]->kind != N_FOR)
        return n;
    Node *alone = mk_block(h->ir, 1, &n->kid[2], n->loc), *body = hold_in_block(h, alone);
    return body == alone ? n : with_kids(h->ir, n, 3, (Node *[]){n->kid[0], n->kid[1], body});
}

Node *hold_elements(Ir *ir, const Func *f, Node *body)
{
    Holding h = {.ir = ir, .func = f, .body = body};
    return rewrite(&(Rewriter){.ir = ir, .post = hold_post, .user = &h}, body);
}
