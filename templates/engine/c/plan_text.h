/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The explanation of a decision of one family, as text.
 */
#pragma once
#include "advice.h"

/* A task of region i of a plan: an inner one (kind 0), one of the last row (2) or column (1), or the last (3); where no tasks are cut, or
   the last are like the others, the inner one alone. 0: there is no such task. */
static int mik_f32_task_of(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *region, int i, int kind,
                           mik_f32_region *task)
{
    const int64_t m = region->m1 - region->m0, n = region->n1 - region->n0;
    int64_t bm = m, bn = n;
    *task = *region;
    if (p->rows[i])
        mik_f32_task_size(x->isa, p, region, i, &bm, &bn);
    bm = mik_min(bm, m), bn = mik_min(bn, n);
    if ((kind & 2 && m % bm == 0) || (kind & 1 && n % bn == 0))
        return 0;
    task->m0 = region->m0 + (kind & 2 ? m / bm * bm : 0);
    task->n0 = region->n0 + (kind & 1 ? n / bn * bn : 0);
    task->m1 = mik_min(task->m0 + bm, region->m1);
    task->n1 = mik_min(task->n0 + bn, region->n1);
    if (p->rows[i])
        mik_f32_blocks(x->isa, x->s, p, task);
    return 1;
}

/* How a task is cut: its tiling, the width of its first strip in vectors, and rows and columns. */
typedef struct {
    mik_f32_tiling t;
    int lead;
    int64_t m, n;
} mik_f32_layout;

static mik_f32_layout mik_f32_layout_of(const mik_f32_search *x, const mik_f32_region *r)
{
    const int64_t m = r->m1 - r->m0, n = r->n1 - r->n0;
    mik_f32_layout c = {mik_f32_tiling_of(x->isa, x->regime, r->main, r->uniform, m), 0, m, n};
    c.lead = mik_f32_strip_width(&c.t, mik_ceil_div(n, x->isa->lanes));
    return c;
}

/* The number of tiles alike in its first strip when `left` rows remain, and their height. */
static int64_t mik_f32_row_tiles(const mik_f32_layout *c, int64_t left, int64_t *height)
{
    int64_t count = 0;
    *height = mik_f32_tile_kernel(&c->t, c->lead, left)->mr;
    while (left > 0) {
        const mik_f32_variant *v = mik_f32_tile_kernel(&c->t, c->lead, left);
        const int64_t some = mik_f32_tiles_alike(&c->t, v, left, 0);
        if (v->mr != *height)
            break;
        count += some;
        left -= some * v->mr;
    }
    return count;
}

/* The number of strips of one width when `left` vectors remain, and that width in vectors. */
static int64_t mik_f32_column_panels(const mik_f32_layout *c, int64_t left, int64_t *width)
{
    int64_t count = 0;
    *width = mik_f32_strip_width(&c->t, left);
    while (left > 0 && mik_f32_strip_width(&c->t, left) == *width) {
        const int64_t some = mik_f32_strips_alike(&c->t, (int)*width, left);
        count += some;
        left -= some * *width;
    }
    return count;
}

/* A plan in one line: its pattern, and for each region the kernel of its first tile. */
static void mik_f32_say_summary(char *buf, size_t size, size_t *used, const mik_f32_search *x, const mik_f32_plan *p)
{
    static const char *const name[] = {"", "I: whole", "II: two bands of rows", "III: two bands of columns"};
    mik_f32_region r[MIK_F32_REGIONS], task;
    const int count = mik_f32_regions(x->isa, x->s, p, r);
    if (p->pattern == MIK_F32_SWEEP && p->main[0] == MIK_F32_TABLE) {
        mik_f32_say(buf, size, used, "row after row of B");
        return;
    }
    if (p->pattern == MIK_F32_SHALLOW) {
        mik_f32_say(buf, size, used, "few steps, rows of B in registers");
        return;
    }
    if (p->pattern == 0) {
        mik_f32_say(buf, size, used, "inner products along k");
        return;
    }
    for (int i = 0; i < count; i++) {
        mik_f32_task_of(x, p, r + i, i, 0, &task);
        const mik_f32_variant *v = x->isa->variants + mik_f32_first_kernel(x->isa, x->regime, &task);
        mik_f32_say(buf, size, used, "%s%dx%d", i ? ", " : "", v->mr, v->nv * x->isa->lanes);
    }
    if (p->pattern == MIK_F32_SWEEP)
        mik_f32_say(buf, size, used, ", sweeps along rows of B");
    else
        mik_f32_say(buf, size, used, " (pattern %s)", name[p->pattern]);
    for (int i = 0; i < count && p->rows[i]; i++)
        mik_f32_say(buf, size, used, "%s%d x %d tasks", i ? " and " : ", ", p->rows[i], p->columns[i]);
}

