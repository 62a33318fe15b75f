/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nest is kept for later calls if it is the only one to store the array, and runs neither in a wave nor in a chain. */
#include "plan/lower/keep_nests.h"

#include "ir/walk.h"

static bool find_stored(void *user, Node *n)
{
    Sym **stored = user;
    if (n->kind == N_STORE)
        *stored = n->sym;
    return true;
}

typedef struct Search {
    const Constant *k;
    const Sym *local;
    bool found;
} Search;

static bool is_int_of(const Constant *k, const Sym *sym)
{
    bool is = false;
    for (int i = 0; i < k->nints; i++)
        is = is || k->ints[i] == sym;
    return is;
}

/* Anything but the array, the local one and parameters that are known when it is packed? */
static bool find_other(void *user, Node *n)
{
    Search *s = user;
    s->found = s->found || (n->kind == N_LOAD && n->sym != s->k->array && n->sym != s->local);
    s->found = s->found || (n->kind == N_STORE && n->sym != s->local);
    s->found = s->found || (n->kind == N_VAR && n->sym->kind == S_PARAM && !is_int_of(s->k, n->sym));
    return !s->found;
}

static bool find_store(void *user, Node *n)
{
    Search *s = user;
    s->found = s->found || (n->kind == N_STORE && n->sym == s->local);
    return !s->found;
}

static bool finds(bool (*look)(void *, Node *), const Constant *k, const Sym *local, Node *n)
{
    Search s = {k, local, false};
    if (n)
        walk(&(Walker){.pre = look, .user = &s}, n);
    return s.found;
}

static bool is_stored_elsewhere(const Plan *plan, const HostNest *nest, const Sym *local)
{
    bool stored = finds(find_store, NULL, local, plan->func->body);
    for (int i = 0; i < host_nest_count(plan); i++)
        stored = stored || (host_nest_at(plan, i) != nest && finds(find_store, NULL, local, host_nest_at(plan, i)->source));
    for (int i = 0; i < contraction_count(plan); i++)
        stored = stored || contraction_at(plan, i)->c.array == local || finds(find_store, NULL, local, contraction_at(plan, i)->epilogue);
    return stored;
}

static bool runs_alone(const Plan *plan, const HostNest *nest)
{
    bool alone = !nest->in_wave && nest->ncaptured == 0;
    for (int i = 0; i < chain_count(plan); i++)
        for (int j = 0; j < chain_at(plan, i)->nstages; j++)
            alone = alone && chain_at(plan, i)->stages[j].nest != nest;
    return alone;
}

Sym *made_of_constant(const Plan *plan, const Constant *k, const HostNest *nest)
{
    Sym *local = NULL;
    bool kept = runs_alone(plan, nest) && reads_array(nest->source, k->array), is_temporary = false;
    walk(&(Walker){.pre = find_stored, .user = &local}, nest->source);
    for (int i = 0; i < plan->ntemporaries; i++)
        is_temporary = is_temporary || plan->temporaries[i].array == local;
    kept = kept && is_temporary && !finds(find_other, k, local, nest->source) && !is_stored_elsewhere(plan, nest, local);
    for (int d = 0; kept && d < local->rank; d++)
        kept = !finds(find_other, k, local, local->extent[d]);
    return kept ? local : NULL;
}
