/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of them contractions touch. */
#include "plan/temporary.h"

#include "ir/walk.h"

bool contraction_uses(const Contraction *c, const Sym *array)
{
    return c->c.array == array || uses_sym(c->a.value, array) || uses_sym(c->b.value, array) || uses_sym(c->epilogue, array);
}

static bool holds(const Vec *list, const Sym *array)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == array)
            return true;
    return false;
}

Vec temporaries_of_loops(Ir *ir, const Plan *plan)
{
    Vec found = {0};
    for (int i = 0; i < plan->ntemporaries; i++) {
        bool used = false;
        for (int j = 0; j < contraction_count(plan); j++)
            used = used || contraction_uses(contraction_at(plan, j), plan->temporaries[i].array);
        if (!used)
            vec_push(ir->arena, &found, plan->temporaries[i].array);
    }
    return found;
}

void drop_temporaries(Ir *ir, Plan *plan, const Vec *of_loops, const Vec *left)
{
    Temporary *kept = arena_new_array(ir->arena, Temporary, plan->ntemporaries + 1);
    int n = 0;
    for (int i = 0; i < plan->ntemporaries; i++)
        if (!holds(of_loops, plan->temporaries[i].array) || holds(left, plan->temporaries[i].array))
            kept[n++] = plan->temporaries[i];
    plan->temporaries = kept;
    plan->ntemporaries = n;
}
