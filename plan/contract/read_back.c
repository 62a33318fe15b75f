/* Up to the next statement that changes the scalar, the array, or where in it the element lies. */
#include "plan/contract/read_back.h"

#include "ir/walk.h"

/* Is it a sum, or comes from one, of the statements before `at`? */
static bool is_summed_up(const Vec *list, int at, const Sym *scalar)
{
    for (int i = 0; i < at; i++) {
        Node *n = list->items[i];
        if (n->kind == N_FOR && writes_sym(n, scalar))
            return true;
        if (n->kind != N_DECL && n->kind != N_ASSIGN)
            continue;
        for (int j = 0; j < i && n->sym == scalar && n->nkids; j++) {
            const Node *before = list->items[j];
            if ((before->kind == N_DECL || before->kind == N_ASSIGN) && before->sym != scalar && uses_sym(n->kid[0], before->sym) &&
                is_summed_up(list, i, before->sym))
                return true;
        }
    }
    return false;
}

/* Does the statement change the element's value, or which one it is? */
static bool disturbs(Node *n, const Node *store)
{
    if (writes_sym(n, store->sym) || writes_sym(n, stmt_value(store)->sym))
        return true;
    for (int i = 0; i < store->nkids - 1; i++)
        if (reads_array(store->kid[i], NULL))
            return true;
    return false;
}

typedef struct Locals {
    Node *const *subscripts;
    int n;
    bool shadowed;
} Locals;

/* A loop inside may count, or a statement assign, what the subscripts use. */
static bool note_written(void *user, Node *n)
{
    Locals *l = user;
    for (int i = 0; i < l->n && !is_expr(n); i++)
        l->shadowed = l->shadowed ||
                      (n->sym && (n->kind == N_FOR || n->kind == N_ASSIGN || n->kind == N_DECL) && uses_sym(l->subscripts[i], n->sym));
    return !is_expr(n);
}

static bool may_move_to(Node *n, const Node *store)
{
    Locals l = {store->kid, store->nkids - 1, false};
    walk(&(Walker){.pre = note_written, .user = &l}, n);
    return !l.shadowed && !disturbs(n, store);
}

void read_back(Ir *ir, Vec *list)
{
    for (int i = 1; i + 1 < list->count; i++) {
        const Node *store = list->items[i];
        if (store->kind != N_STORE || store->aux || stmt_value(store)->kind != N_VAR || stmt_value(store)->type != store->sym->type)
            continue;
        Sym *scalar = stmt_value(store)->sym;
        if (scalar->kind != S_LOCAL || !is_summed_up(list, i, scalar))
            continue;
        Node *element = mk_load(ir, store->sym, store->nkids - 1, store->kid);
        for (int j = i + 1; j < list->count && may_move_to(list->items[j], store); j++)
            list->items[j] = substitute(ir, list->items[j], scalar, element);
    }
}
