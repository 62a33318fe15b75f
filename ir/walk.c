/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks and rewrites; a rewrite that changes nothing returns the node itself. */
#include "ir/walk.h"

void walk(const Walker *w, Node *n)
{
    if (w->pre && !w->pre(w->user, n))
        return;
    for (int i = 0; i < n->nkids; i++)
        walk(w, n->kid[i]);
    if (w->post)
        w->post(w->user, n);
}

bool any_node(Node *n, NodeTest *test, void *user)
{
    bool found = test(user, n);
    for (int i = 0; i < n->nkids && !found; i++)
        found = any_node(n->kid[i], test, user);
    return found;
}

bool any_stmt(Node *n, NodeTest *test, void *user)
{
    bool found = !is_expr(n) && test(user, n);
    for (int i = 0; i < n->nkids && !found && !is_expr(n); i++)
        found = any_stmt(n->kid[i], test, user);
    return found;
}

Node *rewrite(const Rewriter *r, Node *n)
{
    if (r->pre) {
        Node *instead = r->pre(r->user, n);
        if (instead)
            return instead;
    }
    enum { ON_STACK = 8 };
    Node *room[ON_STACK];
    Node **kids = n->nkids <= ON_STACK ? room : arena_new_array(r->ir->arena, Node *, n->nkids);
    int count = 0;
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = rewrite(r, n->kid[i]);
        if (kid)
            kids[count++] = kid;
        else if (n->kind != N_BLOCK) /* a deleted branch or body becomes an empty block */
            kids[count++] = mk_block(r->ir, 0, NULL, n->kid[i]->loc);
    }
    Node *rebuilt = with_kids(r->ir, n, count, kids);
    return r->post ? r->post(r->user, rebuilt) : rebuilt;
}

typedef struct Rename {
    Ir *ir;
    Sym *from, *to;
    Node *by;
} Rename;

/* Where the symbol is not, all stays as it is. */
static Node *rename_pre(void *user, Node *n)
{
    const Rename *r = user;
    return n->uses & sym_bit(r->from) ? NULL : n;
}

static Node *rename_post(void *user, Node *n)
{
    Rename *r = user;
    return n->sym == r->from ? with_sym_kids(r->ir, n, r->to, n->nkids, n->kid) : n;
}

Node *rename_sym(Ir *ir, Node *n, Sym *from, Sym *to)
{
    Rename r = {ir, from, to, NULL};
    return rewrite(&(Rewriter){.ir = ir, .pre = rename_pre, .post = rename_post, .user = &r}, n);
}

typedef struct Renaming {
    Ir *ir;
    Vec own;
} Renaming;

static bool note_own(void *user, Node *n)
{
    Renaming *r = user;
    if (n->kind == N_DECL || loop_declares(n))
        vec_push(r->ir->arena, &r->own, n->sym);
    return !is_expr(n);
}

Node *copy_with_own_symbols(Ir *ir, Node *n)
{
    Renaming r = {.ir = ir};
    walk(&(Walker){.pre = note_own, .user = &r}, n);
    for (int i = 0; i < r.own.count; i++) {
        Sym *old = r.own.items[i], *copy;
        copy = old->rank ? sym_new_array(ir, old->kind, old->type, old->name, old->rank, old->extent, old->loc)
                         : sym_new(ir, old->kind, old->type, old->name, old->loc);
        copy->is_const = old->is_const;
        copy->spelling = old->spelling;
        n = rename_sym(ir, n, old, copy);
    }
    return n;
}

static Node *substitute_post(void *user, Node *n)
{
    Rename *r = user;
    return n->kind == N_VAR && n->sym == r->from ? r->by : n;
}

Node *substitute(Ir *ir, Node *n, Sym *sym, Node *by)
{
    Rename r = {ir, sym, NULL, by};
    return rewrite(&(Rewriter){.ir = ir, .pre = rename_pre, .post = substitute_post, .user = &r}, n);
}

typedef struct Replacements {
    const Map *by;
    uint64_t bits;
} Replacements;

static Node *replace_pre(void *user, Node *n)
{
    const Replacements *r = user;
    return n->uses & r->bits ? NULL : n;
}

static Node *replace_post(void *user, Node *n)
{
    const Replacements *r = user;
    Node *by = n->kind == N_VAR ? map_get(r->by, n->sym->id) : NULL;
    return by ? by : n;
}

Node *substitute_each(Ir *ir, Node *n, const Map *by, uint64_t bits)
{
    Replacements r = {by, bits};
    return rewrite(&(Rewriter){.ir = ir, .pre = replace_pre, .post = replace_post, .user = &r}, n);
}

bool uses_sym(Node *n, const Sym *sym)
{
    if (!(n->uses & sym_bit(sym)))
        return false;
    bool found = n->sym == sym;
    for (int i = 0; i < n->nkids && !found; i++)
        found = uses_sym(n->kid[i], sym);
    return found;
}

int only_user(Node *n, const Sym *sym)
{
    int at = -1;
    for (int i = 0; i < n->nkids; i++) {
        if (!uses_sym(n->kid[i], sym))
            continue;
        if (at >= 0 || is_expr(n->kid[i]))
            return -1;
        at = i;
    }
    return at;
}

bool reads_array(Node *n, const Sym *sym)
{
    if (!sym || !(n->has & HAS_LOAD) || !(n->uses & sym_bit(sym)))
        return !sym && n->has & HAS_LOAD;
    bool found = n->kind == N_LOAD && n->sym == sym;
    for (int i = 0; i < n->nkids && !found; i++)
        found = reads_array(n->kid[i], sym);
    return found;
}

bool writes_sym(Node *n, const Sym *sym)
{
    if (!(n->writes & sym_bit(sym)))
        return false;
    bool found = n->sym == sym && !is_expr(n);
    for (int i = 0; i < n->nkids && !found; i++)
        found = writes_sym(n->kid[i], sym);
    return found;
}

static bool is_unstable(void *user, Node *n)
{
    Node *region = user;
    return n->kind == N_LOAD || n->kind == N_CALL || (n->kind == N_VAR && writes_sym(region, n->sym));
}

bool is_stable_in(Node *region, Node *e) { return !any_node(e, is_unstable, region); }

bool has_kind(Node *n, Kind kind) { return n->has & has_flag(kind); }

bool has_stage(Node *n) { return has_kind(n, N_CONTRACT) || has_kind(n, N_LAUNCH); }

bool has_unsigned(Node *n) { return n->has & HAS_UNSIGNED; }
