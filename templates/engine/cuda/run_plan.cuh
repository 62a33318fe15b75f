/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a plan launches. */
#pragma once
#include "launch.cuh"
#if MIK_TMA
#include "launch_tma.cuh"
#endif

/* Both parts of a plan in one launch. */
static cudaError_t mik_launch_twin(const mik_plan *plan, const mik_set *set, const void *args, const mik_request *q,
                                   const mik_scratch *scratch, cudaStream_t stream)
{
    const mik_variant *const v = &set->variants[plan->kernel[0]], *const u = &set->variants[plan->kernel[1]];
    const mik_twin *const twin = &set->twins[plan->twin];
    const mik_problem *const p = &q->p;
    const int64_t cut = plan->split;
    mik_work w = {};
    (void)scratch;
    w.p = *p;
    w.region[0] = plan->pattern == 2 ? mik_make_region(v, p->batch, p->k, 0, cut, 0, p->n, 0)
                                     : mik_make_region(v, p->batch, p->k, 0, p->m, 0, cut, 0);
    w.region[1] = plan->pattern == 2 ? mik_make_region(u, p->batch, p->k, cut, p->m, 0, p->n, 0)
                                     : mik_make_region(u, p->batch, p->k, 0, p->m, cut, p->n, 0);
    w.region[0].b0 = w.region[1].b0 = p->member;
#if MIK_TMA
    if (v->tma)
        return mik_enqueue_tma(twin->kernel, v, twin->shared, mik_resident_twin(twin, &q->d), args, &w, q, scratch->lines, scratch->follows,
                               stream);
#endif
    return mik_enqueue(twin->kernel, w.region[0].blocks + w.region[1].blocks, v->threads, twin->shared, args, &w, stream);
}

/* One part of a plan, in a launch of its own. */
static cudaError_t mik_run_part(const mik_variant *v, const void *args, const mik_request *q, int64_t m0, int64_t m1, int64_t n0,
                                int64_t n1, int64_t blocks, const mik_scratch *scratch, cudaStream_t stream)
{
#if MIK_TMA
    if (v->tma)
        return mik_launch_tma(v, args, q, m0, m1, n0, n1, blocks, scratch, stream);
#endif
    return mik_launch(v, args, &q->p, m0, m1, n0, n1, blocks, scratch, stream);
}

static cudaError_t mik_run_plan(const mik_plan *plan, const mik_set *set, const void *args, const mik_request *q, mik_scratch *scratch,
                                cudaStream_t stream)
{
#if MIK_TMA
    if (q->copies > 0 && mik_uses_tma(set, plan)) {
        const cudaError_t copied = mik_make_copies(scratch->lines, scratch->partial, stream);
        if (copied != cudaSuccess)
            return copied;
        scratch->partial += q->copies;
        scratch->follows = 1;
    }
#endif
    const mik_problem *const p = &q->p;
    const mik_variant *const first = &set->variants[plan->kernel[0]], *const second = &set->variants[plan->kernel[1]];
    const int64_t cut = plan->split;
    cudaError_t error;
    if (plan->pattern == 1)
        return mik_run_part(first, args, q, 0, p->m, 0, p->n, plan->blocks[0], scratch, stream);
    if (plan->twin >= 0)
        return mik_launch_twin(plan, set, args, q, scratch, stream);
    error = plan->pattern == 2 ? mik_run_part(first, args, q, 0, cut, 0, p->n, plan->blocks[0], scratch, stream)
                               : mik_run_part(first, args, q, 0, p->m, 0, cut, plan->blocks[0], scratch, stream);
#if MIK_TMA
    scratch->follows = 1;
#endif
    if (plan->pattern == 2)
        return error != cudaSuccess ? error : mik_run_part(second, args, q, cut, p->m, 0, p->n, plan->blocks[1], scratch, stream);
    return error != cudaSuccess ? error : mik_run_part(second, args, q, 0, p->m, cut, p->n, plan->blocks[1], scratch, stream);
}
