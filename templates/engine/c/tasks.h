/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Plans for several workers: regions cut into tasks, tasks assigned to workers. The cost of a plan is its makespan under
 * the max-min rule (the longest task goes to the least loaded worker), so that a region that does not fill the workers leaves
 * room for the next one. Only worth a start: the number of workers is bounded by the cost of the serial plan over that of
 * starting a task.
 */
#pragma once
#include "planner.h"

enum { MIK_F32_TASKS = 1024, MIK_F32_WORKERS = 256 };    /* the most that one call makes use of */

/* Task t of a plan, counted over batches, regions, rows and columns: its batch and region; 0 when it is empty. */
static int mik_f32_task_at(const mik_f32_isa *isa, const mik_f32_plan *p, const mik_f32_region *regions, int64_t t, mik_f32_region *task,
                           int64_t *batch)
{
    int64_t per = 0, bm, bn;
    int i = 0;
    for (int j = 0; j < MIK_F32_REGIONS; j++)
        per += p->rows[j] * p->columns[j];
    *batch = t / per;
    t %= per;
    while (t >= p->rows[i] * p->columns[i])
        t -= p->rows[i] * p->columns[i], i++;
    *task = regions[i];
    mik_f32_task_size(isa, p, regions + i, i, &bm, &bn);
    task->m0 += t / p->columns[i] * bm;
    task->m1 = mik_min(task->m1, task->m0 + bm);
    task->n0 += t % p->columns[i] * bn;
    task->n1 = mik_min(task->n1, task->n0 + bn);
    return task->m0 < task->m1 && task->n0 < task->n1;
}

/* Assigns the tasks of all batches to the workers, the longest first, each to the least loaded. Returns the makespan.
   owner (may be null) has room for MIK_F32_TASKS. */
static float mik_f32_assign(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_region *regions, int64_t batches,
                            unsigned char *owner)
{
    float load[MIK_F32_WORKERS], cost[4 * MIK_F32_REGIONS], most = 0;
    int order[4 * MIK_F32_REGIONS], groups = 0;
    int64_t first = 0, start[MIK_F32_REGIONS], per = 0;
    for (int i = 0; i < MIK_F32_REGIONS; i++)
        per += p->rows[i] * p->columns[i];
    /* The tasks of a region are of four kinds: inner ones, those of the last row or column, and the last of all. */
    for (int i = 0; i < MIK_F32_REGIONS && p->rows[i]; i++) {
        int64_t bm, bn;
        start[i] = first;
        first += p->rows[i] * p->columns[i];
        mik_f32_task_size(x->isa, p, regions + i, i, &bm, &bn);
        for (int kind = 0; kind < 4; kind++) {
            const int64_t last_m = regions[i].m1 - regions[i].m0 - (p->rows[i] - 1) * bm, m = kind & 2 ? last_m : bm;
            const int64_t last_n = regions[i].n1 - regions[i].n0 - (p->columns[i] - 1) * bn, n = kind & 1 ? last_n : bn;
            int at = groups++;
            cost[4 * i + kind] = m <= 0 || n <= 0              ? 0
                                 : p->pattern == 0             ? (float)m
                                 : p->pattern == MIK_F32_SWEEP ? (float)n
                                 : p->pattern == MIK_F32_SHALLOW
                                     ? (float)m * (float)n
                                     : mik_f32_region_cost(x, regions[i].main, regions[i].uniform, m, n, NULL).cost;
            for (; at > 0 && cost[order[at - 1]] < cost[4 * i + kind]; at--)
                order[at] = order[at - 1];
            order[at] = 4 * i + kind;
        }
    }
    for (int w = 0; w < p->workers; w++)
        load[w] = 0;
    for (int g = 0; g < groups; g++) {
        const int i = order[g] / 4, kind = order[g] % 4, rows = p->rows[i], columns = p->columns[i];
        for (int64_t t = 0; t < batches * rows * columns; t++) {
            const int64_t inside = t % (rows * columns);
            int w = 0;
            if ((inside / columns == rows - 1) * 2 + (inside % columns == columns - 1) != kind)
                continue;
            for (int other = 1; other < p->workers; other++)
                w = load[other] < load[w] ? other : w;
            load[w] += cost[order[g]];
            most = load[w] > most ? load[w] : most;
            if (owner)
                owner[t / (rows * columns) * per + start[i] + inside] = (unsigned char)w;
        }
    }
    return most;
}

