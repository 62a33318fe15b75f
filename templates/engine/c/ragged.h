/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Ragged batches: products of one operation, each of extents of its own, shared among workers. What the serial plans of all of them
 * cost lies one behind the other on a line, of which each worker has pieces as long as it is fast: no product waits for the one before,
 * and only those are cut at which pieces end. Pieces by turns, so that all have some of what takes longer than expected.
 */
#pragma once
#include "call.h"
#include "ragged_batch.h"

enum { MIK_F32_ROUNDS = 4, MIK_F32_KNOWN = 256 }; /* pieces for each worker; products whose cost is remembered */

/* Where a piece begins: at a line of a product. */
typedef struct {
    int64_t product, line;
} mik_f32_cut;

typedef struct {
    mik_ragged_job job;              /* the first, since tasks know no more of it */
    const mik_f32_operation *op;
    const mik_ragged *batch;
    const mikgen_options *opt;       /* of a product that one worker has */
    size_t slice;                    /* bytes of the workspace for each worker */
    int workers, rounds;             /* of pieces: worker w has number w of each */
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

/* From a piece's cut to the next. Whole products have the short cuts that calls have. */
static void mik_f32_run_piece(const mik_f32_ragged *r, void *args, int piece, const mikgen_options *own)
{
    const mik_f32_cut from = r->cuts[piece], to = r->cuts[piece + 1];
    for (int64_t i = from.product; i < to.product + (to.line > 0); i++) {
        const int64_t begin = i == from.product ? from.line : 0, ends = i == to.product;
        mik_f32_job job;
        int64_t first, end;
        if (!begin && !ends) {
            r->batch->group(args, i, &first, &end);
            r->batch->run(args, own);
        } else if (mik_f32_prepare_product(r, args, i, &job)) {
#if MIK_TRACE
            job.opt = own;
#endif
            job.workspace = own->workspace;
            job.slice = own->workspace_bytes;
            mik_f32_some_lines(&job, begin, ends ? to.line : mik_f32_lines_of(&job) * job.p.batch, 0);
        }
    }
}

static void mik_f32_work_ragged(void *of, void *args, int w)
{
    const mik_f32_ragged *r = of;
    mikgen_options own = *r->opt;
    own.workspace = r->slice ? (char *)own.workspace + (size_t)w * r->slice : NULL;
    own.workspace_bytes = r->slice;
#if MIK_TRACE
    own.trace_worker += mik_trace_offset(&own, w);
#endif
    for (int round = 0; round < r->rounds; round++)
        mik_f32_run_piece(r, args, round * r->workers + w, &own);
}

/* Nanoseconds of product number i, which is prepared if it has any. */
static double mik_f32_product_cost(const mik_f32_ragged *r, void *args, int64_t i, mik_f32_job *job)
{
    return mik_f32_prepare_product(r, args, i, job) ? (double)job->plan.cost * (double)job->p.batch : 0;
}

/* Finds where pieces begin; all: what all products cost; costs: each one's, of the first MIK_F32_KNOWN. */
static void mik_f32_find_cuts(mik_f32_ragged *r, void *args, double all, const float *costs)
{
    const int pieces = r->workers * r->rounds;
    const double speeds = mik_speeds(r->opt, r->workers) * r->rounds;
    double done = 0, begin = all * mik_speed(r->opt, 0) / speeds;
    int piece = 1;
    r->cuts[0].product = r->cuts[0].line = 0;
    for (int64_t i = 0; i < r->batch->count && piece < pieces; i++) {
        mik_f32_job job;
        if (i < MIK_F32_KNOWN && (costs[i] <= 0 || done + (double)costs[i] <= begin)) {
            done += (double)costs[i];
            continue;
        }
        const double cost = mik_f32_product_cost(r, args, i, &job);
        for (; piece < pieces && cost > 0 && begin < done + cost; piece++) {
            const int64_t line = mik_f32_cut_at(&job, begin > done ? (begin - done) / cost : 0);
            const int is_whole = line == mik_f32_lines_of(&job) * job.p.batch;
            r->cuts[piece].product = i + is_whole;
            r->cuts[piece].line = is_whole ? 0 : line;
            begin += all * mik_speed(r->opt, piece % r->workers) / speeds;
        }
        done += cost;
    }
    for (; piece <= pieces; piece++) {
        r->cuts[piece].product = r->batch->count;
        r->cuts[piece].line = 0;
    }
}

/* Runs a ragged batch whose products may run in any order. *args, a copy of the call's, change. MIKGEN_OK or MIKGEN_UNSUPPORTED, then with
   nothing written. */
MIK_SHARED int mik_f32_run_ragged(const mik_f32_operation *op, const mik_ragged *batch, void *args, const mikgen_options *opt)
{
    float costs[MIK_F32_KNOWN];
    mikgen_options one = *opt;
    mik_f32_ragged r;
    const int isa = mik_isa(opt->isa, MIK_F32_NEEDS);
    double all = 0;
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(opt);
#endif
    if (isa == 0)
        return MIKGEN_UNSUPPORTED;
    one.threads = 1;
    r.job.args = args;
    r.job.work = mik_f32_work_ragged;
    r.op = op;
    r.batch = batch;
    r.opt = &one;
    for (int64_t i = 0; i < batch->count; i++) {
        mik_f32_job job;
        const double cost = mik_f32_product_cost(&r, args, i, &job);
        if (i < MIK_F32_KNOWN)
            costs[i] = (float)cost;
        all += cost;
    }
    r.workers = mik_f32_workers_for(mik_f32_choose(isa), opt, all);
    r.rounds = mik_max(mik_min(MIK_F32_ROUNDS, MIK_F32_WORKERS / r.workers), 1);
    mik_f32_find_cuts(&r, args, all, costs);
    r.slice = opt->workspace ? opt->workspace_bytes / (size_t)r.workers / 64 * 64 : 0;
    mik_parallel(opt, r.workers, batch->task, &r);
#if MIK_TRACE
    mikgen_trace_event e = {.op = op->name, .stage = op->stage, .what = "ragged batch", .b1 = batch->count, .begin = begin};
    if (begin && batch->count > 0)
        mik_trace_end(opt, 0, &e);
#endif
    return MIKGEN_OK;
}
