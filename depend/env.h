/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbolic execution of straight-line code with branches: what each local scalar, and one array element, is
 * worth in terms of what was there before. Only for the few statements around a contraction; everything larger
 * is refused. */
#ifndef MIKGEN_DEPEND_ENV_H
#define MIKGEN_DEPEND_ENV_H

#include "ir/node.h"
#include "ir/sym_map.h"

typedef struct Binding {
    Sym *sym;
    Node *value; /* NULL: declared, no value yet */
} Binding;

typedef struct Env {
    Ir *ir;
    const Map *defs; /* by symbol id: Node *, the expression a single-valued scalar stands for; may be NULL */
    Binding *bindings;
    int count, capacity;
    Sym *out;      /* the array whose element is tracked; NULL: a store fails */
    Node **sub;    /* its evaluated subscripts, known after the first store to it; NULL before */
    Node *element; /* what was stored; NULL: nothing yet */
    bool failed;   /* something had no value here or grew too large */
} Env;

Env *env_new(Ir *ir, const Map *defs);
/* A copy that may go its own way. */
Env *env_copy(const Env *env);
void env_set(Env *env, Sym *sym, Node *value);
bool env_has(const Env *env, const Sym *sym);
/* The expression with everything known filled in. Sets env->failed when a variable has no value. */
Node *env_eval(Env *env, Node *e);

/* Execute a declaration, assignment, store, block or if. Assigned scalars must have been declared within the
 * environment; stores must all go to one element of env->out (set from the first store when it is NULL and
 * `may_store`). False when the statement is of another kind or breaks a rule. */
bool env_exec(Env *env, Node *stmt, bool may_store);

/* The single-valued integer scalars of a function: declared with an initial value made of parameters, loop
 * variables and others of their kind, and never assigned. By symbol id: Node *. */
Map find_defs(Ir *ir, Node *body);

/* Number of nodes, shared ones counted each time, or `limit` when there are more. */
int tree_size(Node *n, int limit);
/* Does it read anything from memory? */
bool has_load(Node *e);

#endif
