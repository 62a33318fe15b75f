/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of one array follow one another. */
#include "plan/callers.h"

void find_callers(Ir *ir, Plan *plan, const bool *reads, const bool *writes)
{
    const Func *f = plan->func;
    plan->callers = arena_new_array(ir->arena, CallerParam, f->nparams + 1);
    plan->caller_index = arena_new_array(ir->arena, int, f->nparams + 1);
    plan->ncallers = 0;
    for (int i = 0; i < f->nparams; i++) {
        const Sym *p = f->params[i];
        if (!i || whole_param(p) != whole_param(f->params[i - 1]))
            plan->callers[plan->ncallers++] = (CallerParam){.sym = whole_param(p), .first = i};
        plan->caller_index[i] = plan->ncallers - 1;
        CallerParam *caller = plan->callers + plan->ncallers - 1;
        caller->reads = caller->reads || reads[p->id];
        caller->writes = caller->writes || writes[p->id];
    }
}

const CallerParam *caller_of(const Plan *plan, int i) { return plan->callers + plan->caller_index[i]; }
