/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lifetimes of scalars: each group of definitions and uses gets a variable of its own, declared where it is
 * needed first. */
#include "depend/scope.h"

#include "ir/walk.h"

typedef struct Writes {
    Arena *arena;
    Map found;
} Writes;

static bool note_write(void *user, Node *n)
{
    Writes *w = user;
    if (n->kind == N_ASSIGN || n->kind == N_STORE || (n->kind == N_FOR && !n->aux))
        *map_at(w->arena, &w->found, n->sym->id) = n;
    return !is_expr(n);
}

Map find_writes(Ir *ir, Node *body)
{
    Writes w = {.arena = ir->arena};
    walk(&(Walker){.pre = note_write, .user = &w}, body);
    return w.found;
}

/* What a statement does with a scalar, in the order of execution. */
typedef enum Use {
    U_NONE,   /* nothing, or writes that may not happen: an earlier value may live on */
    U_KILL,   /* always writes it before any read */
    U_EXPOSE, /* may read the value it had before */
} Use;

static Use first_use(Node *n, const Sym *sym);

static Use first_use_if(Node *n, const Sym *sym)
{
    if (uses_sym(n->kid[0], sym))
        return U_EXPOSE;
    Use then = first_use(n->kid[1], sym);
    Use otherwise = n->nkids == 3 ? first_use(n->kid[2], sym) : U_NONE;
    if (then == U_EXPOSE || otherwise == U_EXPOSE)
        return U_EXPOSE;
    return then == otherwise ? then : U_NONE;
}

static Use first_use_for(Node *n, const Sym *sym)
{
    if (uses_sym(n->kid[0], sym))
        return U_EXPOSE;
    if (n->sym == sym)
        return U_KILL;
    if (uses_sym(n->kid[1], sym))
        return U_EXPOSE;
    return first_use(n->kid[2], sym) == U_EXPOSE ? U_EXPOSE : U_NONE;
}

static Use first_use(Node *n, const Sym *sym)
{
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++) {
            Use use = first_use(n->kid[i], sym);
            if (use != U_NONE)
                return use;
        }
        return U_NONE;
    case N_IF: return first_use_if(n, sym);
    case N_FOR: return first_use_for(n, sym);
    case N_DECL:
    case N_ASSIGN:
        if (n->nkids && uses_sym(n->kid[0], sym))
            return U_EXPOSE;
        return n->sym == sym && n->nkids ? U_KILL : U_NONE;
    default: return uses_sym(n, sym) ? U_EXPOSE : U_NONE;
    }
}

typedef struct Scopes {
    Ir *ir;
    Map writes;  /* of the function before any rewriting; symbols made here are beyond nwrites */
    int nwrites;
} Scopes;

static Node *narrow(const Scopes *s, Node *n);
static Node *narrow_block(const Scopes *s, Node *block);

static Node *as_block(Ir *ir, Node *n) { return n->kind == N_BLOCK ? n : mk_block(ir, 1, &n, n->loc); }

static Sym *copy_sym(Ir *ir, const Sym *sym, SymKind kind)
{
    Sym *copy = sym_new(ir, kind, sym->type, sym->name, sym->loc);
    copy->is_const = sym->is_const && kind == S_LOCAL;
    return copy;
}

static Node *prepend_decl(Ir *ir, Sym *sym, Node *n)
{
    Node *block = as_block(ir, n);
    Vec stmts = {0};
    vec_push(ir->arena, &stmts, mk_decl(ir, sym, NULL, sym->loc));
    for (int i = 0; i < block->nkids; i++)
        vec_push(ir->arena, &stmts, block->kid[i]);
    return mk_block(ir, stmts.count, (Node **)stmts.items, block->loc);
}

