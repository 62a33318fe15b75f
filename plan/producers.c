/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers are those of declarations in the source: the same whatever the plan made of the arrays. */
#include "plan/producers.h"

#include "ir/walk.h"
#include "plan/fingerprint.h"
#include "plan/temporary.h"

typedef struct Numbering {
    const Sym *array;
    int next, found; /* -1: not declared */
} Numbering;

static bool count_array(void *user, Node *n)
{
    Numbering *numbering = user;
    if (n->kind == N_DECL && n->sym->rank > 0) {
        if (n->sym == numbering->array)
            numbering->found = numbering->next;
        numbering->next++;
    }
    return !is_expr(n);
}

static int number_of(Node *source, const Sym *array)
{
    Numbering numbering = {array, 0, -1};
    walk(&(Walker){.pre = count_array, .user = &numbering}, source);
    return numbering.found;
}

void find_producers(Ir *ir, Plan *plan)
{
    const Vec arrays = temporaries_of_loops(ir, plan);
    plan->fingerprint = fingerprint(ir, plan->source);
    plan->producers = arena_new_array(ir->arena, Producer, arrays.count + 1);
    plan->nproducers = 0;
    for (int i = 0; i < arrays.count; i++)
        plan->producers[plan->nproducers++] = (Producer){.array = arrays.items[i], .number = number_of(plan->source, arrays.items[i])};
}

static bool meet_over(Node *a, Node *b, const Sym *array)
{
    return uses_sym(a, array) && uses_sym(b, array) && (writes_sym(a, array) || writes_sym(b, array));
}

/* Do loop number `at` and one before it meet over the array? */
static bool meets_before(Node *const *loops, int at, const Sym *array)
{
    bool found = false;
    for (int i = 0; i < at; i++)
        found = found || meet_over(loops[i], loops[at], array);
    return found;
}

bool meets_whole(Plan *plan, Node *const *loops, int n)
{
    bool found = false;
    for (int i = 0; i < plan->nproducers; i++) {
        Producer *p = &plan->producers[i];
        if (p->placement != PLACE_WHOLE || !meets_before(loops, n - 1, p->array))
            continue;
        p->by_rows = true;
        found = true;
    }
    return found;
}

void note_by_rows(Plan *plan, Node *const *loops, int n)
{
    for (int i = 0; i < plan->nproducers; i++)
        for (int at = 1; at < n; at++)
            plan->producers[i].by_rows = plan->producers[i].by_rows || meets_before(loops, at, plan->producers[i].array);
}
