/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Outputs of constant extents under their exact covers. The covers are solved ahead of time and run on the operands in place, where
 * these are small enough for it; else the planner decides, as for every shape.
 */
#pragma once
#include "job.h"
#include "tables.h"

/* Whether p is computed under the cover solved for its operation. */
static int mik_f32_fixed_cover_fits(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    const int which = op->fixed_covers ? mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS) : 0;
    if (which == 0 || (opt && opt->plan) || mik_threads(opt) > 1 || !op->fixed_covers[which].at || p->k == 0)
        return 0;
    const mik_f32_isa *isa = mik_f32_choose(which);
    const int64_t limit = isa->move.near_bytes / (int64_t)sizeof(mik_f32_panel);
    return p->a_in_place && p->b_in_place && p->c_direct && p->b_n == 1 && p->c_n == 1 && p->k <= isa->move.kc && p->k * p->n <= limit &&
           p->k * p->m <= limit;
}

/* Tiles of v at row m and column n, as many as `count`, one below the other, or beside where `across`. */
static void mik_f32_part(mik_f32_tile *t, const mik_f32_isa *isa, const mik_f32_variant *v, const mik_problem *p, const mik_f32_panel *a,
                         const mik_f32_panel *b, mik_f32_acc *c, int64_t m, int64_t n, int64_t count, int across)
{
    const int64_t width = (int64_t)v->nv * isa->lanes;
#if MIK_F32_FITTED
    t->fitted.prefetch_distance = isa->fitted.prefetch_distance;
#endif
    for (; count > 0; count--) {
        t->a = a + m * p->a_m;
        mik_f32_at(t, b + n, p->b_k);
        t->c = c + m * p->c_m + n;
        t->cols = (int)mik_min(p->n - n, width);
        v->run(t);
        m += across ? 0 : v->mr;
        n += across ? width : 0;
    }
}

static void mik_f32_run_fixed_cover(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    const int which = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    const mik_f32_fixed_cover *fixed_cover = op->fixed_covers + which;
    const mik_f32_isa *isa = mik_f32_choose(which);
    mik_f32_tile t = {
        .k = p->k, .a_m = p->a_m, .a_k = p->a_k, .b_k = p->b_k, .b_n = 1, .c_m = p->c_m, .c_n = 1, .add = op->kind == MIK_ACCUMULATE};
    for (int64_t batch = 0; batch < p->batch; batch++) {
        const mik_f32_panel *a = op->a(s, batch), *b = op->b(s, batch);
        mik_f32_acc *c = op->c(s, batch);
        const int *at = fixed_cover->at;
        int64_t m = 0, n = 0;
        for (int i = 0; i < fixed_cover->bands; i++, at += 2 + 2 * at[1])
            for (int64_t band = 0; band < at[0]; band++) {
                const mik_f32_variant *v = isa->variants;
                for (int j = 0; j < at[1]; j++) {
                    const int64_t count = at[3 + 2 * j];
                    v = isa->variants + at[2 + 2 * j];
                    mik_f32_part(&t, isa, v, p, a, b, c, m, n, count, fixed_cover->rows_first);
                    m += fixed_cover->rows_first ? 0 : count * v->mr;
                    n += fixed_cover->rows_first ? count * v->nv * isa->lanes : 0;
                }
                m = fixed_cover->rows_first ? m + v->mr : 0;
                n = fixed_cover->rows_first ? 0 : n + (int64_t)v->nv * isa->lanes;
            }
    }
}
