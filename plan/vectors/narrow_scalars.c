/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A variable is narrow when all that it is assigned is chosen among constants, itself, and values of one narrow type. */
#include "plan/vectors/narrow_scalars.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

/* A variable of the body of at least 32 bits. */
typedef struct Held {
    Sym *sym, *narrow;
    Type type;            /* the narrow one; T_VOID: no such value has been met */
    int64_t least, most;  /* of constants */
    bool fits;
} Held;

typedef struct Narrowing {
    Ir *ir;
    Map held; /* by symbol id: Held */
} Narrowing;

static bool is_narrow(Type type) { return type_is_integer(type) && type_bits(type) < 32 && type != T_BOOL; }

static void note_value(Held *h, const Node *e)
{
    const Type from = e->kind == N_CAST ? (Type)e->kid[0]->type : T_VOID;
    if (e->kind == N_SEL) {
        note_value(h, e->kid[1]);
        note_value(h, e->kid[2]);
    } else if (e->kind == N_INT) {
        h->least = e->u.i < h->least ? e->u.i : h->least;
        h->most = e->u.i > h->most ? e->u.i : h->most;
    } else if (!(e->kind == N_VAR && e->sym == h->sym)) {
        h->fits = h->fits && e->kind == N_CAST && is_narrow(from) && (h->type == T_VOID || h->type == from);
        h->type = h->fits ? from : T_VOID;
    }
}

static bool note_declared(void *user, Node *n)
{
    Narrowing *w = user;
    if (n->kind == N_DECL && n->sym->kind == S_LOCAL && !n->sym->rank && n->sym->type == T_INT) {
        Held *h = arena_alloc(w->ir->arena, sizeof *h);
        *h = (Held){.sym = n->sym, .type = T_VOID, .fits = n->nkids > 0};
        *map_at(w->ir->arena, &w->held, n->sym->id) = h;
    }
    return !is_expr(n);
}

static bool note_assigned(void *user, Node *n)
{
    const Narrowing *w = user;
    Held *h = n->kind == N_DECL || n->kind == N_ASSIGN ? map_get(&w->held, n->sym->id) : NULL;
    if (h && n->nkids)
        note_value(h, n->kid[0]);
    return !is_expr(n);
}

static Sym *narrow_of(const Narrowing *w, const Sym *sym)
{
    Held *h = map_get(&w->held, sym->id);
    if (!h || !h->fits || h->type == T_VOID || h->least < type_min(h->type) || h->most > type_max(h->type))
        return NULL;
    if (!h->narrow)
        h->narrow = sym_new(w->ir, S_LOCAL, h->type, h->sym->name, h->sym->loc);
    h->narrow->is_const = h->sym->is_const;
    return h->narrow;
}

static Node *narrow(void *user, Node *n)
{
    Narrowing *w = user;
    const bool is_one = n->kind == N_VAR || n->kind == N_DECL || n->kind == N_ASSIGN;
    Sym *sym = is_one ? narrow_of(w, n->sym) : NULL;
    if (!sym)
        return n;
    if (n->kind == N_VAR)
        return mk_cast(w->ir, T_INT, mk_var(w->ir, sym));
    Node *value = mk_cast(w->ir, sym->type, n->kid[0]);
    return n->kind == N_DECL ? mk_decl(w->ir, sym, value, n->loc) : mk_assign(w->ir, sym, value, N_NONE, n->loc);
}

Node *narrow_scalars(Ir *ir, Node *body)
{
    Narrowing w = {.ir = ir};
    walk(&(Walker){.pre = note_declared, .user = &w}, body);
    walk(&(Walker){.pre = note_assigned, .user = &w}, body);
    return rewrite(&(Rewriter){.ir = ir, .post = narrow, .user = &w}, body);
}
