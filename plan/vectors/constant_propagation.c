/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the top, as declarations stand in front of what uses them. */
#include "plan/vectors/constant_propagation.h"

#include "ir/simplify.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Propagation {
    Ir *ir;
    Map numbers; /* by symbol id: Node *, an N_INT */
} Propagation;

static Node *put_number(void *user, Node *n)
{
    Propagation *p = user;
    const bool integer = n->sym && !n->sym->rank && n->sym->is_const && type_is_integer(n->sym->type) && n->sym->type != T_BOOL;
    if (!integer || (n->kind != N_DECL && n->kind != N_VAR))
        return n;
    if (n->kind == N_VAR) {
        Node *number = map_get(&p->numbers, n->sym->id);
        return number ? number : n;
    }
    Node *value = n->nkids ? simplify(p->ir, n->kid[0]) : NULL;
    if (!value || value->kind != N_INT)
        return n;
    *map_at(p->ir->arena, &p->numbers, n->sym->id) = mk_cast(p->ir, n->sym->type, value);
    return NULL;
}

Node *propagate_constants(Ir *ir, Node *body)
{
    Propagation p = {.ir = ir};
    Node *made = rewrite(&(Rewriter){.ir = ir, .post = put_number, .user = &p}, body);
    return made == body ? body : simplify(ir, made);
}
