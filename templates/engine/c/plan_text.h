/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The explanation of a decision of one family, as text.
 */
#pragma once
#include "advice.h"

static void mik_f32_say_kernel(char *buf, size_t size, size_t *used, const mik_f32_isa *isa, int v)
{
    if (v == MIK_F32_TABLE)
        mik_f32_say(buf, size, used, "exact cover");
    else
        mik_f32_say(buf, size, used, "%dx%d", isa->variants[v].mr, isa->variants[v].nv * isa->lanes);
}

/* A program in one line: its pattern and kernels. */
static void mik_f32_say_program(char *buf, size_t size, size_t *used, const mik_f32_isa *isa, int pattern, const unsigned char *main)
{
    static const char *const name[] = {"", "I: whole", "II: two bands of rows", "III: two bands of columns"};
    if (pattern == MIK_F32_SWEEP && main[0] == MIK_F32_TABLE) {
        mik_f32_say(buf, size, used, "row after row of B");
        return;
    }
    if (pattern == MIK_F32_SWEEP) {
        mik_f32_say_kernel(buf, size, used, isa, main[0]);
        mik_f32_say(buf, size, used, ", sweeps along rows of B");
        return;
    }
    if (pattern == MIK_F32_SHALLOW) {
        mik_f32_say(buf, size, used, "few steps, rows of B in registers");
        return;
    }
    if (pattern == 0) {
        mik_f32_say(buf, size, used, "inner products along k");
        return;
    }
    for (int i = 0; i < (pattern == 1 ? 1 : 2); i++) {
        mik_f32_say(buf, size, used, i ? ", " : "");
        mik_f32_say_kernel(buf, size, used, isa, main[i]);
    }
    mik_f32_say(buf, size, used, " (pattern %s)", name[pattern]);
}

/* How B is read. */
static const char *mik_f32_say_b(const mik_f32_shape *s, int packed)
{
#if MIK_F32_AHEAD
    if (s->facts & MIK_F32_B_AHEAD)
        return "packed ahead";
#endif
    (void)s;
    return packed ? "packed" : "in place";
}

/* Where one region lies, how it is covered, and the terms of its cost. */
static void mik_f32_say_region(char *buf, size_t size, size_t *used, const mik_f32_search *x, const mik_f32_plan *plan,
                               const mik_f32_region *r, int i)
{
    const mik_f32_isa *isa = x->isa;
    const int64_t m = r->m1 - r->m0, n = r->n1 - r->n0;
    const mik_f32_tiling t = mik_f32_tiling_of(isa, plan->regime, r->main, r->uniform, m);
    mik_f32_say(buf, size, used, "region: rows %lld to %lld, columns %lld to %lld\n  strips:", (long long)r->m0, (long long)r->m1,
                (long long)r->n0, (long long)r->n1);
    for (int64_t left = (n + isa->lanes - 1) / isa->lanes, nv, count; left > 0; left -= nv * count) {
        nv = mik_f32_strip_width(&t, left);
        for (count = 1; left - count * nv > 0 && mik_f32_strip_width(&t, left - count * nv) == nv;)
            count++;
        mik_f32_say(buf, size, used, " %lld of %lld,", (long long)count, (long long)nv * isa->lanes);
    }
    const int lead = mik_f32_strip_width(&t, (n + isa->lanes - 1) / isa->lanes);
    mik_f32_say(buf, size, used, " heights:");
    for (int64_t left = m, mr, count; left > 0; left -= mr * count) {
        mr = mik_f32_tile_kernel(&t, lead, left)->mr;
        for (count = 1; left - count * mr > 0 && mik_f32_tile_kernel(&t, lead, left - count * mr)->mr == mr;)
            count++;
        mik_f32_say(buf, size, used, " %lld of %lld,", (long long)count, (long long)mr);
    }
    const mik_f32_variant *v = mik_f32_tile_kernel(&t, lead, m);
    const float cost = mik_f32_region_cost(x, r->main, r->uniform, m, n, NULL).cost;
    mik_f32_say(buf, size, used, " a tile of %dx%d takes %.0f ns\n  operands: A %s, B %s;%s blocks: mc %lld, nc %lld; cost: %.0f ns", v->mr,
                v->nv * isa->lanes, (double)mik_f32_tile_cost(&x->steps, v), r->pack_a ? "packed" : "in place",
                mik_f32_say_b(x->s, r->pack_b), x->s->facts & MIK_F32_C_STREAM ? " outputs: past the caches;" : "", (long long)r->mc,
                (long long)r->nc, (double)cost);
    if (plan->rows[i])
        mik_f32_say(buf, size, used, ", %d x %d tasks", plan->rows[i], plan->columns[i]);
    mik_f32_say(buf, size, used, "\n");
}

