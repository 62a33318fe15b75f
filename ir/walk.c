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

static Node *rename_post(void *user, Node *n)
{
    Rename *r = user;
    return n->sym == r->from ? with_sym_kids(r->ir, n, r->to, n->nkids, n->kid) : n;
}

Node *rename_sym(Ir *ir, Node *n, Sym *from, Sym *to)
{
    Rename r = {ir, from, to, NULL};
    return rewrite(&(Rewriter){.ir = ir, .post = rename_post, .user = &r}, n);
}

static Node *substitute_post(void *user, Node *n)
{
    Rename *r = user;
    return n->kind == N_VAR && n->sym == r->from ? r->by : n;
}

Node *substitute(Ir *ir, Node *n, Sym *sym, Node *by)
{
    Rename r = {ir, sym, NULL, by};
    return rewrite(&(Rewriter){.ir = ir, .post = substitute_post, .user = &r}, n);
}

typedef struct Question {
    const Sym *sym;
    bool (*matches)(const Node *n, const Sym *sym);
    bool yes;
} Question;

static bool question_pre(void *user, Node *n)
{
    Question *q = user;
    q->yes = q->yes || q->matches(n, q->sym);
    return !q->yes;
}

static bool ask(Node *n, const Sym *sym, bool (*matches)(const Node *, const Sym *))
{
    Question q = {sym, matches, false};
    walk(&(Walker){.pre = question_pre, .user = &q}, n);
    return q.yes;
}

static bool is_use(const Node *n, const Sym *sym) { return n->sym == sym; }

static bool is_array_read(const Node *n, const Sym *sym) { return n->kind == N_LOAD && (!sym || n->sym == sym); }

static bool is_write(const Node *n, const Sym *sym) { return n->sym == sym && !is_expr(n); }

bool uses_sym(Node *n, const Sym *sym) { return ask(n, sym, is_use); }

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
bool reads_array(Node *n, const Sym *sym) { return ask(n, sym, is_array_read); }

static bool search_write(void *user, Node *n) { return !is_expr(n) && question_pre(user, n); /* nothing below an expression writes */ }

bool writes_sym(Node *n, const Sym *sym)
{
    Question q = {sym, is_write, false};
    walk(&(Walker){.pre = search_write, .user = &q}, n);
    return q.yes;
}

static bool search_unsigned(void *user, Node *n)
{
    bool *found = user;
    *found = *found || (is_expr(n) && type_is_integer(n->type) && !type_is_signed(n->type) && type_bits(n->type) >= 32);
    return !*found;
}

bool has_stage(Node *n) { return has_kind(n, N_CONTRACT) || has_kind(n, N_LAUNCH); }

bool has_unsigned(Node *n)
{
    bool found = false;
    walk(&(Walker){.pre = search_unsigned, .user = &found}, n);
    return found;
}

typedef struct KindSearch {
    Kind kind;
    bool found;
} KindSearch;

static bool search_kind(void *user, Node *n)
{
    KindSearch *k = user;
    k->found = k->found || n->kind == k->kind;
    return !k->found && !is_expr(n);
}

bool has_kind(Node *n, Kind kind)
{
    KindSearch k = {kind, false};
    walk(&(Walker){.pre = search_kind, .user = &k}, n);
    return k.found;
}
