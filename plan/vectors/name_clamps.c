/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/vectors/name_clamps.h"

#include "ir/walk.h"

static bool search_narrow(void *user, Node *n)
{
    bool *found = user;
    *found = *found || ((n->kind == N_LOAD || n->kind == N_STORE) && type_is_integer(n->sym->type) && type_bits(n->sym->type) < 32);
    return !*found;
}

typedef struct Writes {
    const Sym *sym;
    int count;
} Writes;

static bool count_write(void *user, Node *n)
{
    Writes *w = user;
    w->count += (n->kind == N_ASSIGN || n->kind == N_FOR) && n->sym == w->sym;
    return !is_expr(n);
}

static bool is_step(const Node *n, const Sym *sym) { return n->kind == N_ASSIGN && n->sym == sym && n->kid[0]->kind == N_SEL; }

/* Does the block set the scalar, behind statement `at`, by steps of its own alone? */
static bool is_set_by_steps(Node *block, int at, const Sym *sym)
{
    Writes w = {sym, 0};
    int steps = 0;
    walk(&(Walker){.pre = count_write, .user = &w}, block);
    for (int i = at + 1; i < block->nkids; i++)
        steps += is_step(block->kid[i], sym);
    return steps && steps == w.count;
}

/* The block's statements from `from` on read the last step's name. */
static void name_steps(Ir *ir, Vec *statements, int from, Sym *sym)
{
    Sym *last = sym;
    for (int i = from; i < statements->count; i++) {
        Node *n = statements->items[i];
        if (!is_step(n, sym)) {
            statements->items[i] = last == sym ? n : substitute(ir, n, sym, mk_var(ir, last));
            continue;
        }
        Node *value = last == sym ? n->kid[0] : substitute(ir, n->kid[0], sym, mk_var(ir, last));
        last = sym_new(ir, S_LOCAL, sym->type, sym->name, n->loc);
        last->is_const = true;
        statements->items[i] = mk_decl(ir, last, value, n->loc);
    }
}

static Node *name_in_block(void *user, Node *block)
{
    Ir *ir = user;
    Vec out = {0};
    bool named = false;
    if (block->kind != N_BLOCK)
        return block;
    for (int i = 0; i < block->nkids; i++)
        vec_push(ir->arena, &out, block->kid[i]);
    for (int i = 0; i < block->nkids; i++) {
        const Node *n = block->kid[i];
        const bool scalar = n->kind == N_DECL && n->nkids && !n->sym->rank && type_is_integer(n->sym->type) &&
                            type_bits(n->sym->type) <= 32;
        if (scalar && is_set_by_steps(block, i, n->sym)) {
            name_steps(ir, &out, i + 1, n->sym);
            named = true;
        }
    }
    return named ? mk_block(ir, out.count, (Node **)out.items, block->loc) : block;
}

Node *name_clamps(Ir *ir, Node *body)
{
    bool narrow = false;
    walk(&(Walker){.pre = search_narrow, .user = &narrow}, body);
    return narrow ? rewrite(&(Rewriter){.ir = ir, .post = name_in_block, .user = ir}, body) : body;
}
