/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building hooks, the generated functions through which a template reaches an operand or the output of one contraction: what
 * those of the C target and those of CUDA share. */
#ifndef MIKGEN_PLAN_LOWER_HOOK_H
#define MIKGEN_PLAN_LOWER_HOOK_H

#include "ir/walk.h"
#include "plan/plan.h"

typedef struct Lower {
    Ir *ir;
    Plan *plan;
    Contraction *c;
    Sym **at;   /* per dim: the loop variable's value, T_INDEX */
    Vec params; /* of the hook */
} Lower;

Lower lower_new(Ir *ir, Plan *plan, Contraction *c);
/* Further parameters of the hook, in order. */
Node *lower_param(Lower *l, Type type, const char *name);
Sym *lower_pointer(Lower *l, Type elem, const char *name, bool is_const);
/* A local that steps, for an iteration number of dims[dim]; `var` declared with a value. */
Node *lower_digit(const Lower *l, int dim);
Node *lower_declare(const Lower *l, Node *var, Node *value);
Node *lower_block(const Lower *l, const Vec *stmts);
void lower_push(const Lower *l, Vec *vec, Node *n);
/* The loops of a role in c->dims. */
typedef struct RoleDims {
    int first, count;
} RoleDims;
RoleDims lower_dims_of(const Contraction *c, Role role);

/* Declares the loop variable of dims[dim] in iteration `t` of its loop. */
Node *lower_declare_dim(Lower *l, int dim, Node *t);

/* Declares the loop variables of a role, whose folded iteration is `at`. */
void lower_decode(Lower *l, Vec *out, Role role, Node *at);
/* The spec's expression or statement with these variables, its index arithmetic in T_INDEX. */
Node *lower_in_hook(Lower *l, Node *n);
/* Finishes f, STEM_NAME, with the parameters so far; returns it. */
Func *lower_func(const Lower *l, const char *stem, const char *name, Func *f);
/* Makes f the contraction's hook. */
void lower_set_hook(const Lower *l, int slot, const char *name, Func *f);

/* CUDA, in lower_device.c. (batch, m, n, sum): the statements, in terms of the loops' variables, for one point. */
Func *lower_point(Lower *l, Node *stmts);
/* The same of what `epilogue`, a block, would store, returned; NULL: it is more than scalars and one store at the end. */
Func *lower_finished(Lower *l, const Node *epilogue);

#endif
