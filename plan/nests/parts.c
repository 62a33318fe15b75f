/* Loops that stand alone, and names for values. */
#include "plan/nests/parts.h"

Node *only_loop(Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n->kind == N_FOR ? n : NULL;
}

Node *name_index(Ir *ir, Vec *out, const char *name, Node *value)
{
    const Node *inner = value->kind == N_CAST ? value->kid[0] : value;
    if (inner->nkids == 0)
        return value;
    Sym *sym = sym_new(ir, S_LOCAL, T_INDEX, name, value->loc);
    sym->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, sym, value, value->loc));
    return mk_var(ir, sym);
}
