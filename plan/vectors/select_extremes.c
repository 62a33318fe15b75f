/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is taken in is compared in any case, so that evaluating it does nothing more. */
#include "plan/vectors/select_extremes.h"

#include "ir/walk.h"

static bool is_var(const Node *e, const Sym *sym) { return e->kind == N_VAR && e->sym == sym; }

static Node *select_post(void *user, Node *n)
{
    Node *cond = n->kind == N_IF && n->nkids == 2 ? n->kid[0] : NULL, *assign = cond ? n->kid[1] : NULL;
    while (assign && assign->kind == N_BLOCK && assign->nkids == 1)
        assign = assign->kid[0];
    if (!assign || assign->kind != N_ASSIGN)
        return n;
    while (cond->kind == N_CAST && kind_info[cond->kid[0]->kind].flags & F_REL)
        cond = cond->kid[0];
    if (cond->kind != N_LT && cond->kind != N_LE && cond->kind != N_GT && cond->kind != N_GE)
        return n;
    for (int i = 0; i < 2; i++)
        if (cond->kid[i] == assign->kid[0] && is_var(cond->kid[1 - i], assign->sym))
            return mk_assign(user, assign->sym, mk_select(user, cond, cond->kid[i], cond->kid[1 - i]), N_NONE, assign->loc);
    return n;
}

Node *select_extremes(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = select_post, .user = ir}, body); }