/* `n`, a for, an if or a block, with scalar `sym`, used nowhere else, declared inside it. */
static Node *sink(Ir *ir, Node *n, Sym *sym)
{
    Node *kids[3];
    for (int i = 0; i < n->nkids && i < 3; i++)
        kids[i] = n->kid[i];
    if (n->kind == N_BLOCK)
        return prepend_decl(ir, sym, n);
    if (n->kind == N_FOR && n->sym == sym) {
        Node *renamed = rename_sym(ir, n, sym, copy_sym(ir, sym, S_LOOP));
        return mk_for(ir, renamed->sym, renamed->kid[0], renamed->kid[1], renamed->u.i, renamed->kid[2], true, n->loc);
    }
    if (n->kind == N_FOR) {
        kids[2] = prepend_decl(ir, sym, kids[2]);
        return with_kids(ir, n, 3, kids);
    }
    if (uses_sym(kids[1], sym))
        kids[1] = prepend_decl(ir, sym, kids[1]);
    if (n->nkids == 3 && uses_sym(kids[2], sym)) {
        Sym *other = copy_sym(ir, sym, S_LOCAL);
        kids[2] = prepend_decl(ir, other, rename_sym(ir, kids[2], sym, other));
    }
    return with_kids(ir, n, n->nkids, kids);
}

/* The declaration at `stmts[at]` split by live ranges; its pieces replace it and its users in `out`. */
typedef struct Splitting {
    Ir *ir;
    Node *decl;
    Node **stmts; /* the block's, rewritten in place */
    int n, at;
    Node **before; /* per statement: a declaration to put in front of it, or NULL */
} Splitting;

/* Users from `from` up to `to` share one value range: give them their own declaration. */
static void place_range(Splitting *s, int from, int to, Sym *sym)
{
    int users = 0;
    for (int i = from; i < to; i++)
        users += uses_sym(s->stmts[i], s->decl->sym);
    if (sym != s->decl->sym)
        for (int i = from; i < to; i++)
            s->stmts[i] = rename_sym(s->ir, s->stmts[i], s->decl->sym, sym);
    Kind kind = (Kind)s->stmts[from]->kind;
    if (users == 1 && (kind == N_FOR || kind == N_IF || kind == N_BLOCK))
        s->stmts[from] = sink(s->ir, s->stmts[from], sym);
    else
        s->before[from] = mk_decl(s->ir, sym, NULL, s->decl->loc);
}

/* False when the declaration has to stay as it is. */
static bool split_decl(Splitting *s)
{
    Sym *sym = s->decl->sym;
    bool *starts = arena_new_array(s->ir->arena, bool, s->n + 1);
    bool live = false;
    int first = s->n;
    for (int i = s->n - 1; i > s->at; i--) {
        if (!uses_sym(s->stmts[i], sym))
            continue;
        Use use = first_use(s->stmts[i], sym);
        live = use == U_EXPOSE || (use == U_NONE && live);
        starts[i] = !live;
        first = i;
    }
    if (live) /* the initial value is used */
        return false;
    for (int i = first; i < s->n;) {
        int end = i + 1;
        while (end < s->n && !starts[end])
            end++;
        place_range(s, i, end, i == first ? sym : copy_sym(s->ir, sym, S_LOCAL));
        i = end;
    }
    return true;
}

static bool may_split(const Scopes *s, const Node *n)
{
    if (n->kind != N_DECL || n->sym->rank > 0)
        return false;
    /* One initial value and no assignment: already as good as it gets, and the common case in long bodies. */
    return n->nkids == 0 || n->sym->id >= s->nwrites || map_get(&s->writes, n->sym->id);
}

