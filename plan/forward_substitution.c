/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the first statement of the body to the last, so that one scalar may be made of others. */
#include "plan/forward_substitution.h"

#include "depend/env.h"
#include "depend/scope.h"
#include "ir/walk.h"

enum { MOST_NODES = 32 }; /* of a definition */

typedef struct Reading {
    const Map *writes;
    bool fits;
} Reading;

static bool note_reading(void *user, Node *n)
{
    Reading *r = user;
    r->fits = r->fits && n->kind != N_LOAD && !(n->kind == N_VAR && (n->sym->kind != S_PARAM || map_get(r->writes, n->sym->id)));
    return r->fits;
}

static bool is_of_parameters(Node *value, const Map *writes)
{
    Reading r = {writes, true};
    walk(&(Walker){.pre = note_reading, .user = &r}, value);
    return r.fits && tree_size(value, MOST_NODES) < MOST_NODES;
}

static bool is_spread(const Node *n, const Map *writes)
{
    return n->kind == N_DECL && n->nkids && !n->sym->rank && type_is_float(n->sym->type) && !map_get(writes, n->sym->id) &&
           is_of_parameters(n->kid[0], writes);
}

/* ---------------------------------------------------------------- divisors */

typedef struct Divisors {
    Ir *ir;
    const Map *writes;
    Map constant; /* by symbol id: Node *, the N_INT that an integer always is */
    bool changed;
} Divisors;

static bool note_constant(void *user, Node *n)
{
    Divisors *d = user;
    if (n->kind == N_DECL && n->nkids && type_is_integer(n->sym->type) && n->kid[0]->kind == N_INT && !map_get(d->writes, n->sym->id))
        *map_at(d->ir->arena, &d->constant, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

/* The constant that a divisor is by name, in its type; NULL: it is none, or another number there. */
static Node *constant_of(const Divisors *d, const Node *by)
{
    const Type type = (Type)by->type;
    const Node *known = by->kind == N_VAR ? map_get(&d->constant, by->sym->id) : NULL;
    if (by->kind == N_CAST && type_is_integer(type))
        known = constant_of(d, by->kid[0]);
    const bool fits = known && (type == (Type)known->type || (known->u.i >= type_min(type) && known->u.i <= type_max(type)));
    return fits ? mk_int(d->ir, type, known->u.i) : NULL;
}

static Node *by_value(void *user, Node *n)
{
    Divisors *d = user;
    Node *by = (n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type) ? constant_of(d, n->kid[1]) : NULL;
    if (!by || by->u.i == 0)
        return n;
    d->changed = true;
    return mk_binary(d->ir, (Kind)n->kind, n->kid[0], by);
}

/* What names nothing any more goes. */
static Node *without_unread(void *user, Node *n)
{
    const Divisors *d = user;
    Vec left = {0};
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++) {
        Node *kid = n->kid[i];
        bool read = kid->kind != N_DECL || kid->sym->rank || !map_get(&d->constant, kid->sym->id);
        for (int j = i + 1; !read && j < n->nkids; j++)
            read = uses_sym(n->kid[j], kid->sym);
        if (read)
            vec_push(d->ir->arena, &left, kid);
    }
    return n->kind == N_BLOCK && left.count < n->nkids ? mk_block(d->ir, left.count, (Node **)left.items, n->loc) : n;
}

/* Vectors divide by constants alone: a name of one gives way to it where something is divided. */
static Node *constant_divisors(Ir *ir, Node *body, const Map *writes)
{
    Divisors d = {.ir = ir, .writes = writes};
    walk(&(Walker){.pre = note_constant, .user = &d}, body);
    body = rewrite(&(Rewriter){.ir = ir, .post = by_value, .user = &d}, body);
    return d.changed ? rewrite(&(Rewriter){.ir = ir, .post = without_unread, .user = &d}, body) : body;
}

Node *substitute_forward(Ir *ir, Node *body)
{
    const Map writes = find_writes(ir, body);
    body = constant_divisors(ir, body, &writes);
    Node **kids = arena_new_array(ir->arena, Node *, body->nkids + 1);
    int n = 0;
    for (int i = 0; i < body->nkids; i++)
        kids[i] = body->kid[i];
    for (int i = 0; i < body->nkids; i++) {
        Node *kid = kids[i];
        if (!is_spread(kid, &writes)) {
            kids[n++] = kid;
            continue;
        }
        for (int j = i + 1; j < body->nkids; j++)
            kids[j] = substitute(ir, kids[j], kid->sym, mk_cast(ir, kid->sym->type, kid->kid[0]));
    }
    return n == body->nkids ? body : mk_block(ir, n, kids, body->loc);
}
