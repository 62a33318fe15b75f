/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions that compare a loop's variable with what does not depend on it. */
#include "plan/iteration_limit.h"

#include "depend/index.h"

Node *reach_of(Ir *ir, const Node *condition, const Sym *var)
{
    Kind cmp;
    Node *hi;
    if (!bound_on(condition, var, true, &cmp, &hi) || (cmp != N_LT && cmp != N_LE))
        return NULL;
    hi = widen(ir, hi);
    return cmp == N_LE ? ix_add(ir, hi, ix_int(ir, 1)) : hi;
}

/* The last of the statements, the others being about scalars: added to *scalars if that is not NULL. NULL: they are more. */
static Node *behind_scalars(Ir *ir, Node *n, Vec *scalars)
{
    if (n->kind != N_BLOCK)
        return n;
    for (int i = 0; i < n->nkids - 1; i++) {
        if (n->kid[i]->kind != N_DECL && n->kid[i]->kind != N_ASSIGN)
            return NULL;
        if (scalars)
            vec_push(ir->arena, scalars, n->kid[i]);
    }
    return n->nkids ? n->kid[n->nkids - 1] : NULL;
}

Node *stored_last(Ir *ir, const Contraction *c, Node **condition, Vec *scalars)
{
    Node *last = behind_scalars(ir, c->epilogue, scalars);
    *condition = NULL;
    if (last && last->kind == N_IF && last->nkids == 2) {
        *condition = last->kid[0];
        last = behind_scalars(ir, last->kid[1], scalars);
    }
    return last && last->kind == N_STORE ? last : NULL;
}

Node *loaded_factor(const Contraction *c, Node **condition)
{
    Node *n = c->a.value;
    *condition = NULL;
    while (n->kind == N_CAST && type_is_float(n->type) && type_is_float(n->kid[0]->type))
        n = n->kid[0];
    if (n->kind == N_SEL && n->kid[2]->kind == N_FLOAT && n->kid[2]->u.f == 0) {
        *condition = n->kid[0];
        n = n->kid[1];
    }
    return n->kind == N_LOAD ? n : NULL;
}
