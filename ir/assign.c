/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Right-hand sides of plain and compound assignments, apart from the old value that the latter read. */
#include "ir/assign.h"

Node *right_operand(const Node *stmt) { return stmt->aux ? compound_operand(stmt) : stmt_value(stmt); }

/* The left operand of `op=`, a conversion of the element or the element itself, with other subscripts. */
static Node *old_value(Ir *ir, Node *left, int nsubscripts, Node *const *subscripts)
{
    if (left->kind == N_LOAD)
        return with_kids(ir, left, nsubscripts, subscripts);
    if (left->kind != N_CAST)
        return left;
    Node *below = old_value(ir, left->kid[0], nsubscripts, subscripts);
    return with_kids(ir, left, 1, &below);
}

Node *with_right_operand(Ir *ir, Node *stmt, Node *const *subscripts, Node *right)
{
    int nsubscripts = stmt->nkids - 1;
    Node *value = right;
    if (stmt->aux) {
        Node *whole = stmt_value(stmt);
        bool converted = whole->kind == N_CAST && whole->kid[0]->kind == stmt->aux;
        Node *operation = converted ? whole->kid[0] : whole;
        Node *operands[] = {old_value(ir, operation->kid[0], nsubscripts, subscripts), right};
        value = with_kids(ir, operation, 2, operands);
        if (converted)
            value = with_kids(ir, whole, 1, &value);
    }
    Node **kids = arena_new_array(ir->arena, Node *, stmt->nkids);
    for (int i = 0; i < nsubscripts; i++)
        kids[i] = subscripts[i];
    kids[nsubscripts] = value;
    return with_kids(ir, stmt, stmt->nkids, kids);
}