/* Compares a plan of several workers with the best so far. */
static void mik_f32_consider_tasks(const mik_f32_search *x, mik_f32_plan *p, mik_f32_plan *best)
{
    mik_f32_region r[MIK_F32_REGIONS];
    int64_t tasks = 0;
    for (int i = 0; i < MIK_F32_REGIONS; i++)
        tasks += p->rows[i] * p->columns[i];
    if (tasks * x->s->batch > MIK_F32_TASKS)
        return;
    mik_f32_regions(x->isa, x->s, p, r);
    p->cost = mik_f32_assign(x, p, r, x->s->batch, NULL) + x->isa->move.task;
    mik_f32_consider(x, best, p);
}

/* A plan of one region, cut into a grid, each task under the kernel that is best for it. */
static void mik_f32_grid(const mik_f32_search *x, mik_f32_plan *best, mik_f32_plan *p, int rows, int columns)
{
    const int64_t bm = mik_ceil_div(x->s->m, rows), bn = mik_min(mik_round_up(mik_ceil_div(x->s->n, columns), x->isa->lanes), x->s->n);
    p->pattern = 1;
    p->uniform = p->pack_a = p->pack_b = 0;
    mik_f32_take(p, 0, mik_f32_best_region(x, bm, bn, NULL));
    p->rows[0] = (unsigned short)rows, p->columns[0] = (unsigned short)columns;
    for (p->even = 0; p->even < 2; p->even++)
        mik_f32_consider_tasks(x, p, best);
}

/* Two bands of rows or columns with a share of the workers each: for numbers of workers that make no good grid. */
static void mik_f32_shares(const mik_f32_search *x, mik_f32_plan *best, mik_f32_plan *p, int pattern)
{
    const int64_t share = p->workers / 2, lanes = x->isa->lanes;
    mik_f32_region r[MIK_F32_REGIONS];
    p->pattern = (unsigned char)pattern;
    p->row = mik_max(x->s->m * share / p->workers, 1);
    p->column = mik_max(x->s->n * share / p->workers / lanes * lanes, lanes);
    if (pattern == 2 ? p->row >= x->s->m : p->column >= x->s->n)
        return;
    p->uniform = p->pack_a = p->pack_b = 0;
    p->even = 3;
    mik_f32_lines(x->s, p, r);
    for (int i = 0; i < 2; i++) {
        const unsigned short parts = (unsigned short)(i ? p->workers - share : share);
        p->rows[i] = pattern == 2 ? 1 : parts;
        p->columns[i] = pattern == 2 ? parts : 1;
        const int64_t bm = mik_ceil_div(r[i].m1 - r[i].m0, p->rows[i]), bn = mik_ceil_div(r[i].n1 - r[i].n0, p->columns[i]);
        mik_f32_take(p, i, mik_f32_best_region(x, bm, bn, NULL));
    }
    mik_f32_consider_tasks(x, p, best);
}

/* Inner products, cut into bands of rows, and sweeps, cut into bands of columns: not below half a page, unless all threads
   are wanted, since shorter pieces of rows are no streams. Sums of few steps are cut across the longer side. */
static void mik_f32_thin_bands(const mik_f32_search *x, mik_f32_plan *best, const mik_f32_plan *serial, int workers)
{
    const int wide = serial->pattern == MIK_F32_SWEEP || (serial->pattern == MIK_F32_SHALLOW && x->s->n > x->s->m);
    const int64_t least = x->s->wish & MIK_ALL_THREADS ? x->isa->lanes : 2048 / (int64_t)sizeof(mik_f32_acc);
    const int64_t bands = mik_min(workers, wide ? mik_max(x->s->n / least, 1) : x->s->m);
    mik_f32_plan p = *serial;
    if (bands < 2 || x->s->batch > 1)
        return;
    p.workers = (unsigned short)bands;
    p.rows[0] = wide ? 1 : p.workers;
    p.columns[0] = wide ? p.workers : 1;
    p.even = 1;
    p.cost = serial->cost / (float)bands + x->isa->move.task;
    mik_f32_consider(x, best, &p);
}

