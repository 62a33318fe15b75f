/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the cuts are, then what each scalar is in each group. */
#include "plan/grid/device_scalars.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/reduce.h"
#include "depend/sink.h"
#include "ir/walk.h"
#include "plan/collapse.h"

enum { FEW = 64 }; /* iterations that one block may as well have */

typedef enum What { BETWEEN, GATHERS, MAPS } What; /* which loop there is */

typedef struct Cut {
    Ir *ir;
    Vec statements; /* no declarations of scalars among them */
    int *group;     /* of each, counted from 0 */
    What *kind;     /* per group */
    int groups;
    Vec scalars;    /* Sym *: declared by the statements */
    Vec *before;    /* per group: Node *, */
    Vec *behind;    /* what goes around it */
} Cut;

static Node *stmt_at(const Cut *c, int i) { return c->statements.items[i]; }

/* ---------------------------------------------------------------- groups */

/* Of a loop: does it write scalars that the statements share? */
static bool gathers(const Cut *c, Node *loop)
{
    for (int i = 0; i < c->scalars.count; i++)
        if (writes_sym(loop, c->scalars.items[i]))
            return true;
    return false;
}

static What what_is(const Cut *c, Node *n, bool strict)
{
    Node *trip = n->kind == N_FOR && n->aux ? trip_count(c->ir, n) : NULL;
    if (!trip || (trip->kind == N_INT && trip->u.i <= FEW) || !loop_is_unordered(c->ir, n, strict))
        return BETWEEN;
    return gathers(c, n) ? GATHERS : loop_is_parallel(c->ir, n) ? MAPS : BETWEEN;
}

/* What is between two loops goes with the first, if it gathers something up, else with the second, if that does. */
static void number_groups(Cut *c, bool strict)
{
    What last = BETWEEN; /* of the group so far: the loop in it */
    for (int i = 0; i < c->statements.count; i++) {
        const What what = what_is(c, stmt_at(c, i), strict);
        const bool ends = i > 0 && (what == BETWEEN ? last == MAPS : what == GATHERS ? last != BETWEEN : true);
        c->groups += ends;
        last = what != BETWEEN || ends ? what : last;
        c->kind[c->groups] = last;
        c->group[i] = c->groups;
    }
    c->groups++;
}

/* Does the value depend on scalars that the statements share, or on memory? */
static bool reads_others(const Cut *c, Node *assign)
{
    bool reads = reads_array(assign->kid[0], NULL);
    for (int i = 0; i < c->scalars.count; i++)
        reads = reads || uses_sym(assign->kid[0], c->scalars.items[i]);
    return reads;
}

static bool is_touched_before(const Cut *c, int at, const Sym *sym)
{
    for (int i = 0; i < at; i++)
        if (uses_sym(stmt_at(c, i), sym))
            return true;
    return false;
}

/* Where a scalar begins with an assignment at the end of a group, that belongs to the next one. */
static void move_beginnings(Cut *c)
{
    for (int i = c->statements.count - 2; i >= 0; i--) {
        Node *n = stmt_at(c, i);
        const int next = c->group[i + 1];
        if (n->kind == N_ASSIGN && c->group[i] < next && !n->aux && c->kind[next] == GATHERS && !is_touched_before(c, i, n->sym) &&
            !reads_others(c, n))
            c->group[i] = next;
    }
}

/* ---------------------------------------------------------------- scalars */

typedef struct Reading {
    Ir *ir;
    const Sym *scalar;
    Sym *cell;
} Reading;

static Node *element_of(Ir *ir, Sym *cell)
{
    Node *at = ix_int(ir, 0);
    return mk_load(ir, cell, 1, &at);
}

static Node *reading_post(void *user, Node *n)
{
    const Reading *r = user;
    return n->kind == N_VAR && n->sym == r->scalar ? element_of(r->ir, r->cell) : n;
}

typedef struct Use {
    bool touches, writes;
} Use;

static Use use_in(const Cut *c, int group, const Sym *sym)
{
    Use use = {false, false};
    for (int i = 0; i < c->statements.count; i++) {
        if (c->group[i] != group)
            continue;
        use.touches = use.touches || uses_sym(stmt_at(c, i), sym);
        use.writes = use.writes || writes_sym(stmt_at(c, i), sym);
    }
    return use;
}

static void replace_in(Cut *c, int group, Sym *sym, Sym *cell, Sym *own)
{
    Reading r = {c->ir, sym, cell};
    for (int i = 0; i < c->statements.count; i++)
        if (c->group[i] == group)
            c->statements.items[i] = own ? rename_sym(c->ir, stmt_at(c, i), sym, own)
                                         : rewrite(&(Rewriter){.ir = c->ir, .post = reading_post, .user = &r}, stmt_at(c, i));
}

