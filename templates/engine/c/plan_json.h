/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The decision of one family as JSON on standard output, with the terms of its cost, its tasks and the runner-up: for the program of
 * templates/explain.c.j2 alone. Rows and columns are those that are computed, which change roles where it says so; nanoseconds; what is
 * about all batches says so.
 */
#pragma once
#include "plan_text.h"

#if MIK_DRAWS

/* Parts of a cost. Their sum is `all`. */
typedef struct {
    double tiles, operands, stores, waits, all;
} mik_f32_terms;

/* Adds those of m x n outputs under kernel main, as mik_f32_region_cost() has them. */
static void mik_f32_add_terms(const mik_f32_search *x, const mik_f32_region *r, int64_t m, int64_t n, mik_f32_terms *terms)
{
    const mik_f32_choice c = mik_f32_region_cost(x, r->main, r->uniform, m, n, NULL);
    const mik_f32_tiling t = mik_f32_tiling_of(x->isa, x->regime, r->main, r->uniform, m);
    const int lead = mik_f32_strip_width(&t, (n + x->isa->lanes - 1) / x->isa->lanes);
    const mik_f32_variant *v = t.main && t.main->nv == lead ? t.main : x->isa->variants + t.cover->main[lead];
    int pack;
    const double operands = (double)mik_f32_operands(x, &t, lead, m, n, &pack), stores = (double)mik_f32_writing(x, v->mr, m, n);
    terms->tiles += (double)c.tiles;
    terms->operands += operands;
    terms->stores += stores;
    terms->waits += x->s->facts & MIK_F32_C_BEYOND ? (double)c.cost - (double)c.tiles - operands - stores : 0;
    terms->all += (double)c.cost;
}

/* A run of `count` of a size; of the same size as the one before, they are one. *at and *of: the run that is not yet written. */
static void mik_f32_json_run(int64_t count, int64_t size, int64_t *at, int64_t *of, int *runs)
{
    if (size != *of) {
        if (*at)
            printf("%s[%lld, %lld]", (*runs)++ ? ", " : "", (long long)*at, (long long)*of);
        *at = 0;
        *of = size;
    }
    *at += count;
}

/* "[[71, 14], [2, 3]]": so many tiles of that height, along the first column of tasks. */
static void mik_f32_json_row_tiles(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *r, int i)
{
    int64_t at = 0, of = 0, height, count;
    int runs = 0;
    mik_f32_region task;
    mik_f32_task_of(x, p, r, i, 0, &task);
    const int64_t bm = task.m1 - task.m0;
    printf(", \"row_tiles\": [");
    for (int64_t m0 = r->m0; m0 < r->m1; m0 += bm) {
        task.m1 = mik_min(task.m0 + mik_min(bm, r->m1 - m0), r->m1);
        const mik_f32_layout c = mik_f32_layout_of(x, &task);
        for (int64_t left = c.m; left > 0; left -= height * count) {
            count = mik_f32_row_tiles(&c, left, &height);
            mik_f32_json_run(count, height, &at, &of, &runs);
        }
    }
    mik_f32_json_run(0, -1, &at, &of, &runs);
    printf("]");
}

/* The same of widths, along the first row of tasks. */
static void mik_f32_json_column_panels(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *r, int i)
{
    int64_t at = 0, of = 0, width, count;
    int runs = 0;
    mik_f32_region task;
    mik_f32_task_of(x, p, r, i, 0, &task);
    const int64_t bn = task.n1 - task.n0;
    printf(", \"column_panels\": [");
    for (int64_t n0 = r->n0; n0 < r->n1; n0 += bn) {
        task.n1 = mik_min(task.n0 + mik_min(bn, r->n1 - n0), r->n1);
        const mik_f32_layout c = mik_f32_layout_of(x, &task);
        for (int64_t left = mik_ceil_div(c.n, x->isa->lanes); left > 0; left -= width * count) {
            count = mik_f32_column_panels(&c, left, &width);
            mik_f32_json_run(count, width * x->isa->lanes, &at, &of, &runs);
        }
    }
    mik_f32_json_run(0, -1, &at, &of, &runs);
    printf("]");
}

