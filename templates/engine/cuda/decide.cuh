/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The plan of a call. */
#pragma once
#include "choose.cuh"
#include "plan_cache.cuh"

/* The plan that opt forces, else the one kept for this shape, else the cheapest. */
static cudaError_t mik_decide(const mik_set *set, mik_cache *plans, const mikgen_cuda_options *opt, const mik_request *q, mik_plan *plan)
{
    mik_plan best[2];
    if (opt->pattern != 0 && opt->pattern != MIK_GROUPED && opt->pattern != MIK_ATTENTION) {
        *plan = mik_plan{opt->pattern, {opt->kernel[0], opt->kernel[1]}, -1, opt->split, {opt->blocks[0], opt->blocks[1]}, 0};
        return mik_plan_fits(plan, set, q) ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (mik_recall(plans, q, plan))
        return cudaSuccess;
    mik_choose(set, q, 1, best);
    if (best[0].pattern == 0)
        return mik_is_too_large(&q->p) ? cudaErrorInvalidValue : cudaErrorNoKernelImageForDevice;
    *plan = best[0];
    mik_remember(plans, q, plan);
    return cudaSuccess;
}
