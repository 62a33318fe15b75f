/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept functions for unit tests, written as specs in which some names stand for what no spec can say:
 *
 *     parameters and locals   g_x global, v_x volatile, a_x named object (pointers reach it), p_x pointer,
 *                             n_x named array
 *     calls of helpers        break_(), continue_(), barrier_(), return_() and opaque_(x, ...) are statements;
 *                             pure_(x) and pure_eff(x) have no effects, every other helper has
 *     for (int w_x = 0; w_x < (c); w_x++)   while (c), without the variable
 *     for (int d_x = 0; d_x < (c); d_x++)   do ... while (c), without the variable
 *     for (int s_x = e; s_x < n; s_x++)     a `for` that is not counted: `step_(e);` at the body's end is the
 * third part
 */
#ifndef MIKGEN_TESTS_UNIT_KEPT_H
#define MIKGEN_TESTS_UNIT_KEPT_H

#include "ir/walk.h"
#include "tests/unit/tree.h"

static inline bool kept_named(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

static inline void kept_symbol(Sym *s)
{
    if (s->kind == S_FUNC) {
        s->is_pure = s->is_pure || kept_named(s->name, "pure_");
        return;
    }
    s->is_global = kept_named(s->name, "g_");
    s->is_volatile = kept_named(s->name, "v_");
    if (kept_named(s->name, "g_") || kept_named(s->name, "a_") || kept_named(s->name, "n_"))
        s->alias = ALIAS_NAMED;
    if (kept_named(s->name, "p_"))
        s->alias = ALIAS_POINTER;
}

static inline bool kept_call(const Node *n, const char *name)
{
    return n->kind == N_EVAL && n->kid[0]->kind == N_CALL && strcmp(n->kid[0]->sym->name, name) == 0;
}

static inline Node *kept_stmt(Ir *ir, Node *n)
{
    static const struct {
        const char *name;
        Kind kind;
    } jumps[] = {{"break_", N_BREAK}, {"continue_", N_CONTINUE}, {"barrier_", N_BARRIER}, {"return_", N_RETURN}};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (kept_call(n, jumps[i].name))
            return jumps[i].kind == N_RETURN ? mk_return(ir, NULL, n->loc) : mk_jump(ir, jumps[i].kind, n->kid[0]->sym, n->loc);
    return kept_call(n, "opaque_") ? mk_opaque(ir, n->kid[0]->nkids, n->kid[0]->kid, n->loc) : n;
}

/* The `for` that is no counted loop; its step is the last statement of the body. */
static inline Node *kept_stepped(Ir *ir, Node *n)
{
    Node *body = n->kid[2], *call = body->kid[body->nkids - 1], *one[1];
    Node *sum = mk_binary(ir, N_ADD, mk_var(ir, n->sym), call->kid[0]->kid[0]);
    n->sym->kind = S_LOCAL;
    one[0] = mk_decl(ir, n->sym, n->kid[0], n->loc);
    Node *init = mk_block(ir, 1, one, n->loc);
    one[0] = mk_assign(ir, n->sym, sum, N_ADD, n->loc);
    Node *step = mk_block(ir, 1, one, n->loc);
    return mk_loop(ir, LOOP_FOR, init, n->kid[1], step, with_kids(ir, body, body->nkids - 1, body->kid), n->loc);
}

static inline Node *kept_post(void *user, Node *n)
{
    Ir *ir = user;
    if (n->sym)
        kept_symbol(n->sym);
    if (n->kind == N_EVAL)
        return kept_stmt(ir, n);
    if (n->kind != N_FOR)
        return n;
    bool is_do = kept_named(n->sym->name, "d_");
    if (is_do || kept_named(n->sym->name, "w_")) {
        Node *none = NULL, *empty = mk_block(ir, 0, &none, n->loc);
        return mk_loop(ir, is_do ? LOOP_DO : LOOP_WHILE, empty, n->kid[1]->kid[1], empty, n->kid[2], n->loc);
    }
    return kept_named(n->sym->name, "s_") ? kept_stepped(ir, n) : n;
}

/* The first operator of the text as a kept function. */
static inline Func *kept_parse(Tree t, const char *name, const char *text)
{
    Func *f = tree_parse(t, name, text);
    if (!f)
        return NULL;
    for (int i = 0; i < f->nparams; i++)
        kept_symbol(f->params[i]);
    f->is_kept = true;
    f->body = rewrite(&(Rewriter){.ir = t.ir, .post = kept_post, .user = t.ir}, f->body);
    return f;
}

#endif