/* How B is read. */
static const char *mik_f32_say_b(const mik_f32_shape *s, int packed)
{
#if MIK_F32_AHEAD
    if (s->facts & MIK_F32_B_AHEAD)
        return "prepacked";
#endif
    (void)s;
    return packed ? "packed" : "in place";
}

/* How a task is covered. */
static void mik_f32_say_cover(char *buf, size_t size, size_t *used, const mik_f32_search *x, const mik_f32_region *task)
{
    const mik_f32_layout c = mik_f32_layout_of(x, task);
    const mik_f32_variant *v = mik_f32_tile_kernel(&c.t, c.lead, c.m);
    mik_f32_say(buf, size, used, "column panels:");
    for (int64_t left = mik_ceil_div(c.n, x->isa->lanes), width, count; left > 0; left -= width * count) {
        count = mik_f32_column_panels(&c, left, &width);
        mik_f32_say(buf, size, used, " %lld of %lld,", (long long)count, (long long)width * x->isa->lanes);
    }
    mik_f32_say(buf, size, used, " row tiles:");
    for (int64_t left = c.m, height, count; left > 0; left -= height * count) {
        count = mik_f32_row_tiles(&c, left, &height);
        mik_f32_say(buf, size, used, " %lld of %lld,", (long long)count, (long long)height);
    }
    mik_f32_say(buf, size, used, " a tile of %dx%d takes %.0f ns\n", v->mr, v->nv * x->isa->lanes, (double)mik_f32_tile_cost(&x->steps, v));
}

