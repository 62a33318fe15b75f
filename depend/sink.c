/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last assignment first, so that one may follow another. */
#include "depend/sink.h"

#include "depend/depend.h"
#include "ir/walk.h"

static bool stores_into(void *user, Node *n)
{
    Node *other = user;
    return n->kind == N_EVAL || (n->kind == N_STORE && reads_array(other, n->sym));
}

/* May the first one, an assignment, go behind the second? */
static bool may_pass(Ir *ir, Node *assign, Node *other)
{
    return !any_stmt(other, stores_into, assign->kid[0]) && !shares_scalar(ir, assign, other);
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
