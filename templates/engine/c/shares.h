/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * A product's serial plan in pieces, for workers of unequal speeds and for ragged batches: its lines, rows or columns of all batches
 * one after the other, are cut where each worker's share ends, but not within a tile.
 */
#pragma once
#include "job.h"

/* Is a product cut across its columns? Across its longer side, of which less is read twice. */
static int mik_f32_by_columns(const mik_f32_job *job)
{
    return job->plan.pattern == MIK_F32_SWEEP || (job->plan.pattern != 0 && job->p.n >= job->p.m);
}

/* Lines of one batch. */
static int64_t mik_f32_lines_of(const mik_f32_job *job) { return mik_f32_by_columns(job) ? job->p.n : job->p.m; }

/* So many of them stay together: those of a tile. */
static int64_t mik_f32_whole_lines(const mik_f32_job *job)
{
    const int by_columns = mik_f32_by_columns(job), main = job->regions[0].main;
    const mik_f32_variant *v = job->isa->variants + (main == MIK_F32_TABLE ? job->isa->cover[job->plan.regime].main[1] : main);
    const int64_t whole = by_columns ? (int64_t)job->isa->lanes * v->nv : v->mr;
#if MIK_F32_AHEAD
    return by_columns ? mik_round_up(whole, MIK_F32_AHEAD_COLUMNS) : whole;
#else
    return whole;
#endif
}

/* The line, counted over batches, at which so much of a product is done. */
static int64_t mik_f32_cut_at(const mik_f32_job *job, double part)
{
    const int64_t lines = mik_f32_lines_of(job), all = lines * job->p.batch, whole = mik_f32_whole_lines(job);
    const int64_t at = mik_min((int64_t)(part * (double)all), all);
    return at / lines * lines + mik_min((at % lines + whole / 2) / whole * whole, lines);
}

/* Lines [from, to) of a region; 0: it has none of them. */
static int mik_f32_cut_region(const mik_f32_job *job, mik_f32_region *r, int64_t from, int64_t to)
{
    const int by_columns = mik_f32_by_columns(job);
    int64_t *first = by_columns ? &r->n0 : &r->m0, *end = by_columns ? &r->n1 : &r->m1;
    *first = mik_max(*first, from);
    *end = mik_min(*end, to);
    if (*first >= *end)
        return 0;
    mik_f32_blocks(job->isa, &job->shape, &job->plan, r);
    return 1;
}

/* Runs lines [from, to), in worker w's slice of the workspace. */
static void mik_f32_some_lines(const mik_f32_job *job, int64_t from, int64_t to, int w)
{
    const int64_t lines = mik_f32_lines_of(job);
    for (int64_t batch = from / lines; batch * lines < to; batch++)
        for (int i = 0; i < job->count; i++) {
            mik_f32_region r = job->regions[i];
            if (mik_f32_cut_region(job, &r, from - batch * lines, to - batch * lines))
                mik_f32_run_region(job, &r, batch, batch + 1, w);
        }
}

/* How many workers so many nanoseconds of work are worth. */
static int mik_f32_workers_for(const mik_f32_isa *isa, const mikgen_options *opt, double nanoseconds)
{
    const int threads = mik_min(mik_threads(opt), MIK_F32_WORKERS);
    const double worth = nanoseconds / (double)isa->move.task + 1;
    return opt->plan & MIK_ALL_THREADS || worth > threads ? threads : (int)worth;
}

/* A call that several workers of unequal speeds have. */
typedef struct {
    const mik_f32_job *job;          /* as for one worker, but for their number */
    const mikgen_options *opt;
    double speeds;                   /* of all of them together */
} mik_f32_unequal;

static mik_f32_unequal mik_f32_unequal_of(const mik_f32_job *job, const mikgen_options *opt)
{
    const mik_f32_unequal x = {job, opt, mik_speeds(opt, job->plan.workers)};
    return x;
}

/* The line at which worker w begins. */
static int64_t mik_f32_begin_of(const mik_f32_unequal *x, int w)
{
    return w == x->job->plan.workers ? mik_f32_lines_of(x->job) * x->job->p.batch
                                     : mik_f32_cut_at(x->job, mik_speeds(x->opt, w) / x->speeds);
}

static void mik_f32_work_unequal(void *arg, int w)
{
    const mik_f32_unequal *x = arg;
    mik_f32_some_lines(x->job, mik_f32_begin_of(x, w), mik_f32_begin_of(x, w + 1), w);
}

MIK_APART static void mik_f32_run_unequal(const mik_f32_job *job, const mikgen_options *opt)
{
    mik_f32_unequal x = mik_f32_unequal_of(job, opt);
    mik_parallel(opt, job->plan.workers, mik_f32_work_unequal, &x);
}

/* The most that a worker needs. */
static size_t mik_f32_most_of_unequal(const mik_f32_job *job, const mikgen_options *opt)
{
    const mik_f32_unequal x = mik_f32_unequal_of(job, opt);
    size_t most = 0;
    for (int w = 0; w < job->plan.workers; w++) {
        const int64_t from = mik_f32_begin_of(&x, w), to = mik_f32_begin_of(&x, w + 1), lines = mik_f32_lines_of(job);
        for (int64_t batch = from / lines; batch * lines < to; batch++)
            for (int i = 0; i < job->count; i++) {
                mik_f32_region r = job->regions[i];
                const size_t need = mik_f32_cut_region(job, &r, from - batch * lines, to - batch * lines)
                                        ? mik_f32_need(job, &r, job->plan.kc)
                                        : 0;
                most = need > most ? need : most;
            }
    }
    return most;
}