#if MIK_F32_FIXED_COVERS
/* The cover as text: for each band its tiles. Returns the length, as snprintf does. */
static int mik_f32_say_fixed_cover(const mik_f32_operation *op, const mikgen_options *opt, char *buf, size_t size)
{
    const int which = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    const mik_f32_fixed_cover *fixed_cover = op->fixed_covers + which;
    const mik_f32_isa *isa = mik_f32_choose(which);
    const int *at = fixed_cover->at;
    size_t used = 0;
    mik_f32_say(buf, size, &used, "program: the exact cover of constant extents on %s, bands of %s\n", isa->name,
                fixed_cover->rows_first ? "rows" : "columns");
    for (int i = 0; i < fixed_cover->bands; i++, at += 2 + 2 * at[1]) {
        mik_f32_say(buf, size, &used, "  %d bands:", at[0]);
        for (int j = 0; j < at[1]; j++)
            mik_f32_say(buf, size, &used, " %d of %dx%d,", at[3 + 2 * j], isa->variants[at[2 + 2 * j]].mr,
                        isa->variants[at[2 + 2 * j]].nv * isa->lanes);
        mik_f32_say(buf, size, &used, " operands in place\n");
    }
    return (int)used;
}

#endif
/* Prints how p would be computed, and what would be faster; returns the length of the whole text, as snprintf does. */
MIK_SHARED int mik_f32_explain(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt,
                               const mik_f32_ahead_call *ahead, char *buf, size_t size)
{
    size_t used = 0;
    mik_f32_job job;
    mik_f32_search x;
#if MIK_F32_FIXED_COVERS
    if (p->batch && mik_f32_fixed_cover_fits(op, p, opt))
        return mik_f32_say_fixed_cover(op, opt, buf, size);
#endif
#if MIK_F32_QUANTIZED
    if (p->batch && p->m && p->n && mik_f32_is_few(op, p, opt)) {
        mik_f32_say(buf, size, &used, "program: a few rows by panels of %d-bit codes, which are unpacked in registers\n",
                    op->quantized->bits);
        return (int)used;
    }
#endif
    if (!mik_f32_prepare_call(&job, op, NULL, p, opt)) {
        mik_f32_say(buf, size, &used, "this CPU lacks the instruction set asked for\n");
        return (int)used;
    }
    const mik_f32_isa *isa = job.isa;
    const mik_f32_plan *plan = &job.plan;
    mik_f32_say(buf, size, &used, "contraction: batch %lld, m %lld, n %lld, k %lld, f32 on %s%s\n", (long long)p->batch, (long long)p->m,
                (long long)p->n, (long long)p->k, isa->name, job.flipped ? ", transposed (m and n change roles)" : "");
    if (p->batch == 0 || p->m == 0 || p->n == 0) {
        mik_f32_say(buf, size, &used, "no outputs: nothing to do\n");
        return (int)used;
    }
    mik_f32_say(buf, size, &used, "program: ");
    mik_f32_say_program(buf, size, &used, isa, plan->pattern, plan->main);
    mik_f32_say(buf, size, &used, "\n");
    const unsigned short workers = plan->workers;
    mik_f32_decide(isa, &job.shape, &job.plan);    /* the cache keeps no runner-up */
    job.plan.workers = workers;
    mik_f32_search_begin(&x, isa, &job.shape, plan->kc);
    x.regime = plan->regime;
    const int regions = plan->pattern != 0 && plan->pattern < MIK_F32_SWEEP;
    if (!regions)
        mik_f32_say(buf, size, &used, "operands: A %s, B %s\n", plan->pack_a ? "packed" : "in place",
                    mik_f32_say_b(&job.shape, plan->pack_b));
    for (int i = 0; regions && i < job.count; i++)
        mik_f32_say_region(buf, size, &used, &x, plan, job.regions + i, i);
    mik_f32_say(buf, size, &used, "steps of k per block: %d; workers: %d%s; workspace: %lu bytes each\ncost: %.0f ns", (int)plan->kc,
                plan->workers, plan->splits > 1 ? ", each a part of k" : "",
                (unsigned long)(mik_f32_is_unequal(opt) ? mik_f32_most_of_unequal(&job, opt) : mik_f32_most(&job)), (double)plan->cost);
    if (plan->second_cost < 1e30f) {
        mik_f32_say(buf, size, &used, "; runner-up ");
        mik_f32_say_program(buf, size, &used, isa, plan->second, plan->second_main);
        mik_f32_say(buf, size, &used, " with %.0f", (double)plan->second_cost);
    }
    mik_f32_say(buf, size, &used, "\n");
    mik_f32_advise_all(buf, size, &used, op, p, opt, ahead);
    return (int)used;
}
