/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/vectors/last_values.h"

#include "ir/walk.h"

static bool is_declared_in(const Vec *statements, const Sym *sym)
{
    for (int i = 0; i < statements->count; i++) {
        const Node *n = statements->items[i];
        if (n->kind == N_DECL && n->sym == sym)
            return true;
    }
    return false;
}

static bool is_used_behind(const Vec *statements, int at, const Sym *sym)
{
    for (int i = at + 1; i < statements->count; i++)
        if (statements->items[i] && uses_sym(statements->items[i], sym))
            return true;
    return false;
}

/* Of scalars of the block. */
static Node *drop_of_block(void *user, Node *block)
{
    Ir *ir = user;
    Vec all = {0}, kept = {0};
    if (block->kind != N_BLOCK)
        return block;
    for (int i = 0; i < block->nkids; i++)
        vec_push(ir->arena, &all, block->kid[i]);
    for (int i = all.count - 1; i >= 0; i--) {
        const Node *n = all.items[i];
        const bool sets = (n->kind == N_DECL || n->kind == N_ASSIGN) && !n->sym->rank;
        Vec before = {.items = all.items, .count = i + 1};
        if (sets && is_declared_in(&before, n->sym) && !is_used_behind(&all, i, n->sym))
            all.items[i] = NULL;
    }
    for (int i = 0; i < all.count; i++)
        if (all.items[i])
            vec_push(ir->arena, &kept, all.items[i]);
    return kept.count == block->nkids ? block : mk_block(ir, kept.count, (Node **)kept.items, block->loc);
}

Node *drop_last_values(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = drop_of_block, .user = ir}, body); }