static Node *narrow_block(const Scopes *s, Node *block)
{
    Ir *ir = s->ir;
    Node **stmts = arena_new_array(ir->arena, Node *, block->nkids);
    Node **before = arena_new_array(ir->arena, Node *, block->nkids);
    for (int i = 0; i < block->nkids; i++)
        stmts[i] = block->kid[i];
    for (int i = 0; i < block->nkids; i++) {
        if (!may_split(s, stmts[i]))
            continue;
        Splitting splitting = {ir, stmts[i], stmts, block->nkids, i, before};
        if (split_decl(&splitting))
            stmts[i] = NULL;
    }
    Vec out = {0};
    for (int i = 0; i < block->nkids; i++) {
        if (before[i])
            vec_push(ir->arena, &out, before[i]);
        if (stmts[i])
            vec_push(ir->arena, &out, narrow(s, stmts[i]));
    }
    return with_kids(ir, block, out.count, (Node **)out.items);
}

static Node *narrow(const Scopes *s, Node *n)
{
    if (is_expr(n))
        return n;
    if (n->kind == N_BLOCK)
        return narrow_block(s, n);
    if (n->kind != N_FOR && n->kind != N_IF)
        return n;
    Node *kids[3];
    for (int i = 0; i < n->nkids; i++)
        kids[i] = narrow(s, n->kid[i]);
    return with_kids(s->ir, n, n->nkids, kids);
}

Node *narrow_scopes(Ir *ir, const Func *f)
{
    Scopes s = {.ir = ir, .writes = find_writes(ir, f->body), .nwrites = ir->nsyms};
    Node *body = f->body;
    for (int i = f->nparams - 1; i >= 0; i--) {
        Sym *param = f->params[i];
        if (param->rank > 0 || !map_get(&s.writes, param->id))
            continue;
        Sym *local = copy_sym(ir, param, S_LOCAL);
        Vec stmts = {0};
        vec_push(ir->arena, &stmts, mk_decl(ir, local, mk_var(ir, param), param->loc));
        vec_push(ir->arena, &stmts, rename_sym(ir, body, param, local));
        body = mk_block(ir, stmts.count, (Node **)stmts.items, body->loc);
    }
    return narrow(&s, body);
}

typedef struct Unused {
    Arena *arena;
    Map reads; /* by symbol id: the last of them */
    Map declared;     /* by symbol id: here, and so read nowhere else */
    const Sym *given; /* one of these, whose new value is looked at: what it is made of the old one counts for nothing */
    bool again;
} Unused;

static bool note_read(void *user, Node *n)
{
    Unused *u = user;
    if (n->kind == N_ASSIGN) {
        u->given = map_get(&u->declared, n->sym->id) ? n->sym : NULL;
        for (int i = 0; i < n->nkids; i++)
            walk(&(Walker){.pre = note_read, .user = u}, n->kid[i]);
        u->given = NULL;
        return false;
    }
    if ((n->kind == N_VAR && n->sym != u->given) || n->kind == N_FOR)
        *map_at(u->arena, &u->reads, n->sym->id) = n;
    return true;
}

static bool note_declared(void *user, Node *n)
{
    Unused *u = user;
    if (n->kind == N_DECL)
        *map_at(u->arena, &u->declared, n->sym->id) = n;
    return !is_expr(n);
}

static bool is_empty_loop(const Node *n)
{
    return n->kind == N_FOR && loop_declares(n) && n->kid[2]->kind == N_BLOCK && n->kid[2]->nkids == 0;
}

static Node *drop_write(void *user, Node *n)
{
    Unused *u = user;
    if (is_empty_loop(n)) {
        u->again = true;
        return NULL;
    }
    if ((n->kind != N_DECL && n->kind != N_ASSIGN) || n->sym->rank || map_get(&u->reads, n->sym->id))
        return n;
    u->again = true;
    return NULL;
}

Node *drop_unused(Ir *ir, Node *body)
{
    Unused u = {.arena = ir->arena, .again = true};
    walk(&(Walker){.pre = note_declared, .user = &u}, body);
    while (u.again) { /* what only an unused value needed is unused next time */
        u.again = false;
        u.reads = (Map){0};
        walk(&(Walker){.pre = note_read, .user = &u}, body);
        body = rewrite(&(Rewriter){.ir = ir, .post = drop_write, .user = &u}, body);
    }
    return body;
}