/* A scalar of several groups: those that write it have one of their own, which they load and store; the others read the cell. */
static void hand_on(Cut *c, Sym *sym, int first, int last, Vec *cells)
{
    Ir *ir = c->ir;
    Node *one = ix_int(ir, 1), *at = ix_int(ir, 0);
    Sym *cell = sym_new_array(ir, S_LOCAL_ARRAY, sym->type, sym->name, 1, &one, sym->loc);
    vec_push(ir->arena, cells, cell);
    for (int g = first; g <= last; g++) {
        const Use use = use_in(c, g, sym);
        if (!use.touches)
            continue;
        Sym *own = use.writes ? sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc) : NULL;
        replace_in(c, g, sym, cell, own);
        if (!own)
            continue;
        vec_push(ir->arena, &c->before[g], mk_decl(ir, own, g > first ? element_of(ir, cell) : NULL, sym->loc));
        if (g < last)
            vec_push(ir->arena, &c->behind[g], mk_store(ir, cell, 1, &at, mk_var(ir, own), N_NONE, sym->loc));
    }
}

static void place_scalar(Cut *c, Sym *sym, Vec *cells)
{
    int first = -1, last = -1, count = 0;
    for (int g = 0; g < c->groups; g++)
        if (use_in(c, g, sym).touches) {
            first = first < 0 ? g : first;
            last = g;
            count++;
        }
    if (count > 1)
        hand_on(c, sym, first, last, cells);
    else if (count == 1)
        vec_push(c->ir->arena, &c->before[first], mk_decl(c->ir, sym, NULL, sym->loc));
}

/* ---------------------------------------------------------------- cuts */

/* Declarations become assignments, if they give a value. */
static void take_declarations(Cut *c, const Vec *statements)
{
    Ir *ir = c->ir;
    for (int i = 0; i < statements->count; i++) {
        Node *n = statements->items[i];
        const bool declares = n->kind == N_DECL && !n->sym->rank;
        if (declares)
            vec_push(ir->arena, &c->scalars, n->sym);
        if (!declares)
            vec_push(ir->arena, &c->statements, n);
        else if (n->nkids)
            vec_push(ir->arena, &c->statements, mk_assign(ir, n->sym, n->kid[0], N_NONE, n->loc));
    }
    sink_assignments(ir, &c->statements);
}

static Node *group_of(const Cut *c, int group, Loc loc)
{
    Vec all = {0};
    const Vec *before = &c->before[group], *behind = &c->behind[group];
    for (int i = 0; i < before->count; i++)
        vec_push(c->ir->arena, &all, before->items[i]);
    for (int i = 0; i < c->statements.count; i++)
        if (c->group[i] == group)
            vec_push(c->ir->arena, &all, stmt_at(c, i));
    for (int i = 0; i < behind->count; i++)
        vec_push(c->ir->arena, &all, behind->items[i]);
    return all.count == 1 ? all.items[0] : mk_block(c->ir, all.count, (Node **)all.items, loc);
}

Vec cut_at_loops(Ir *ir, const Vec *statements, bool strict, Vec *cells, Loc loc)
{
    Cut c = {.ir = ir};
    Vec out = {0};
    take_declarations(&c, statements);
    c.group = arena_new_array(ir->arena, int, c.statements.count + 1);
    c.kind = arena_new_array(ir->arena, What, c.statements.count + 1);
    number_groups(&c, strict);
    move_beginnings(&c);
    if (c.groups < 2) {
        vec_push(ir->arena, &out, mk_block(ir, statements->count, (Node **)statements->items, loc));
        return out;
    }
    c.before = arena_new_array(ir->arena, Vec, c.groups);
    c.behind = arena_new_array(ir->arena, Vec, c.groups);
    for (int i = 0; i < c.scalars.count; i++)
        place_scalar(&c, c.scalars.items[i], cells);
    for (int g = 0; g < c.groups; g++)
        vec_push(ir->arena, &out, group_of(&c, g, loc));
    return out;
}

Node *collapse_gathers(Ir *ir, Node *group, bool strict)
{
    Cut c = {.ir = ir};
    Node **kids = arena_new_array(ir->arena, Node *, group->nkids);
    for (int i = 0; i < group->nkids; i++)
        if (group->kid[i]->kind == N_DECL && !group->kid[i]->sym->rank)
            vec_push(ir->arena, &c.scalars, group->kid[i]->sym);
    for (int i = 0; i < group->nkids; i++)
        kids[i] = what_is(&c, group->kid[i], strict) == GATHERS ? collapse_sums(ir, group->kid[i]) : group->kid[i];
    return with_kids(ir, group, group->nkids, kids);
}
