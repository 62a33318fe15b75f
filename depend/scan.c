/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks among the statements of the body for the only one that assigns to a scalar from outside. */
#include "depend/scan.h"

#include "depend/reduce.h"
#include "ir/walk.h"

typedef struct Assigned {
    Node *body;
    Node *one; /* to a scalar that the body does not declare */
    int count;
} Assigned;

static bool search_declaration(void *user, Node *n)
{
    const Sym *sym = user;
    return (n->kind == N_DECL || n->kind == N_FOR) && n->sym == sym;
}

static bool note_assigned(void *user, Node *n)
{
    Assigned *a = user;
    if (n->kind == N_ASSIGN && !any_stmt(a->body, search_declaration, n->sym)) {
        a->one = n;
        a->count++;
    }
    return !is_expr(n);
}

static bool is_var(const Node *e, const Sym *sym) { return e->kind == N_VAR && e->sym == sym; }

/* Of acc + a - b + c: a - b + c; NULL: it is no such sum. */
static Node *added(Ir *ir, Node *e, const Sym *acc)
{
    if ((e->kind != N_ADD && e->kind != N_SUB) || (Type)e->type != acc->type)
        return NULL;
    Node *a = e->kid[0], *b = e->kid[1];
    if (is_var(a, acc) && !uses_sym(b, acc))
        return e->kind == N_ADD ? b : mk_unary(ir, N_NEG, b);
    if (e->kind == N_ADD && is_var(b, acc) && !uses_sym(a, acc))
        return a;
    Node *rest = uses_sym(b, acc) ? NULL : added(ir, a, acc);
    return rest ? mk_binary(ir, (Kind)e->kind, rest, b) : NULL;
}

static bool may_sum(Type type, bool strict) { return type == T_INT || type == T_UINT || (type == T_FLOAT && !strict); }

bool find_scan(Ir *ir, Node *loop, bool strict, Scan *scan)
{
    Node *body = loop->kid[2];
    Assigned a = {.body = body};
    walk(&(Walker){.pre = note_assigned, .user = &a}, body);
    if (body->kind != N_BLOCK || a.count != 1 || a.one->sym->rank || !may_sum(a.one->sym->type, strict))
        return false;
    Sym *acc = a.one->sym;
    Node **kids = arena_new_array(ir->arena, Node *, body->nkids + 1);
    bool found = false, read = false;
    scan->acc = acc;
    scan->total = sym_new(ir, S_LOCAL, acc->type, acc->name, acc->loc);
    for (int i = 0; i < body->nkids; i++) {
        Node *n = body->kid[i], *term = n == a.one ? added(ir, n->kid[0], acc) : NULL;
        if ((n == a.one && !term) || (!found && n != a.one && uses_sym(n, acc)))
            return false;
        read = read || (found && uses_sym(n, acc));
        found = found || term;
        kids[i] = term ? mk_decl(ir, scan->total, term, n->loc) : substitute(ir, n, acc, mk_var(ir, scan->total));
    }
    if (!found || !read)
        return false;
    Node *parts[] = {loop->kid[0], loop->kid[1], mk_block(ir, body->nkids, kids, body->loc)};
    scan->loop = with_kids(ir, loop, 3, parts);
    return !uses_sym(loop->kid[0], acc) && !uses_sym(loop->kid[1], acc);
}

bool loop_is_scan(Ir *ir, Node *loop, bool strict)
{
    Scan scan;
    return !has_kind(loop->kid[2], N_FOR) && find_scan(ir, loop, strict, &scan) && loop_is_unordered(ir, scan.loop, strict);
}