/* A region, its cover if it goes by tiles, and how it is cut into tasks. */
static void mik_f32_json_region(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *r, int i)
{
    const mik_f32_isa *isa = x->isa;
    mik_f32_region first;
    mik_f32_task_of(x, p, r, i, 0, &first);
    printf("%s{\"m0\": %lld, \"m1\": %lld, \"n0\": %lld, \"n1\": %lld, \"mc\": %lld, \"nc\": %lld, \"a\": \"%s\", \"b\": \"%s\"",
           i ? ", " : "", (long long)r->m0, (long long)r->m1, (long long)r->n0, (long long)r->n1, (long long)first.mc, (long long)first.nc,
           r->pack_a ? "packed" : "in place", mik_f32_say_b(x->s, r->pack_b));
    printf(", \"rows\": %d, \"columns\": %d", p->rows[i] ? p->rows[i] : 1, p->rows[i] ? p->columns[i] : 1);
    if (p->pattern != 0 && p->pattern < MIK_F32_SWEEP) {
        const mik_f32_variant *v = isa->variants + mik_f32_first_kernel(isa, x->regime, &first);
        const int width = v->nv * isa->lanes;
        printf(", \"kernel\": \"%dx%d\", \"tile\": [%d, %d], \"tile_ns\": %.9g", v->mr, width, v->mr, width,
               (double)mik_f32_tile_cost(&x->steps, v));
        mik_f32_json_row_tiles(x, p, r, i);
        mik_f32_json_column_panels(x, p, r, i);
    }
    printf("}");
}

/* What the tasks of all batches are, and what of the cost each worker has. Plans without terms share out what they take. */
static void mik_f32_json_tasks(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *regions, int64_t batches, double cost)
{
    static unsigned char owner[MIK_F32_TASKS];
    double load[MIK_F32_WORKERS] = {0}, most = 0;
    const int tiles = p->pattern != 0 && p->pattern < MIK_F32_SWEEP;
    int64_t tasks = 0, batch;
    for (int i = 0; i < MIK_F32_REGIONS; i++)
        tasks += batches * p->rows[i] * p->columns[i];
    if (tasks)
        mik_f32_assign(x, p, regions, batches, owner);
    printf(", \"tasks\": [");
    for (int64_t t = 0; t < tasks; t++) {
        mik_f32_region r;
        mik_f32_terms terms = {0, 0, 0, 0, 0};
        if (!mik_f32_task_at(x->isa, p, regions, t, &r, &batch))
            continue;
        if (tiles)
            mik_f32_add_terms(x, &r, r.m1 - r.m0, r.n1 - r.n0, &terms);
        load[owner[t]] += tiles ? terms.all : (double)(r.m1 - r.m0) * (double)(r.n1 - r.n0);
        printf("%s{\"batch\": %lld, \"m0\": %lld, \"m1\": %lld, \"n0\": %lld, \"n1\": %lld, \"worker\": %d", t ? ", " : "",
               (long long)batch, (long long)r.m0, (long long)r.m1, (long long)r.n0, (long long)r.n1, owner[t]);
        if (tiles) {
            const mik_f32_variant *v = x->isa->variants + mik_f32_first_kernel(x->isa, x->regime, &r);
            printf(", \"kernel\": \"%dx%d\"", v->mr, v->nv * x->isa->lanes);
        }
        printf("}");
    }
    printf("]");
    if (!tasks && p->splits <= 1)
        for (int w = 0; w < p->workers; w++) /* as mik_f32_work() deals them out */
            load[w] = (double)(batches / p->workers + (w < batches % p->workers));
    for (int w = 0; w < p->workers; w++)
        load[w] = p->splits > 1 ? 1 : load[w], most = load[w] > most ? load[w] : most;
    printf(", \"loads_ns\": [");
    for (int w = 0; w < p->workers; w++)
        printf("%s%.9g", w ? ", " : "", tasks && tiles ? load[w] : load[w] / most * cost);
    printf("]");
}

/* The sums of each part of k are added in the end. */
static double mik_f32_adding_cost(const mik_f32_search *x, const mik_f32_plan *p)
{
    return p->splits > 1 ? (double)(x->s->m * x->s->n * p->splits) * 2 * (double)x->isa->move.pack : 0;
}

/* A plan: cost is that of all batches. */
static void mik_f32_json_plan(const mik_f32_search *x, mik_f32_plan *p, int64_t batches, double cost)
{
    mik_f32_region regions[MIK_F32_REGIONS];
    const int count = mik_f32_regions(x->isa, x->s, p, regions), tiles = p->pattern != 0 && p->pattern < MIK_F32_SWEEP;
    char words[160] = "";
    size_t used = 0;
    mik_f32_terms terms = {0, 0, 0, 0, 0};
    p->workers = p->workers ? p->workers : 1;
    p->splits = p->splits ? p->splits : 1;
    mik_f32_say_summary(words, sizeof words, &used, x, p);
    printf("{\"summary\": \"%s\", \"pattern\": %d, \"cost_ns\": %.9g, \"kc\": %d, \"workers\": %d, \"splits\": %d, \"regions\": [", words,
           p->pattern, cost, (int)p->kc, p->workers, p->splits);
    for (int i = 0; i < count; i++)
        mik_f32_json_region(x, p, regions + i, i);
    printf("]");
    for (int i = 0; tiles && i < count; i++) {
        const int rows = p->rows[i] ? p->rows[i] : 1, columns = p->rows[i] ? p->columns[i] : 1;
        int64_t bm = regions[i].m1 - regions[i].m0, bn = regions[i].n1 - regions[i].n0;
        if (p->rows[i])
            mik_f32_task_size(x->isa, p, regions + i, i, &bm, &bn);
        for (int t = 0; t < rows * columns; t++) {
            const int64_t m0 = regions[i].m0 + t / columns * bm, m1 = mik_min(regions[i].m1, m0 + bm);
            const int64_t n0 = regions[i].n0 + t % columns * bn, n1 = mik_min(regions[i].n1, n0 + bn);
            if (m0 < m1 && n0 < n1)
                mik_f32_add_terms(x, regions + i, m1 - m0, n1 - n0, &terms);
        }
    }
    const double start = p->workers > 1 ? (double)x->isa->move.task : 0, adding = mik_f32_adding_cost(x, p), all = (double)batches;
    if (tiles)
        printf(", \"terms_ns\": {\"tiles\": %.9g, \"operands\": %.9g, \"stores\": %.9g, \"waits\": %.9g}", terms.tiles * all,
               terms.operands * all, terms.stores * all, terms.waits * all);
    printf(", \"start_ns\": %.9g, \"adding_ns\": %.9g", start, adding);
    mik_f32_json_tasks(x, p, regions, batches, cost - start - adding);
    printf("}");
}

