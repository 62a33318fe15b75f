/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only of arrays that nobody writes, and only what costs next to nothing to compute twice. */
#include "plan/operand_substitution.h"

#include "depend/env.h"
#include "depend/scope.h"
#include "ir/walk.h"

enum { MOST_NODES = 16 }; /* of an operand */

typedef struct Substitution {
    Ir *ir;
    Map writes; /* of the function */
} Substitution;

typedef struct Operand {
    const Map *writes;
    bool fits;
} Operand;

static bool note_operand(void *user, Node *n)
{
    Operand *o = user;
    const bool arithmetic = n->kind == N_ADD || n->kind == N_SUB || n->kind == N_MUL || n->kind == N_NEG || n->kind == N_CAST;
    const bool leaf = (n->kind == N_VAR && !map_get(o->writes, n->sym->id)) || n->kind == N_INT || n->kind == N_FLOAT ||
                      (n->kind == N_LOAD && (n->sym->is_const || n->sym->table));
    o->fits = o->fits && (arithmetic || leaf);
    return o->fits;
}

static bool is_operand(const Substitution *s, const Node *n)
{
    if (n->kind != N_DECL || !n->nkids || n->sym->rank || map_get(&s->writes, n->sym->id))
        return false;
    Operand o = {&s->writes, true};
    walk(&(Walker){.pre = note_operand, .user = &o}, n->kid[0]);
    return o.fits && tree_size(n->kid[0], MOST_NODES) < MOST_NODES;
}

/* A loop's body of operands and several sums, in any order. */
static bool holds_sums_alone(const Substitution *s, const Node *body)
{
    int operands = 0, sums = 0;
    for (int i = 0; i < body->nkids; i++) {
        const Node *n = body->kid[i];
        operands += is_operand(s, n);
        sums += (n->kind == N_ASSIGN || n->kind == N_STORE) && (n->aux == N_ADD || n->aux == N_SUB);
    }
    return operands && sums > 1 && operands + sums == body->nkids;
}

static Node *substituted(void *user, Node *n)
{
    const Substitution *s = user;
    if (n->kind != N_FOR || n->kid[2]->kind != N_BLOCK || !holds_sums_alone(s, n->kid[2]))
        return n;
    const Node *body = n->kid[2];
    Node **kids = arena_new_array(s->ir->arena, Node *, body->nkids);
    int left = 0;
    for (int i = 0; i < body->nkids; i++)
        kids[i] = body->kid[i];
    for (int i = 0; i < body->nkids; i++) {
        if (kids[i]->kind != N_DECL) {
            kids[left++] = kids[i];
            continue;
        }
        Node *value = mk_cast(s->ir, kids[i]->sym->type, kids[i]->kid[0]);
        for (int j = i + 1; j < body->nkids; j++)
            kids[j] = substitute(s->ir, kids[j], kids[i]->sym, value);
    }
    return with_kid(s->ir, n, 2, mk_block(s->ir, left, kids, body->loc));
}

Node *substitute_operands(Ir *ir, Node *body)
{
    Substitution s = {ir, find_writes(ir, body)};
    return rewrite(&(Rewriter){.ir = ir, .post = substituted, .user = &s}, body);
}
