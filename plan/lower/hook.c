/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hooks of both targets are built with: the spec's expressions in terms of a hook's own variables, the loop variables
 * of a role out of their folded iteration, the finished function.
 *
 * Index arithmetic is T_INDEX throughout: the spec's loop variables become T_INDEX locals, so that a compiler sees contiguous
 * accesses without having to prove that `int` does not wrap. */
#include "plan/lower/hook.h"

#include "depend/index.h"
#include "depend/scope.h"

Lower lower_new(Ir *ir, Plan *plan, Contraction *c)
{
    Lower l = {.ir = ir, .plan = plan, .c = c, .at = arena_new_array(ir->arena, Sym *, c->ndims)};
    for (int i = 0; i < c->ndims; i++) {
        l.at[i] = sym_new(ir, S_LOCAL, T_INDEX, c->dims[i].var->name, c->dims[i].var->loc);
        l.at[i]->is_const = true;
    }
    return l;
}

Node *lower_param(Lower *l, Type type, const char *name)
{
    Sym *sym = sym_new(l->ir, S_PARAM, type, name, (Loc){0, 0});
    vec_push(l->ir->arena, &l->params, sym);
    return mk_var(l->ir, sym);
}

Sym *lower_pointer(Lower *l, Type elem, const char *name, bool is_const)
{
    Node *unknown = NULL;
    Sym *sym = sym_new_array(l->ir, S_ARRAY, elem, name, 1, &unknown, (Loc){0, 0});
    sym->is_restrict = true;
    sym->is_const = is_const;
    vec_push(l->ir->arena, &l->params, sym);
    return sym;
}

Node *lower_digit(const Lower *l, int dim)
{
    return mk_var(l->ir, sym_new(l->ir, S_LOCAL, T_INDEX, l->c->dims[dim].var->name, (Loc){0, 0}));
}

Node *lower_declare(const Lower *l, Node *var, Node *value) { return mk_decl(l->ir, var->sym, value, (Loc){0, 0}); }

Node *lower_block(const Lower *l, const Vec *stmts) { return mk_block(l->ir, stmts->count, (Node **)stmts->items, (Loc){0, 0}); }

void lower_push(const Lower *l, Vec *vec, Node *n) { vec_push(l->ir->arena, vec, n); }

/* ---------------------------------------------------------------- the spec's expressions in a hook */

static bool uses_loops(const Lower *l, Node *n)
{
    for (int i = 0; i < l->c->ndims; i++)
        if (uses_sym(n, l->c->dims[i].var))
            return true;
    return false;
}

/* A comparison of positions, not of data. */
static bool compares_positions(const Lower *l, Node *n)
{
    if (!(kind_info[n->kind].flags & F_REL) || n->nkids != 2 || n->kind == N_LAND || n->kind == N_LOR)
        return false;
    Type type = (Type)n->kid[0]->type;
    return type_is_integer(type) && type_is_signed(type) && !reads_array(n, NULL) && uses_loops(l, n);
}

/* Subscripts and signed positions may as well be computed in T_INDEX: no step of them overflows. */
static Node *widen_post(void *user, Node *n)
{
    const Lower *l = user;
    Ir *ir = l->ir;
    if ((n->kind == N_LOAD || n->kind == N_STORE) && n->nkids > 0) {
        Node **kids = arena_new_array(ir->arena, Node *, n->nkids);
        for (int i = 0; i < n->nkids; i++)
            kids[i] = n->kind == N_STORE && i == n->nkids - 1 ? n->kid[i] : widen(ir, n->kid[i]);
        return with_kids(ir, n, n->nkids, kids);
    }
    if (compares_positions(l, n)) {
        Node *kids[] = {widen(ir, n->kid[0]), widen(ir, n->kid[1])};
        return with_kids(ir, n, 2, kids);
    }
    return n;
}

static const Sym *local_of(const Lower *l, const Sym *var)
{
    for (int i = 0; i < l->c->ndims; i++)
        if (l->c->dims[i].var == var)
            return l->at[i];
    return NULL;
}

static Node *to_locals(void *user, Node *n)
{
    const Lower *l = user;
    const Node *var = n->kind == N_CAST && n->type == T_INDEX ? n->kid[0] : n;
    const Sym *at = var->kind == N_VAR ? local_of(l, var->sym) : NULL;
    return at ? mk_cast(l->ir, (Type)n->type, mk_var(l->ir, (Sym *)at)) : NULL;
}

typedef struct Cloning {
    const Lower *l;
    Node *n;
} Cloning;

static bool clone_decl(void *user, Node *n)
{
    Cloning *c = user;
    if (n->kind == N_DECL) {
        Sym *fresh = sym_new(c->l->ir, n->sym->kind, n->sym->type, n->sym->name, n->sym->loc);
        fresh->is_const = n->sym->is_const;
        c->n = rename_sym(c->l->ir, c->n, n->sym, fresh);
    }
    return !is_expr(n);
}

