/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static single assignment within one block; a condition's assignment becomes a choice, which computes no more than it did. */
#include "plan/nests/scalar_renaming.h"

#include "ir/branch.h"
#include "ir/walk.h"

static bool assigns(const Node *n, const Sym *sym) { return n && n->kind == N_ASSIGN && n->sym == sym; }

/* What the statement, which does nothing else, makes of the scalar; NULL: it is none such. */
static Node *value_after(Ir *ir, Node *n, Sym *sym)
{
    if (assigns(n, sym))
        return stmt_value(n);
    Node *then = n->kind == N_IF && (n->nkids == 2 || !n->kid[2]) ? only_statement(n->kid[1]) : NULL;
    return assigns(then, sym) ? mk_select(ir, n->kid[0], stmt_value(then), mk_var(ir, sym)) : NULL;
}

/* Is it set again by such statements of the block alone? */
static bool is_candidate(Ir *ir, const Node *block, int at)
{
    const Node *decl = block->kid[at];
    if (decl->kind != N_DECL || !decl->nkids || decl->sym->rank || decl->sym->is_const || !type_is_integer(decl->sym->type))
        return false;
    int again = 0;
    for (int i = at + 1; i < block->nkids; i++) {
        const bool writes = writes_sym(block->kid[i], decl->sym);
        if (writes && !value_after(ir, block->kid[i], decl->sym))
            return false;
        again += writes;
    }
    return again > 0;
}

static Sym *name_for(Ir *ir, const Sym *sym)
{
    Sym *name = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc);
    name->is_const = true;
    return name;
}

static Node *renamed(Ir *ir, const Node *block, int at)
{
    Sym *sym = block->kid[at]->sym, *name = name_for(ir, sym);
    Vec out = {0};
    for (int i = 0; i < at; i++)
        vec_push(ir->arena, &out, block->kid[i]);
    vec_push(ir->arena, &out, mk_decl(ir, name, block->kid[at]->kid[0], block->kid[at]->loc));
    for (int i = at + 1; i < block->nkids; i++) {
        Node *n = block->kid[i];
        if (!writes_sym(n, sym)) {
            vec_push(ir->arena, &out, substitute(ir, n, sym, mk_var(ir, name)));
            continue;
        }
        Node *value = substitute(ir, value_after(ir, n, sym), sym, mk_var(ir, name));
        name = name_for(ir, sym);
        vec_push(ir->arena, &out, mk_decl(ir, name, value, n->loc));
    }
    return mk_block(ir, out.count, (Node **)out.items, block->loc);
}

static Node *rename_in(void *user, Node *n)
{
    Ir *ir = user;
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        if (is_candidate(ir, n, i))
            n = renamed(ir, n, i);
    return n;
}

Node *rename_scalars(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = rename_in, .user = ir}, body); }
