/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statement by statement. Conversions around the sum or the old value are left alone. */
#include "plan/compound_sums.h"

#include "ir/walk.h"

typedef struct Compounding {
    Ir *ir;
    bool strict;
} Compounding;

/* Is it what the statement writes to? */
static bool is_target(const Node *stmt, const Node *e)
{
    bool same = e->sym == stmt->sym && e->kind == (stmt->kind == N_ASSIGN ? N_VAR : N_LOAD) && e->nkids == stmt->nkids - 1;
    for (int i = 0; same && i < e->nkids; i++)
        same = e->kid[i] == stmt->kid[i];
    return same;
}

static Node *compound(void *user, Node *n)
{
    const Compounding *c = user;
    if ((n->kind != N_ASSIGN && n->kind != N_STORE) || n->aux || stmt_value(n)->kind != N_ADD)
        return n;
    Node *sum = stmt_value(n), *first = sum->kid[0], *second = sum->kid[1];
    const bool turned = !is_target(n, first);
    if (turned && (!is_target(n, second) || (c->strict && type_is_float(sum->type))))
        return n;
    Node *value = turned ? mk_binary(c->ir, N_ADD, second, first) : sum;
    return n->kind == N_ASSIGN ? mk_assign(c->ir, n->sym, value, N_ADD, n->loc)
                               : mk_store(c->ir, n->sym, n->nkids - 1, n->kid, value, N_ADD, n->loc);
}

Node *compound_sums(Ir *ir, Node *body, bool strict)
{
    Compounding c = {ir, strict};
    return rewrite(&(Rewriter){.ir = ir, .post = compound, .user = &c}, body);
}