/* An expression or a statement of the spec, in terms of the hook's variables; its own locals are made anew,
 * since a statement may stand in several places. */
Node *lower_in_hook(Lower *l, Node *n)
{
    n = rewrite(&(Rewriter){.ir = l->ir, .post = widen_post, .user = l}, n);
    n = rewrite(&(Rewriter){.ir = l->ir, .pre = to_locals, .user = l}, n);
    Cloning cloning = {l, n};
    walk(&(Walker){.pre = clone_decl, .user = &cloning}, n);
    return cloning.n;
}

/* ---------------------------------------------------------------- the loops of a role */

RoleDims lower_dims_of(const Contraction *c, Role role)
{
    RoleDims r = {0, 0};
    for (int i = 0; i < c->ndims; i++) {
        if (c->dims[i].role != role)
            continue;
        if (r.count++ == 0)
            r.first = i;
    }
    return r;
}

/* The loop variable's value in iteration `t` of its loop. */
static Node *value_at(Lower *l, int dim, Node *t)
{
    const LoopDim *d = &l->c->dims[dim];
    Node *lo = lower_in_hook(l, widen(l->ir, d->lo));
    if (d->step < 0)
        return ix_sub(l->ir, lo, ix_mul(l->ir, ix_int(l->ir, -d->step), t));
    return ix_add(l->ir, lo, ix_mul(l->ir, ix_int(l->ir, d->step), t));
}

Node *lower_declare_dim(Lower *l, int dim, Node *t) { return mk_decl(l->ir, l->at[dim], value_at(l, dim, t), (Loc){0, 0}); }

void lower_decode(Lower *l, Vec *out, Role role, Node *at)
{
    Ir *ir = l->ir;
    RoleDims r = lower_dims_of(l->c, role);
    Node *rest = at;
    for (int i = r.first + r.count - 1; i >= r.first; i--) {
        Node *extent = l->c->dims[i].extent;
        lower_push(l, out, lower_declare_dim(l, i, i > r.first ? ix_mod(ir, rest, extent) : rest));
        rest = ix_div(ir, rest, extent);
    }
}

/* ---------------------------------------------------------------- the finished hook */

/* Blocks in blocks dissolve: every symbol of a hook is its own, so no scope is needed to keep names apart. */
static Node *flatten(void *user, Node *n)
{
    Ir *ir = user;
    if (n->kind != N_BLOCK)
        return n;
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kid[i];
        if (kid->kind != N_BLOCK)
            vec_push(ir->arena, &out, kid);
        for (int j = 0; kid->kind == N_BLOCK && j < kid->nkids; j++)
            vec_push(ir->arena, &out, kid->kid[j]);
    }
    return with_kids(ir, n, out.count, (Node **)out.items);
}

/* `index c = t;` as the iteration number of a loop from 0 by 1: t takes the name c. Nothing assigns either of
 * them while c is used. */
static Node *drop_copies(void *user, Node *n)
{
    Ir *ir = user;
    if (n->kind != N_BLOCK)
        return n;
    for (int i = 0; i < n->nkids; i++) {
        Node *decl = n->kid[i];
        if (decl->kind != N_DECL || !decl->nkids || decl->kid[0]->kind != N_VAR || decl->sym->type != T_INDEX)
            continue;
        Sym *original = decl->kid[0]->sym;
        if (original->kind != S_PARAM)
            original->name = decl->sym->name;
        Vec out = {0};
        for (int j = 0; j < n->nkids; j++)
            if (j != i)
                vec_push(ir->arena, &out, rename_sym(ir, n->kid[j], decl->sym, original));
        return drop_copies(user, mk_block(ir, out.count, (Node **)out.items, n->loc));
    }
    return n;
}

Func *lower_func(const Lower *l, const char *stem, const char *name, Func *f)
{
    Node *body = drop_unused(l->ir, f->body);
    body = rewrite(&(Rewriter){.ir = l->ir, .post = drop_copies, .user = l->ir}, body);
    f->body = rewrite(&(Rewriter){.ir = l->ir, .post = flatten, .user = l->ir}, body);
    f->name = arena_printf(l->ir->arena, "%s_%s", stem, name);
    f->params = (Sym **)l->params.items;
    f->nparams = l->params.count;
    f->is_helper = true;
    f->loc = l->c->loc;
    return f;
}

void lower_set_hook(const Lower *l, int slot, const char *name, Func *f)
{
    lower_func(l, l->c->stem, name, f);
    l->c->lowered.hooks[slot] = (Hook){.name = name, .func = f, .is_signed = !has_unsigned(f->body)};
}
