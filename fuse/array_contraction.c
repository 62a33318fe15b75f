/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outside in: as long as one statement of a block has all uses of the array, and it is a loop whose variable is a subscript in
 * all of them. */
#include "fuse/array_contraction.h"

#include "depend/index.h"
#include "ir/walk.h"

enum { MOST_RANK = 16 };

typedef struct Shrinking {
    Ir *ir;
    Sym *array;
    Sym *scalar;
    bool pinned[MOST_RANK]; /* subscripts that are variables of loops around the scalar */
    const Sym *var;         /* search_subscript */
    int position;           /* that is `var` in all accesses so far; -1: none */
    bool seen;
} Shrinking;

/* The first dimension that is the loop's variable in all accesses. */
static bool search_subscript(void *user, Node *n)
{
    Shrinking *s = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE) || n->sym != s->array)
        return true;
    if (!s->seen)
        for (s->position = 0; s->position < s->array->rank; s->position++)
            if (!s->pinned[s->position] && is_converted_var(n->kid[s->position], s->var))
                break;
    s->seen = true;
    if (s->position < 0 || s->position == s->array->rank || !is_converted_var(n->kid[s->position], s->var))
        s->position = -1;
    return true;
}

static Node *replace(void *user, Node *n)
{
    const Shrinking *s = user;
    if (n->sym != s->array)
        return n;
    if (n->kind == N_LOAD)
        return mk_var(s->ir, s->scalar);
    return n->kind == N_STORE ? mk_assign(s->ir, s->scalar, stmt_value(n), (Kind)n->aux, n->loc) : n;
}

/* `n`, which has all uses of the array, with a scalar for it at the start of a block inside. NULL: none is found. */
static Node *shrunk(Shrinking *s, Node *n, int left)
{
    Ir *ir = s->ir;
    if (left == 0) {
        s->scalar = sym_new(ir, S_LOCAL, s->array->type, s->array->name, s->array->loc);
        Node *body = rewrite(&(Rewriter){.ir = ir, .post = replace, .user = s}, n);
        Node *stmts[] = {mk_decl(ir, s->scalar, NULL, s->array->loc), body};
        const bool block = body->kind == N_BLOCK;
        Vec all = {0};
        vec_push(ir->arena, &all, stmts[0]);
        for (int i = 0; i < (block ? body->nkids : 1); i++)
            vec_push(ir->arena, &all, block ? body->kid[i] : body);
        return mk_block(ir, all.count, (Node **)all.items, n->loc);
    }
    const int at = only_user(n, s->array);
    if (at < 0 || (n->kind != N_BLOCK && n->kind != N_FOR && n->kind != N_IF))
        return NULL;
    if (n->kind == N_FOR) {
        s->var = n->sym;
        s->position = -1;
        s->seen = false;
        walk(&(Walker){.pre = search_subscript, .user = s}, n->kid[at]);
        if (loop_declares(n) && s->position >= 0) {
            s->pinned[s->position] = true;
            left--;
        }
    }
    Node *inner = shrunk(s, n->kid[at], left);
    return inner ? with_kid(ir, n, at, inner) : NULL;
}

Node *shrink_arrays(Ir *ir, Node *body, Vec *arrays)
{
    int kept = 0;
    for (int i = 0; i < arrays->count; i++) {
        Shrinking s = {.ir = ir, .array = arrays->items[i]};
        Node *smaller = s.array->rank <= MOST_RANK ? shrunk(&s, body, s.array->rank) : NULL;
        if (smaller)
            body = smaller;
        else
            arrays->items[kept++] = s.array;
    }
    arrays->count = kept;
    return body;
}

Node *shrink_own_arrays(Ir *ir, Node *body)
{
    Vec arrays = {0}, rest = {0}, all = {0};
    for (int i = 0; i < body->nkids; i++) {
        const bool is_array = body->kid[i]->kind == N_DECL && body->kid[i]->sym->rank > 0;
        vec_push(ir->arena, is_array ? &arrays : &rest, is_array ? (void *)body->kid[i]->sym : body->kid[i]);
    }
    Node *smaller = shrink_arrays(ir, mk_block(ir, rest.count, (Node **)rest.items, body->loc), &arrays);
    for (int i = 0; i < arrays.count; i++) {
        Sym *array = arrays.items[i];
        vec_push(ir->arena, &all, mk_decl(ir, array, NULL, array->loc));
    }
    for (int i = 0; i < smaller->nkids; i++)
        vec_push(ir->arena, &all, smaller->kid[i]);
    return mk_block(ir, all.count, (Node **)all.items, body->loc);
}
