/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constraints as isl basic sets: made as they are asked about, and given up where a coefficient does not fit. */
#include "depend/affine.h"

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>

#include "depend/carry.h"
#include "depend/eliminate.h"
#include "depend/env.h"
#include "depend/index.h"

enum { MAX_OPERATIONS = 100000 }; /* of isl for one system: some milliseconds */

const char *isl_in_use(void) { return isl_version(); }

bool converts_to_index(const Node *cast) { return converts_as_index(cast->kid[0]->type, cast->type); }

bool node_count_exceeds(Node *n, int limit) { return tree_size(n, limit) == limit; }

void system_init(System *sys, Ir *ir)
{
    sys->ir = ir;
    sys->ndims = sys->nconstraints = 0;
}

int system_iterator(System *sys, int side, const Sym *var)
{
    for (int i = 0; i < sys->ndims; i++)
        if (sys->dim[i].side == side && sys->dim[i].var == var)
            return i;
    if (sys->ndims == SYSTEM_DIMS)
        return -1;
    sys->dim[sys->ndims].side = side;
    sys->dim[sys->ndims].var = var;
    return sys->ndims++;
}

static bool same_atoms(Node *const *a, int na, Node *const *b, int nb)
{
    if (na != nb)
        return false;
    for (int i = 0; i < na; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

int system_parameter(System *sys, Node *const *atoms, int natoms)
{
    for (int i = 0; i < sys->ndims; i++)
        if (sys->dim[i].side == -1 && same_atoms(sys->dim[i].atoms, sys->dim[i].natoms, atoms, natoms))
            return i;
    if (sys->ndims == SYSTEM_DIMS)
        return -1;
    sys->dim[sys->ndims].side = -1;
    sys->dim[sys->ndims].var = NULL;
    sys->dim[sys->ndims].atoms = atoms;
    sys->dim[sys->ndims].natoms = natoms;
    return sys->ndims++;
}

Form form_sub(const Form *a, const Form *b)
{
    Form out = *a;
    for (int i = 0; i < SYSTEM_DIMS; i++)
        out.coef[i] -= b->coef[i];
    out.constant -= b->constant;
    return out;
}

static void add(System *sys, Form form, bool equal)
{
    if (sys->nconstraints == SYSTEM_CONSTRAINTS)
        return;
    sys->constraint[sys->nconstraints].form = form;
    sys->constraint[sys->nconstraints++].equal = equal;
}

void system_at_least(System *sys, Form form, int64_t least)
{
    form.constant -= least;
    add(sys, form, false);
}

void system_equal(System *sys, Form form) { add(sys, form, true); }

void system_multiple(System *sys, Form form, int64_t stride)
{
    if (sys->ndims == SYSTEM_DIMS) {
        add(sys, form, false);
        return;
    }
    int k = sys->ndims++;
    sys->dim[k].side = -2; /* nobody asks for it again */
    sys->dim[k].var = NULL;
    Form count = {{0}, 0};
    count.coef[k] = 1;
    add(sys, count, false);
    form.coef[k] = -stride;
    add(sys, form, true);
}

static isl_constraint *constraint(isl_ctx *ctx, isl_local_space *ls, const Form *form, int ndims, bool equal)
{
    isl_constraint *c = equal ? isl_constraint_alloc_equality(isl_local_space_copy(ls))
                              : isl_constraint_alloc_inequality(isl_local_space_copy(ls));
    for (int i = 0; i < ndims; i++)
        if (form->coef[i])
            c = isl_constraint_set_coefficient_val(c, isl_dim_set, i, isl_val_int_from_si(ctx, form->coef[i]));
    return isl_constraint_set_constant_val(c, isl_val_int_from_si(ctx, form->constant));
}

static bool isl_finds_none(const System *sys)
{
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, MAX_OPERATIONS);
    isl_space *space = isl_space_set_alloc(ctx, 0, (unsigned)sys->ndims);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
    isl_basic_set *set = isl_basic_set_universe(space);
    for (int i = 0; i < sys->nconstraints; i++)
        set = isl_basic_set_add_constraint(set, constraint(ctx, ls, &sys->constraint[i].form, sys->ndims, sys->constraint[i].equal));
    bool empty = isl_basic_set_is_empty(set) == isl_bool_true;
    isl_local_space_free(ls);
    isl_basic_set_free(set);
    isl_ctx_free(ctx);
    return empty;
}

bool system_is_empty(const System *sys)
{
    System small = *sys;
    return !eliminate_unknowns(&small) || (small.nconstraints > 0 && isl_finds_none(&small));
}
