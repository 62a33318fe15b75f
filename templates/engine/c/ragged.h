/*
 * Ragged batches: products of one operation, each of extents of its own, shared among workers. What the serial programs of all of them
 * cost lies one behind the other on a line, of which each worker has a piece as long as it is fast: no product waits for the one before,
 * and only those are cut at which pieces end.
 */
#pragma once
#include "call.h"
#include "ragged_batch.h"

/* Where a worker begins: at a line of a product. */
typedef struct {
    int64_t product, line;
} mik_f32_cut;

typedef struct {
    mik_ragged_job job;              /* the first, since tasks know no more of it */
    const mik_f32_operation *op;
    const mik_ragged *batch;
    const mikgen_options *opt;       /* of a product that one worker has */
    size_t slice;                    /* bytes of the workspace for each worker */
    mik_f32_cut cuts[MIK_F32_WORKERS + 1];
} mik_f32_ragged;

/* Prepares product number i for one worker; *args become its own. 0: it has no outputs, or no steps, whose panels there are none of. */
static int mik_f32_prepare_product(const mik_f32_ragged *r, void *args, int64_t i, mik_f32_job *job)
{
    mik_problem p;
    int64_t first, end;
    memset(&p, 0, sizeof p);
    r->batch->group(args, i, &first, &end);
    r->batch->problem(args, &p);
    return p.batch > 0 && p.m > 0 && p.n > 0 && p.k > 0 && mik_f32_prepare(job, r->op, args, &p, r->opt);
}

static double mik_f32_bytes_of_b(const mik_f32_job *job) { return (double)job->p.n * (double)job->p.k * sizeof(mik_f32_panel); }

/* Worker w: from its cut to the next. Whole products have the short cuts that calls have. */
static void mik_f32_work_ragged(void *of, void *args, int w)
{
    const mik_f32_ragged *r = of;
    const mik_f32_cut from = r->cuts[w], to = r->cuts[w + 1];
    mikgen_options own = *r->opt;
    own.workspace = r->slice ? (char *)own.workspace + (size_t)w * r->slice : NULL;
    own.workspace_bytes = r->slice;
    for (int64_t i = from.product; i < to.product + (to.line > 0); i++) {
        const int64_t begin = i == from.product ? from.line : 0, ends = i == to.product;
        mik_f32_job job;
        int64_t first, end;
        if (!begin && !ends) {
            r->batch->group(args, i, &first, &end);
            r->batch->run(args, &own);
        } else if (mik_f32_prepare_product(r, args, i, &job)) {
            job.workspace = own.workspace;
            job.slice = own.workspace_bytes;
            mik_f32_some_lines(&job, begin, ends ? to.line : mik_f32_lines_of(&job) * job.p.batch, 0);
        }
    }
}

/* Nanoseconds of product number i, prepared if it has any; far: its B comes from memory. */
static double mik_f32_product_cost(const mik_f32_ragged *r, void *args, int64_t i, int far, mik_f32_job *job)
{
    if (!mik_f32_prepare_product(r, args, i, job))
        return 0;
    const double cost = (double)job->plan.cost, read = (double)job->isa->move.read * mik_f32_bytes_of_b(job);
    return (double)job->p.batch * (far && read > cost ? read : cost);
}

/* What all products cost together. *far: whether their Bs are more than the last cache holds, as the weights of many experts are; *costs:
   each one's cost, as far as there is room. */
static double mik_f32_ragged_cost(const mik_f32_ragged *r, void *args, int *far, float *costs, int64_t room)
{
    double all = 0, bytes = 0;
    mik_f32_job job;
    for (int64_t i = 0; i < r->batch->count; i++)
        if (mik_f32_prepare_product(r, args, i, &job))
            bytes += (double)job.p.batch * mik_f32_bytes_of_b(&job);
    *far = bytes > MIK_CACHE_SHARES * (double)mik_f32_choose(mik_isa(r->opt->isa, MIK_F32_NEEDS))->move.l3_bytes;
    for (int64_t i = 0; i < r->batch->count; i++) {
        const double cost = mik_f32_product_cost(r, args, i, *far, &job);
        if (i < room)
            costs[i] = (float)cost;
        all += cost;
    }
    return all;
}

/* Finds where `workers` of them begin; opt: the call's. */
static void mik_f32_find_cuts(mik_f32_ragged *r, void *args, const mikgen_options *opt, int workers, double all, int far,
                              const float *costs, int64_t room)
{
    double speeds = 0, done = 0, begin = 0;
    int w = 1;
    for (int i = 0; i < workers; i++)
        speeds += mik_speed(opt, i);
    r->cuts[0].product = r->cuts[0].line = 0;
    begin = all * mik_speed(opt, 0) / speeds;
    for (int64_t i = 0; i < r->batch->count && w < workers; i++) {
        mik_f32_job job;
        if (i < room && done + (double)costs[i] <= begin) {
            done += (double)costs[i];
            continue;
        }
        const double cost = mik_f32_product_cost(r, args, i, far, &job);
        for (; w < workers && cost > 0 && begin < done + cost; w++) {
            const int64_t line = mik_f32_cut_at(&job, (begin - done) / cost), is_whole = line == mik_f32_lines_of(&job) * job.p.batch;
            r->cuts[w].product = i + is_whole;
            r->cuts[w].line = is_whole ? 0 : line;
            begin += all * mik_speed(opt, w) / speeds;
        }
        done += cost;
    }
    for (; w <= workers; w++) {
        r->cuts[w].product = r->batch->count;
        r->cuts[w].line = 0;
    }
}

/* Runs a ragged batch whose products may run in any order. *args, a copy of the call's, change. MIKGEN_OK or MIKGEN_UNSUPPORTED, then with
   nothing written. */
MIK_SHARED int mik_f32_run_ragged(const mik_f32_operation *op, const mik_ragged *batch, void *args, const mikgen_options *opt)
{
    enum { ROOM = 256 };
    float costs[ROOM];
    mikgen_options one = *opt;
    mik_f32_ragged r;
    const int isa = mik_isa(opt->isa, MIK_F32_NEEDS);
    int far;
    if (isa == 0)
        return MIKGEN_UNSUPPORTED;
    one.threads = 1;
    r.job.args = args;
    r.job.work = mik_f32_work_ragged;
    r.op = op;
    r.batch = batch;
    r.opt = &one;
    const double all = mik_f32_ragged_cost(&r, args, &far, costs, ROOM);
    const int workers = mik_f32_workers_for(mik_f32_choose(isa), opt, all);
    mik_f32_find_cuts(&r, args, opt, workers, all, far, costs, ROOM);
    r.slice = opt->workspace ? opt->workspace_bytes / (size_t)workers / 64 * 64 : 0;
    mik_parallel(opt, workers, batch->task, &r);
    return MIKGEN_OK;
}