/* The serial plan with k cut into a part for each worker, whose sums are added in the end: for outputs too few to be
   shared. */
static void mik_f32_splits(const mik_f32_search *x, mik_f32_plan *best, const mik_f32_plan *serial, int workers)
{
    const mik_f32_shape *s = x->s;
    const int forced = (s->wish & MIK_SPLIT) != 0;
    mik_f32_plan p = *serial;
    const int64_t parts = mik_min(workers, s->k / 8);
    if (parts < 2 || s->batch > 1 || (!forced && (s->m * s->n > 65536 || s->k < 64 * parts)))
        return;
    p.splits = p.workers = (unsigned short)parts;
    /* The parts' sums are written by one core and read by another. */
    p.cost = serial->cost / (float)parts + x->isa->move.task + (float)(s->m * s->n * parts) * 2 * x->isa->move.pack;
    if (forced)
        best->cost = 1e30f;
    mik_f32_consider(x, best, &p);
}

/* The outputs shared among up to `workers` workers. */
static void mik_f32_shared_outputs(const mik_f32_search *x, mik_f32_plan *best, const mik_f32_plan *serial, int workers)
{
    const mik_f32_shape *s = x->s;
    if (s->batch > 1) {
        mik_f32_plan p = *serial;
        p.workers = (unsigned short)mik_min(workers, s->batch);
        p.cost = (float)mik_ceil_div(s->batch, p.workers) * serial->cost + x->isa->move.task;
        mik_f32_consider(x, best, &p);
    }
    if (serial->pattern == 0 || serial->pattern == MIK_F32_SWEEP || (serial->pattern == MIK_F32_SHALLOW && s->batch == 1)) {
        mik_f32_thin_bands(x, best, serial, workers);
        return;
    }
    if (s->wish & MIK_VARIANT || s->batch >= 2 * workers)
        return;
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    p.regime = serial->regime;
    p.kc = serial->kc;
    p.splits = 1;
    p.workers = (unsigned short)workers;
    for (int rows = 1; rows <= workers; rows++)
        if (workers / rows * rows * 10 >= workers * 9 && rows <= s->m)
            mik_f32_grid(x, best, &p, rows, workers / rows);
    if (workers > 2) {
        mik_f32_shares(x, best, &p, 2);
        mik_f32_shares(x, best, &p, 3);
    }
}

/* Plans for up to s->threads workers, given the best serial one. */
static void mik_f32_decide_tasks(const mik_f32_search *x, mik_f32_plan *best)
{
    const mik_f32_plan serial = *best;
    const float worth = best->cost * (float)x->s->batch / x->isa->move.task;
    int workers = x->s->threads;
    if (x->s->wish & MIK_ALL_THREADS)
        best->cost = 1e30f;
    else
        workers = worth < (float)workers ? (int)worth + 1 : workers;
    best->cost *= (float)x->s->batch;
    if (x->other)
        x->other->cost = x->other->cost < 1e30f ? x->other->cost * (float)x->s->batch : 1e30f;
    if (workers < 2)
        return;
    mik_f32_shared_outputs(x, best, &serial, workers);
    mik_f32_splits(x, best, &serial, workers);
}

/* Finds the cheapest plan for a shape with m, n > 0; other (may be null) gets the next one, of which none is there if its cost is 1e30. */
static void mik_f32_decide_two(const mik_f32_isa *isa, const mik_f32_shape *s, mik_f32_plan *p, mik_f32_plan *other)
{
    mik_f32_search x;
    mik_f32_decide_serial(&x, isa, s, p, other);
    if (s->threads > 1)
        mik_f32_decide_tasks(&x, p);
}

static void mik_f32_decide(const mik_f32_isa *isa, const mik_f32_shape *s, mik_f32_plan *p) { mik_f32_decide_two(isa, s, p, NULL); }