/* Where one region lies, how its tasks are covered, and the terms of its cost. */
static void mik_f32_say_region(char *buf, size_t size, size_t *used, const mik_f32_search *x, const mik_f32_plan *plan,
                               const mik_f32_region *r, int i)
{
    mik_f32_region task, first;
    mik_f32_task_of(x, plan, r, i, 0, &first);
    mik_f32_say(buf, size, used, "region: rows %lld to %lld, columns %lld to %lld\n  ", (long long)r->m0, (long long)r->m1,
                (long long)r->n0, (long long)r->n1);
    mik_f32_say_cover(buf, size, used, x, &first);
    for (int kind = 1; kind < 4; kind++)
        if (mik_f32_task_of(x, plan, r, i, kind, &task)) {
            mik_f32_say(buf, size, used, "  tasks of %lldx%lld: ", (long long)(task.m1 - task.m0), (long long)(task.n1 - task.n0));
            mik_f32_say_cover(buf, size, used, x, &task);
        }
    const float cost = mik_f32_region_cost(x, r->main, r->uniform, r->m1 - r->m0, r->n1 - r->n0, NULL).cost;
    mik_f32_say(buf, size, used, "  operands: A %s, B %s;%s blocks: mc %lld, nc %lld; cost: %.0f ns",
                r->pack_a     ? "packed"
                : plan->apart ? "in place, tiles jump"
                              : "in place",
                mik_f32_say_b(x->s, r->pack_b), x->s->facts & MIK_F32_C_STREAM ? " outputs: non-temporal;" : "", (long long)first.mc,
                (long long)first.nc, (double)cost);
    if (plan->rows[i])
        mik_f32_say(buf, size, used, ", %lld x %lld tasks of %lldx%lld", (long long)mik_ceil_div(r->m1 - r->m0, first.m1 - first.m0),
                    (long long)mik_ceil_div(r->n1 - r->n0, first.n1 - first.n0), (long long)(first.m1 - first.m0),
                    (long long)(first.n1 - first.n0));
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
    mik_f32_say(buf, size, &used, "plan: the exact cover of constant extents on %s, bands of %s\n", isa->name,
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
/* A plan: its regions, blocks and workers. */
static void mik_f32_say_plan(char *buf, size_t size, size_t *used, const mik_f32_search *x, const mik_f32_job *job,
                             const mikgen_options *opt)
{
    const mik_f32_plan *plan = &job->plan;
    const int regions = plan->pattern != 0 && plan->pattern < MIK_F32_SWEEP;
    mik_f32_say_summary(buf, size, used, x, plan);
    mik_f32_say(buf, size, used, "\n");
    if (!regions)
        mik_f32_say(buf, size, used, "operands: A %s, B %s\n", plan->pack_a ? "packed" : "in place",
                    mik_f32_say_b(&job->shape, plan->pack_b));
    for (int i = 0; regions && i < job->count; i++)
        mik_f32_say_region(buf, size, used, x, plan, job->regions + i, i);
    mik_f32_say(buf, size, used, "steps of k per block: %d; workers: %d%s; workspace: %lu bytes each\n", (int)plan->kc, plan->workers,
                plan->splits > 1 ? ", each a part of k" : "",
                (unsigned long)(mik_f32_is_unequal(opt) ? mik_f32_most_of_unequal(job, opt) : mik_f32_most(job)));
}

/* That it is computed again and again, and what that takes. */
static void mik_f32_say_repeats(char *buf, size_t size, size_t *used, const mik_repeats *repeats, double cost)
{
    if (!repeats)
        return;
    mik_f32_say(buf, size, used, "repeated: ");
    if (repeats->times < 0)
        mik_f32_say(buf, size, used, "as often as loops around it run, which its extents alone do not tell");
    else
        mik_f32_say(buf, size, used, "%.0f times, by loops around it", repeats->times);
    if (repeats->varies)
        mik_f32_say(buf, size, used, "; its extents change on the way");
    else if (repeats->times >= 0)
        mik_f32_say(buf, size, used, "; cost of all: %.0f ns", repeats->times * cost);
    mik_f32_say(buf, size, used, "\n");
}

/* Prints how p would be computed, and what would be faster; returns the length of the whole text, as snprintf does. */
MIK_SHARED int mik_f32_explain(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt,
                               const mik_f32_ahead_call *ahead, const mik_repeats *repeats, char *buf, size_t size)
{
    size_t used = 0;
    mik_f32_job job;
    mik_f32_search x;
    mik_f32_plan other;
#if MIK_F32_FIXED_COVERS
    if (p->batch && mik_f32_fixed_cover_fits(op, p, opt))
        return mik_f32_say_fixed_cover(op, opt, buf, size);
#endif
#if MIK_F32_QUANTIZED
    if (p->batch && p->m && p->n && mik_f32_is_few(op, p, opt)) {
        mik_f32_say(buf, size, &used, "plan: a few rows by panels of %d-bit codes, which are unpacked in registers\n", op->quantized->bits);
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
                (long long)p->n, (long long)p->k, isa->name,
                job.transposed || mik_f32_is_turned(op) ? ", transposed (m and n change roles)" : "");
    if (p->batch == 0 || p->m == 0 || p->n == 0) {
        mik_f32_say(buf, size, &used, "no outputs: nothing to do\n");
        return (int)used;
    }
    const char *at_once = mik_f32_way_at_once(op, p, opt);
    const unsigned short workers = plan->workers;
    mik_f32_decide_two(isa, &job.shape, &job.plan, &other);
    job.plan.workers = workers;
#if MIK_F32_JUMPS
    mik_f32_take_jumps(&job);
#endif
    mik_f32_search_begin(&x, isa, &job.shape, plan->kc);
    x.regime = plan->regime;
    mik_f32_say(buf, size, &used, "plan: ");
    if (at_once)
        mik_f32_say(buf, size, &used, "at once, without a search: %s\n", at_once);
    else
        mik_f32_say_plan(buf, size, &used, &x, &job, opt);
    const double batches = (double)p->batch / (double)job.shape.batch;
    mik_f32_say(buf, size, &used, "cost: %.0f ns", (double)plan->cost * batches);
    if (batches > 1)
        mik_f32_say(buf, size, &used, ", %lld times %.0f", (long long)(p->batch / job.shape.batch), (double)plan->cost);
    if (!at_once && other.cost < 1e30f) {
        mik_f32_search_begin(&x, isa, &job.shape, other.kc);
        x.regime = other.regime;
        mik_f32_say(buf, size, &used, "; runner-up ");
        mik_f32_say_summary(buf, size, &used, &x, &other);
        mik_f32_say(buf, size, &used, " with %.0f", (double)other.cost * batches);
    } else if (!at_once) {
        mik_f32_say(buf, size, &used, "; no runner-up");
    }
    mik_f32_say(buf, size, &used, "\n");
    mik_f32_say_repeats(buf, size, &used, repeats, (double)plan->cost * batches);
    mik_f32_advise_all(buf, size, &used, op, p, opt, ahead);
    return (int)used;
}
