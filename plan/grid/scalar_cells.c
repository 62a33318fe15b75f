/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks of each scalar that a contraction captures whether the host could compute it. */
#include "plan/grid/scalar_cells.h"

#include "depend/index.h"
#include "ir/walk.h"

typedef struct Cells {
    Ir *ir;
    Node *body;
    Vec declared; /* N_DECL of the cells */
    const Contraction *contraction;
} Cells;

/* ---------------------------------------------------------------- what the host knows */

typedef struct Writes {
    const Sym *sym;
    Node *decl;
    int assignments, loops;
} Writes;

static bool note_write(void *user, Node *n)
{
    Writes *w = user;
    if (n->sym != w->sym)
        return !is_expr(n);
    w->decl = n->kind == N_DECL ? n : w->decl;
    w->assignments += n->kind == N_ASSIGN;
    w->loops += n->kind == N_FOR;
    return !is_expr(n);
}

static bool host_knows(const Cells *c, const Sym *sym, bool loads);

static bool host_computes(const Cells *c, const Node *e, bool loads)
{
    if ((e->kind == N_LOAD && !loads) || (e->kind == N_VAR && !host_knows(c, e->sym, loads)))
        return false;
    for (int i = 0; i < e->nkids; i++)
        if (!host_computes(c, e->kid[i], loads))
            return false;
    return true;
}

/* A parameter, the variable of a loop around, or a scalar that is made of such once and for all; `loads`: or of elements. */
static bool host_knows(const Cells *c, const Sym *sym, bool loads)
{
    Writes w = {.sym = sym};
    if (sym->kind == S_PARAM)
        return true;
    walk(&(Walker){.pre = note_write, .user = &w}, c->body);
    if (w.loops && !w.assignments && !w.decl)
        return true;
    return w.decl && w.decl->nkids && !w.assignments && !w.loops && host_computes(c, w.decl->kid[0], loads);
}

/* ---------------------------------------------------------------- cells */

static bool find_place(void *user, Node *n)
{
    const Loc *loc = user;
    return n->kind == N_FOR && n->loc.beg == loc->beg;
}

static bool holds_contraction(const Cells *c, Node *n) { return any_stmt(n, find_place, (void *)&c->contraction->loc); }

typedef struct Reading {
    Ir *ir;
    const Sym *scalar;
    Sym *cell;
} Reading;

static Node *read_cell(void *user, Node *n)
{
    const Reading *r = user;
    Node *at = ix_int(r->ir, 0);
    return n->kind == N_VAR && n->sym == r->scalar ? mk_load(r->ir, r->cell, 1, &at) : n;
}

/* The number of the kid of `block` that declares `sym`, or -1. */
static int declared_at(const Node *block, const Sym *sym)
{
    for (int i = 0; block->kind == N_BLOCK && i < block->nkids; i++)
        if (block->kid[i]->kind == N_DECL && block->kid[i]->sym == sym)
            return i;
    return -1;
}

/* Of the block that declares the scalar: behind its last change in front of the contraction the cell has its value, and is read instead. */
static Node *put_cell_in(Cells *c, Sym *sym, Node *block, int decl)
{
    Ir *ir = c->ir;
    Vec out = {0};
    int at = decl + 1, written = decl, next;
    while (at < block->nkids && !holds_contraction(c, block->kid[at]))
        at++;
    for (int i = decl; i < at && at < block->nkids; i++)
        written = writes_sym(block->kid[i], sym) ? i : written;
    for (next = at; next < block->nkids && !writes_sym(block->kid[next], sym); next++)
        ;
    if (next == at || !uses_sym(block->kid[at], sym)) /* there is none, it changes the scalar itself, or reads a cell already */
        return block;
    Node *one = ix_int(ir, 1), *first = ix_int(ir, 0);
    Sym *cell = sym_new_array(ir, S_LOCAL_ARRAY, sym->type, sym->name, 1, &one, sym->loc);
    Reading reading = {ir, sym, cell};
    const Rewriter rewriter = {.ir = ir, .post = read_cell, .user = &reading};
    vec_push(ir->arena, &c->declared, mk_decl(ir, cell, NULL, sym->loc));
    for (int i = 0; i < block->nkids; i++) {
        vec_push(ir->arena, &out, i > written && i < next ? rewrite(&rewriter, block->kid[i]) : block->kid[i]);
        if (i == written)
            vec_push(ir->arena, &out, mk_store(ir, cell, 1, &first, mk_var(ir, sym), N_NONE, block->kid[i]->loc));
    }
    return mk_block(ir, out.count, (Node *const *)out.items, block->loc);
}

static Node *put_cell(Cells *c, Sym *sym, Node *n)
{
    const int decl = declared_at(n, sym);
    if (decl >= 0)
        return put_cell_in(c, sym, n, decl);
    /* A ragged batch computes such scalars itself, for each of its iterations (plan/split/find_ragged.h). */
    if (n->kind == N_FOR && host_knows(c, sym, true))
        return n;
    Node **kids = arena_new_array(c->ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = is_expr(n->kid[i]) ? n->kid[i] : put_cell(c, sym, n->kid[i]);
    return with_kids(c->ir, n, n->nkids, kids);
}

Node *scalars_in_cells(Ir *ir, const Plan *plan, Node *body)
{
    Cells c = {.ir = ir, .body = body};
    for (int i = 0; i < contraction_count(plan); i++) {
        c.contraction = contraction_at(plan, i);
        for (int j = 0; j < c.contraction->ncaptured; j++) {
            Sym *sym = c.contraction->captured[j];
            if (sym->kind == S_LOCAL && uses_sym(c.body, sym) && !host_knows(&c, sym, false))
                c.body = put_cell(&c, sym, c.body);
        }
    }
    if (!c.declared.count)
        return body;
    for (int i = 0; i < c.body->nkids; i++)
        vec_push(ir->arena, &c.declared, c.body->kid[i]);
    return mk_block(ir, c.declared.count, (Node *const *)c.declared.items, body->loc);
}
