/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function of constants is the compiler's affair, whose result need not be that of the C library. */
#include "plan/vectors/scalar_exactness.h"

#include "ir/walk.h"

/* Does a value depend on what is not known before a call? */
static bool find_unknown(void *user, Node *n)
{
    bool *known = user;
    if (n->kind == N_LOAD || (n->kind == N_VAR && n->sym->kind != S_LOCAL))
        *known = false;
    return *known;
}

static bool find_known_call(void *user, Node *n)
{
    bool *found = user;
    bool known = n->kind == N_CALL && n->sym->libm;
    for (int i = 0; known && i < n->nkids; i++)
        walk(&(Walker){.pre = find_unknown, .user = &known}, n->kid[i]);
    *found = *found || known;
    return !*found;
}

/* What is reduced by blocks, is so in another order. */
static bool find_blocks(void *user, Node *n)
{
    bool *found = user;
    for (int i = 0; n->kind == N_FOR && n->aux & FOR_BLOCKS && i < n->kid[2]->nkids; i++)
        *found = *found || (n->kid[2]->kid[i]->kind == N_STORE && type_is_float(n->kid[2]->kid[i]->sym->type));
    return !*found && !is_expr(n);
}

bool differs_as_it_is(Node *body)
{
    bool found = false;
    walk(&(Walker){.pre = find_known_call, .user = &found}, body);
    walk(&(Walker){.pre = find_blocks, .user = &found}, body);
    return found;
}
