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

Node *substitute_forward(Ir *ir, Node *body)
{
    const Map writes = find_writes(ir, body);
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
