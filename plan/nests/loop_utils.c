/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that stand alone or inside others, names for values and values for names, guards. */
#include "plan/nests/loop_utils.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"

Node *some_iterations(Ir *ir, Node *loop, Node *begin, Node *end, Node *body)
{
    Bounds b;
    for_bounds(loop, &b);
    Node *lo = widen(ir, b.lo);
    Node *from = mk_cast(ir, b.var->type, ix_add(ir, lo, begin)), *to = mk_cast(ir, b.var->type, ix_add(ir, lo, end));
    Node *kids[] = {from, mk_binary(ir, N_LT, mk_var(ir, b.var), to), body};
    return with_kids(ir, loop, 3, kids);
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

typedef struct Expansion {
    Ir *ir;
    const Map *values;
} Expansion;

static Node *expand(void *user, Node *n)
{
    const Expansion *x = user;
    Node *value = n->kind == N_VAR ? map_get(x->values, n->sym->id) : NULL;
    return value ? expand_names(x->ir, x->values, value) : n;
}

Node *expand_names(Ir *ir, const Map *values, Node *e)
{
    Expansion x = {ir, values};
    return rewrite(&(Rewriter){.ir = ir, .post = expand, .user = &x}, e);
}

Poly *guard_sum(Ir *ir, Node *cond)
{
    const Kind k = cond->kind;
    if ((k != N_LT && k != N_LE && k != N_GT && k != N_GE) || !type_is_integer(cond->kid[0]->type) || !type_is_signed(cond->kid[0]->type))
        return NULL;
    const bool less = k == N_LT || k == N_LE;
    Poly *sum = poly_sub(ir, poly_of(ir, cond->kid[less]), poly_of(ir, cond->kid[!less]));
    return k == N_LT || k == N_GT ? poly_sub(ir, sum, poly_int(ir, 1)) : sum;
}

static bool is_parallel(void *user, Node *n)
{
    Ir *ir = user;
    return n->kind == N_FOR && n->aux & FOR_PARALLEL && loop_is_parallel(ir, n);
}

bool has_parallel_loop(Ir *ir, Node *n) { return any_stmt(n, is_parallel, ir); }
