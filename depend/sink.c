/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last assignment first, so that one may follow another. */
#include "depend/sink.h"

#include "depend/depend.h"
#include "ir/walk.h"

typedef struct Conflict {
    Node *other;
    bool found;
} Conflict;

static bool note_stored(void *user, Node *n)
{
    Conflict *c = user;
    c->found = c->found || n->kind == N_EVAL || (n->kind == N_STORE && reads_array(c->other, n->sym));
    return !is_expr(n);
}

/* May the first one, an assignment, go behind the second? */
static bool may_pass(Ir *ir, Node *assign, Node *other)
{
    Conflict c = {assign->kid[0], false};
    walk(&(Walker){.pre = note_stored, .user = &c}, other);
    return !c.found && !shares_scalar(ir, assign, other);
}

void sink_assignments(Ir *ir, Vec *list)
{
    enum { NEAR = 16 };
    for (int i = list->count - 2; i >= 0; i--) {
        Node *n = list->items[i];
        int to = i;
        while (n->kind == N_ASSIGN && to + 1 < list->count && to - i < NEAR && may_pass(ir, n, list->items[to + 1]))
            to++;
        if (to + 1 == list->count || to - i == NEAR) /* nothing does */
            continue;
        for (int j = i; j < to; j++)
            list->items[j] = list->items[j + 1];
        list->items[to] = n;
    }
}
