/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contractions whose operands and output lie where the kernels want them: exact covers of an output of constant extents, and
 * products that are computed at once. */
#include "plan/kernels/choice.h"

#include "plan/kernels/cover2d.h"

/* The folded extent of a role, if it is a constant, else -1. */
static int64_t constant_extent(const Contraction *c, Role role)
{
    const Node *e = c->extent[role];
    return e->kind == N_INT ? e->u.i : -1;
}

/* Everything where it lies, and sums that are stored or added. */
static bool is_plain(const Contraction *c) { return c->kind != EPI_GENERAL && c->a.in_place && c->b.in_place && c->c.in_place; }

static Cover2d **covers(Kernels *kernels, Family family, int64_t m, int64_t n, int64_t k)
{
    const int count = kernel_set_count(family, &kernels->opt);
    const KernelSet *sets = kernels_of(kernels, family);
    Cover2d **out = arena_new_array(kernels->arena, Cover2d *, count);
    for (int i = 0; i < count; i++)
        out[i] = cover_2d(kernels->arena, &sets[i], m, n, k, false);
    return out;
}

void choose_kernels(Kernels *kernels, Contraction *c)
{
    const int64_t m = constant_extent(c, R_M), n = constant_extent(c, R_N), k = constant_extent(c, R_K);
    const bool is_constant = m > 0 && n > 0;
    c->chosen.covers = is_plain(c) && is_constant ? covers(kernels, c->family, m, n, k) : NULL;
    c->chosen.at_once = is_plain(c) && !is_constant && kernels_of(kernels, c->family)->nshallow > 0;
}
