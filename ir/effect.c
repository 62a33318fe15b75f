/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of symbols that a statement may write, and the symbols of memory that a value depends on. */
#include "ir/effect.h"

#include "ir/kept_sym.h"

const Sym effect_pointer_store = {.id = -2}, effect_named_store = {.id = -3}, effect_call = {.id = -4}, effect_barrier = {.id = -5};

bool is_shared(const Sym *scalar)
{
    return scalar->is_volatile || scalar->is_global || scalar->alias != ALIAS_NONE || (scalar->kept && scalar->kept->is_assigned);
}

bool is_impure_call(const Node *e) { return e->kind == N_CALL && !e->sym->libm && !e->sym->is_pure; }

static void change_object(const Sym *sym, Change *change, void *user)
{
    change(user, sym);
    if (sym->alias == ALIAS_POINTER)
        change(user, &effect_pointer_store);
    else if (sym->alias == ALIAS_NAMED || sym->is_global)
        change(user, &effect_named_store);
}

/* The objects that a call is given, or that an opaque text names. */
static void change_kids(const Node *n, Change *change, void *user)
{
    for (int i = 0; i < n->nkids; i++)
        if (n->kid[i]->kind == N_REF || n->kind == N_OPAQUE)
            change_object(n->kid[i]->sym, change, user);
    change(user, &effect_call);
}

/* What a text assigns and stores by itself, and what calls do. */
static void change_by_call(const Node *call, Change *change, void *user)
{
    const KeptSym *kept = call->sym->kept;
    for (const Sym *const *at = kept ? kept->changed : NULL; at && *at; at++)
        change_object(*at, change, user);
    if (!kept || !kept->only_reads)
        change_kids(call, change, user);
}

void own_effects(const Node *n, Change *change, void *user)
{
    switch ((Kind)n->kind) {
    case N_DECL:
    case N_ASSIGN:
    case N_STORE:
    case N_FOR:
    case N_CONTRACT: change_object(n->sym, change, user); break;
    case N_CALL:
        if (is_impure_call(n))
            change_by_call(n, change, user);
        break;
    case N_OPAQUE:
        if (n->aux != OPAQUE_CASE)
            change_kids(n, change, user);
        break;
    case N_BARRIER: change(user, &effect_barrier); break;
    default: break;
    }
}

int value_sources(const Sym *sym, const Sym *sources[MOST_SOURCES])
{
    int n = 0;
    sources[n++] = sym;
    bool is_array = sym->rank > 0, is_private = sym->alias == ALIAS_NONE && !sym->is_global;
    if (!is_array && is_private)
        return n;
    sources[n++] = &effect_barrier;
    if (!is_private || sym->kind != S_LOCAL_ARRAY)
        sources[n++] = &effect_call;
    if (!is_private)
        sources[n++] = &effect_pointer_store;
    if (sym->alias == ALIAS_POINTER)
        sources[n++] = &effect_named_store;
    return n;
}
