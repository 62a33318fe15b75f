/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of call.h: running a call, and its workspace. */
#pragma once
#include "call_small.h"

/* Do several workers of unequal speeds share a call? */
static int mik_f32_is_unequal(const mikgen_options *opt) { return opt && opt->speeds && mik_threads(opt) > 1; }

/* Prepares a call as it will run. */
static int mik_f32_prepare_call(mik_f32_job *job, const mik_f32_operation *op, const void *s, const mik_problem *p,
                                const mikgen_options *opt)
{
    mikgen_options one;
    if (!mik_f32_is_unequal(opt))
        return mik_f32_prepare(job, op, s, p, opt);
    one = *opt;
    one.threads = 1;
    if (!mik_f32_prepare(job, op, s, p, &one))
        return 0;
    job->opt = opt;
    if (p->batch && p->m && p->n)
        job->plan.workers = (unsigned short)mik_f32_workers_for(job->isa, opt, (double)job->plan.cost * (double)p->batch);
    return 1;
}

#if MIK_TRACE
/* Tells of a product that has been computed as a whole, without a plan. */
MIK_SHARED void mik_f32_tell_at_once(const mik_f32_operation *op, const mikgen_options *opt, const mik_problem *p, uint64_t begin)
{
    const int isa = mik_isa(opt->isa, MIK_F32_NEEDS);
    char room[48];
    snprintf(room, sizeof room, "f32 %s at once", isa ? mik_f32_choose(isa)->name : "");
    mik_f32_tell_all(op, opt, p, "region", room, begin);
}

#endif
/* Solves p; MIKGEN_OK or MIKGEN_UNSUPPORTED, then with nothing written. */
#if MIK_TRACE
static int mik_f32_solve(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
#else
MIK_SHARED int mik_f32_run(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
#endif
{
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(opt);
#endif
    if (p->batch == 0 || p->m == 0 || p->n == 0 || (p->k == 0 && op->kind == MIK_ACCUMULATE))
        return MIKGEN_OK;
#if MIK_F32_FIXED_COVERS
    if (!op->fixed_covers && mik_f32_small(op, s, p, opt))
#else
    if (mik_f32_small(op, s, p, opt))
#endif
#if MIK_TRACE
    {
        if (begin)
            mik_f32_tell_at_once(op, opt, p, begin);
        return MIKGEN_OK;
    }
#else
        return MIKGEN_OK;
#endif
#if MIK_F32_FIXED_COVERS
    if (mik_f32_fixed_cover_fits(op, p, opt)) {
        mik_f32_run_fixed_cover(op, s, p, opt);
#if MIK_TRACE
        if (begin)
            mik_f32_tell_at_once(op, opt, p, begin);
#endif
        return MIKGEN_OK;
    }
#endif
#if MIK_F32_QUANTIZED
    if (mik_f32_is_few(op, p, opt)) {
        mik_f32_run_few(op, s, p, opt);
        return MIKGEN_OK;
    }
#endif
    mik_f32_job job;
    if (!mik_f32_prepare_call(&job, op, s, p, opt))
        return MIKGEN_UNSUPPORTED;
    if (opt && opt->workspace) {
        job.workspace = opt->workspace;
        job.slice = opt->workspace_bytes / (size_t)job.plan.workers / 64 * 64;
    }
    if (mik_f32_is_unequal(opt))
        mik_f32_run_unequal(&job, opt);
    else if (job.plan.splits > 1)
        mik_f32_run_splits(&job);
    else if (job.tasks)
        mik_f32_run_tasks(&job);
    else
        mik_parallel(opt, job.plan.workers, mik_f32_work, &job);
    return MIKGEN_OK;
}

#if MIK_TRACE
MIK_SHARED int mik_f32_run(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    const uint64_t begin = mik_trace_begin(opt);
    const int status = mik_f32_solve(op, s, p, opt);
    if (begin && p->batch > 0 && p->m > 0 && p->n > 0)
        mik_f32_tell_all(op, opt, p, "product", NULL, begin);
    return status;
}

#endif

/* Bytes of workspace with which a call allocates nothing. */
MIK_SHARED size_t mik_f32_workspace(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    mik_f32_job job;
    if (p->batch == 0 || p->m == 0 || p->n == 0 || !mik_f32_prepare_call(&job, op, NULL, p, opt))
        return 0;
    const size_t most = mik_f32_is_unequal(opt) ? mik_f32_most_of_unequal(&job, opt) : mik_f32_most(&job);
    const size_t slices = most <= MIK_STACK_BYTES ? 0 : (most + 63) / 64 * 64 * (size_t)job.plan.workers;
    return slices + mik_f32_parts_bytes(&job);
}
