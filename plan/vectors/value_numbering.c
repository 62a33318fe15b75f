/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass from the top; names end with the loop or the branch that declares them. */
#include "plan/vectors/value_numbering.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Sharing {
    Ir *ir;
    Node *body;
    Vec names;  /* N_DECLs that may be used here, */
    Vec counts; /* and how many of them there were around each loop or branch */
    int branches;
    Map same; /* by symbol id: Node *, the variable that stands for it */
} Sharing;

static bool is_change(void *user, Node *n)
{
    Node *body = user;
    return n->kind == N_LOAD || n->kind == N_CALL || (n->kind == N_VAR && !n->sym->is_const && writes_sym(body, n->sym));
}

static bool changes(Sharing *s, Node *value) { return any_node(value, is_change, s->body); }

static bool is_scope(const Node *n) { return n->kind == N_FOR || n->kind == N_IF; }

static Node *enter(void *user, Node *n)
{
    Sharing *s = user;
    if (is_scope(n))
        vec_push(s->ir->arena, &s->counts, (void *)(intptr_t)s->names.count);
    s->branches += n->kind == N_IF;
    return NULL;
}

/* Arms of a branch share nothing: neither runs before the other. */
static Node *declare(Sharing *s, Node *n)
{
    for (int i = 0; i < s->names.count; i++) {
        const Node *name = s->names.items[i];
        if (name->kid[0] == n->kid[0]) {
            *map_at(s->ir->arena, &s->same, n->sym->id) = mk_var(s->ir, name->sym);
            return NULL;
        }
    }
    if (!s->branches && !changes(s, n->kid[0]))
        vec_push(s->ir->arena, &s->names, n);
    return n;
}

static Node *leave(void *user, Node *n)
{
    Sharing *s = user;
    if (is_scope(n)) {
        s->names.count = (int)(intptr_t)s->counts.items[--s->counts.count];
        s->branches -= n->kind == N_IF;
    }
    if (n->kind == N_DECL && n->sym->is_const && n->sym->type == T_INDEX && n->sym->rank == 0)
        return declare(s, n);
    Node *same = n->kind == N_VAR ? map_get(&s->same, n->sym->id) : NULL;
    return same ? same : n;
}

Node *share_names(Ir *ir, Node *body)
{
    Sharing s = {.ir = ir, .body = body};
    return rewrite(&(Rewriter){.ir = ir, .pre = enter, .post = leave, .user = &s}, body);
}
