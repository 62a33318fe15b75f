/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For each access: the conditions under which it is reached, and a subscript below 0 or not below its extent, have no solution. */
#include "depend/inside.h"

#include "depend/access.h"
#include "ir/walk.h"

typedef struct Search {
    Accesses *accesses;
    const Func *func;
    Node *found, *stmt; /* not proven to be inside */
} Search;

static const Path *path_behind(Search *s, const Path *outer, Node *condition, bool negated)
{
    Path *p = arena_alloc(s->accesses->ir->arena, sizeof *p);
    *p = (Path){.outer = outer, .condition = condition, .negated = negated};
    return p;
}

/* What is known where the access stands. */
static void add_known(Search *s, System *sys, const Path *path)
{
    add_path(s->accesses, sys, 0, path);
    for (int i = 0; i < s->func->nparams; i++)
        for (int d = 0; d < s->func->params[i]->rank; d++) {
            Form extent;
            if (access_form(s->accesses, sys, 0, path, s->func->params[i]->extent[d], &extent))
                system_at_least(sys, extent, 0);
        }
}

/* Can the subscript be less than 0 (`below`), or not less than the extent? */
static bool may_leave(Search *s, const Path *path, Node *subscript, Node *extent, bool below)
{
    System sys;
    Form at, end;
    system_init(&sys, s->accesses->ir);
    if (!access_form(s->accesses, &sys, 0, path, subscript, &at) || !access_form(s->accesses, &sys, 0, path, extent, &end))
        return true;
    const Form zero = {{0}, 0};
    system_at_least(&sys, below ? form_sub(&zero, &at) : form_sub(&at, &end), below);
    add_known(s, &sys, path);
    return !system_is_empty(&sys);
}

static void look_at(Search *s, Node *access, int nsubscripts, Node *stmt, const Path *path)
{
    for (int d = 0; d < nsubscripts && !s->found; d++) {
        Node *extent = access->sym->extent[d];
        if (may_leave(s, path, access->kid[d], extent, true) || may_leave(s, path, access->kid[d], extent, false)) {
            s->found = access;
            s->stmt = stmt;
        }
    }
}

/* The loads of an expression; what is evaluated under a condition only, with that. */
static void look_at_loads(Search *s, Node *e, Node *stmt, const Path *path)
{
    if (s->found)
        return;
    if (e->kind == N_LOAD)
        look_at(s, e, e->nkids, stmt, path);
    for (int i = 0; i < e->nkids; i++) {
        const bool lazy = i > 0 && kind_info[e->kind].flags & F_LAZY;
        const bool negated = e->kind == N_SEL ? i == 2 : e->kind == N_LOR;
        look_at_loads(s, e->kid[i], stmt, lazy ? path_behind(s, path, e->kid[0], negated) : path);
    }
}

static void look_at_statement(Search *s, Node *n, const Path *path)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            look_at_statement(s, n->kid[i], path);
    } else if (n->kind == N_FOR) {
        Path *inside = arena_alloc(s->accesses->ir->arena, sizeof *inside);
        *inside = (Path){.outer = path, .loop = n};
        look_at_loads(s, n->kid[0], n, path);
        look_at_loads(s, n->kid[1], n, path); /* once more when the loop has ended */
        look_at_statement(s, n->kid[2], inside);
    } else if (n->kind == N_IF) {
        look_at_loads(s, n->kid[0], n, path);
        for (int i = 1; i < n->nkids; i++)
            look_at_statement(s, n->kid[i], path_behind(s, path, n->kid[0], i == 2));
    } else {
        for (int i = 0; i < n->nkids; i++)
            look_at_loads(s, n->kid[i], n, path);
        if (n->kind == N_STORE && !s->found)
            look_at(s, n, n->nkids - 1, n, path);
    }
}

Node *perhaps_outside(Ir *ir, const Func *f, Node *body, Node **stmt)
{
    Accesses accesses = find_accesses(ir, body);
    /* Only one moment counts: there, a scalar that is never assigned again has one value, though other iterations have others. */
    accesses.varies = accesses.assigned;
    Search s = {.accesses = &accesses, .func = f};
    if (accesses.failed) {
        s.found = s.stmt = body;
    } else {
        look_at_statement(&s, body, NULL);
    }
    *stmt = s.stmt;
    return s.found;
}