#if MIK_F32_FIXED_COVERS
/* Bands of one extent after the other, each with its tiles. */
static void mik_f32_json_fixed_cover(const mik_f32_operation *op, const mikgen_options *opt)
{
    const int which = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    const mik_f32_fixed_cover *cover = op->fixed_covers + which;
    const mik_f32_isa *isa = mik_f32_choose(which);
    const int *at = cover->at;
    printf(", \"isa\": \"%s\", \"way\": \"the exact cover of constant extents\", \"cover\": {\"rows_first\": %s, \"bands\": [", isa->name,
           cover->rows_first ? "true" : "false");
    for (int i = 0; i < cover->bands; i++, at += 2 + 2 * at[1]) {
        printf("%s{\"count\": %d, \"tiles\": [", i ? ", " : "", at[0]);
        for (int j = 0; j < at[1]; j++)
            printf("%s[%d, %d, %d]", j ? ", " : "", at[3 + 2 * j], isa->variants[at[2 + 2 * j]].mr,
                   isa->variants[at[2 + 2 * j]].nv * isa->lanes);
        printf("]}");
    }
    printf("]}");
}

#endif
/* Members of a JSON object about how p would be computed. Returns 0. */
static int mik_f32_draw(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    mik_f32_job job;
    mik_f32_search x;
    mik_f32_plan other;
    printf(", \"family\": \"f32\", \"batch\": %lld, \"m\": %lld, \"n\": %lld, \"k\": %lld", (long long)p->batch, (long long)p->m,
           (long long)p->n, (long long)p->k);
#if MIK_F32_FIXED_COVERS
    if (p->batch && mik_f32_fixed_cover_fits(op, p, opt)) {
        mik_f32_json_fixed_cover(op, opt);
        return 0;
    }
#endif
#if MIK_F32_QUANTIZED
    if (p->batch && p->m && p->n && mik_f32_is_few(op, p, opt)) {
        printf(", \"way\": \"a few rows by panels of %d-bit codes, which are unpacked in registers\"", op->quantized->bits);
        return 0;
    }
#endif
    if (!mik_f32_prepare_call(&job, op, NULL, p, opt)) {
        printf(", \"way\": \"the processor lacks the instruction set asked for\"");
        return 0;
    }
    printf(", \"isa\": \"%s\", \"transposed\": %s", job.isa->name, job.transposed || mik_f32_is_turned(op) ? "true" : "false");
    if (p->batch == 0 || p->m == 0 || p->n == 0) {
        printf(", \"way\": \"no outputs: nothing to do\"");
        return 0;
    }
    const char *at_once = mik_f32_way_at_once(op, p, opt);
    if (at_once) {
        printf(", \"way\": \"at once, without a search: %s\"", at_once);
        return 0;
    }
    mik_f32_decide_two(job.isa, &job.shape, &job.plan, &other);
    mik_f32_plan *plan = &job.plan, *next = &other;
    const double each = (double)job.shape.batch, rest = (double)p->batch / each;
    mik_f32_search_begin(&x, job.isa, &job.shape, plan->kc);
    x.regime = plan->regime;
    printf(", \"workspace\": %lu, \"plan\": ", (unsigned long)mik_f32_most(&job));
    mik_f32_json_plan(&x, plan, p->batch, (double)plan->cost * rest);
    if (next->cost < 1e30f) {
        mik_f32_search_begin(&x, job.isa, &job.shape, next->kc);
        x.regime = next->regime;
        printf(", \"runner_up\": ");
        mik_f32_json_plan(&x, next, p->batch, (double)next->cost * rest);
    }
    return 0;
}
#endif
