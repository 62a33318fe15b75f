/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One GLPK problem that is changed and solved again for each length. */
#include "plan/kernels/ilp.h"

#include <glpk.h>
#include <setjmp.h>
#include <stdbool.h>

struct Ilp {
    glp_prob *problem; /* NULL after a fault */
    const CoverItem *items;
    int n, time_limit;
    jmp_buf fault;
};

/* GLPK reports misuse and exhausted memory by calling this, and would abort if it returned. */
static void on_fault(void *user) { longjmp(((Ilp *)user)->fault, 1); }

/* GLPK prints on the terminal even when told to be silent, after faults for instance. */
static int swallow(void *user, const char *text)
{
    (void)user, (void)text;
    return 1;
}

static void set_hooks(Ilp *ilp)
{
    glp_term_hook(ilp ? swallow : NULL, NULL);
    glp_error_hook(ilp ? on_fault : NULL, ilp);
}

/* After a fault GLPK's whole environment is unusable: it is freed, with every problem and hook in it. */
static void abandon(Ilp *ilp)
{
    glp_free_env();
    ilp->problem = NULL;
}

Ilp *ilp_new(Arena *arena, int time_limit)
{
    Ilp *ilp = arena_alloc(arena, sizeof *ilp);
    ilp->time_limit = time_limit;
    if (setjmp(ilp->fault)) {
        abandon(ilp);
        return ilp;
    }
    set_hooks(ilp);
    ilp->problem = glp_create_prob();
    return ilp;
}

void ilp_free(Ilp *ilp)
{
    if (ilp->problem) {
        set_hooks(NULL);
        glp_delete_prob(ilp->problem);
        glp_free_env();
    }
    ilp->problem = NULL;
}

static void build(Ilp *ilp)
{
    int index[ILP_MAX_ITEMS + 1];
    double side[ILP_MAX_ITEMS + 1], rate = 0;
    for (int i = 0; i < ilp->n; i++)
        if (ilp->items[i].time > rate * ilp->items[i].side)
            rate = ilp->items[i].time / ilp->items[i].side;
    glp_erase_prob(ilp->problem);
    glp_set_obj_dir(ilp->problem, GLP_MAX);
    glp_add_rows(ilp->problem, 1);
    glp_add_cols(ilp->problem, ilp->n);
    for (int i = 0; i < ilp->n; i++) {
        index[i + 1] = i + 1;
        side[i + 1] = ilp->items[i].side;
        glp_set_col_kind(ilp->problem, i + 1, GLP_IV);
        glp_set_obj_coef(ilp->problem, i + 1, rate * ilp->items[i].side - ilp->items[i].time);
    }
    glp_set_mat_row(ilp->problem, 1, ilp->n, index, side);
}

void ilp_items(Ilp *ilp, const CoverItem *items, int n)
{
    ilp->items = items;
    ilp->n = n;
    if (!ilp->problem)
        return;
    if (setjmp(ilp->fault))
        abandon(ilp);
    else
        build(ilp);
}

static IlpStatus solve(Ilp *ilp, int length, int *count)
{
    glp_set_row_bnds(ilp->problem, 1, GLP_FX, length, length);
    for (int i = 0; i < ilp->n; i++) {
        int most = length / ilp->items[i].side;
        glp_set_col_bnds(ilp->problem, i + 1, most ? GLP_DB : GLP_FX, 0, most);
    }
    glp_smcp simplex;
    glp_init_smcp(&simplex);
    simplex.msg_lev = GLP_MSG_OFF;
    if (glp_simplex(ilp->problem, &simplex))
        return ILP_FAILED;
    if (glp_get_status(ilp->problem) != GLP_OPT)
        return ILP_NO_COVER;
    glp_iocp branch;
    glp_init_iocp(&branch);
    branch.msg_lev = GLP_MSG_OFF;
    branch.tm_lim = ilp->time_limit;
    if (glp_intopt(ilp->problem, &branch))
        return ILP_FAILED;
    if (glp_mip_status(ilp->problem) != GLP_OPT)
        return ILP_NO_COVER;
    for (int i = 0; i < ilp->n; i++)
        count[i] = (int)(glp_mip_col_val(ilp->problem, i + 1) + 0.5);
    return ILP_SOLVED;
}

IlpStatus ilp_solve(Ilp *ilp, int length, int *count)
{
    if (!ilp->problem)
        return ILP_FAILED;
    if (setjmp(ilp->fault)) {
        abandon(ilp);
        return ILP_FAILED;
    }
    return solve(ilp, length, count);
}
