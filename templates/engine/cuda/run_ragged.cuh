/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Ragged batches: the host's side. What it does not know, it takes to be the same for all iterations. */
#pragma once
#include "choose_whole.cuh"
#include "plan_cache.cuh"
#include "prepare.cuh"
#include "say.cuh"

/* The cheapest kernel; pattern 0: there is none. No sums are shared, and nothing is cut. */
static mik_plan mik_choose_ragged(const mik_set *set, const mik_request *q)
{
    mik_candidate all[MIK_KERNELS];
    const int count = mik_is_too_large(&q->p) ? 0 : mik_consider(set, q, all);
    const double memory = mik_memory_cost(set, &q->d, q->p.batch, q->p.m, q->p.n, q->p.k);
    mik_plan best[2];
    best[0] = best[1] = mik_plan{0, {0, 0}, -1, 0, {0, 0}, 1e300};
    for (int i = 0; i < count; i++)
        mik_choose_whole(set, q, &all[i], memory, 1, best);
    return best[0];
}

/* *kernel: the variant that opt forces, else the one kept for these extents, else the cheapest. */
static cudaError_t mik_decide_ragged(const mik_set *set, mik_cache *plans, const mikgen_cuda_options *opt, const mik_request *q,
                                     int *kernel)
{
    mik_plan plan;
    *kernel = opt->kernel[0];
    if (opt->pattern != 0 && opt->pattern != MIK_GROUPED && opt->pattern != MIK_ATTENTION)
        return opt->pattern == 1 && opt->blocks[0] == 0 && *kernel >= 0 && *kernel < set->count && mik_usable(&set->variants[*kernel], q)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    if (!mik_recall(plans, q, &plan)) {
        plan = mik_choose_ragged(set, q);
        if (plan.pattern == 0)
            return mik_is_too_large(&q->p) ? cudaErrorInvalidValue : cudaErrorNoKernelImageForDevice;
        mik_remember(plans, q, &plan);
    }
    *kernel = plan.kernel[0];
    return cudaSuccess;
}

/* As many blocks as run at a time; fewer, if there can hardly be as many tiles. */
static int64_t mik_ragged_blocks(const mik_variant *v, const mik_request *q)
{
    const int64_t slots = mik_slots(v, &q->d, mik_resident(v, &q->d)), tiles = mik_tiles(v, q->p.batch, q->p.m, q->p.n);
    return tiles < slots / 2 ? 2 * tiles : slots;
}

static cudaError_t mik_launch_ragged(const mik_variant *v, const void *args, const mik_request *q, cudaStream_t stream)
{
    void *params[1] = {(void *)args};
    return cudaLaunchKernel(v->kernel, dim3((unsigned)mik_ragged_blocks(v, q)), dim3((unsigned)v->threads), params, (size_t)v->shared,
                            stream);
}

static int mik_explain_ragged(const mik_set *set, const mik_request *q, const char *note, char *buf, size_t size)
{
    mik_text text = {buf, size, 0};
    mik_say(&text, "%s: a ragged batch, as if each of %lld products had m %lld, n %lld, k %lld, on %d multiprocessors of sm_%d%s\n",
            set->what, (long long)q->p.batch, (long long)q->p.m, (long long)q->p.n, (long long)q->p.k, q->d.sms, q->d.cc, note);
    const mik_plan plan = mik_choose_ragged(set, q);
    if (plan.pattern == 0) {
        mik_say(&text, "  too large for any device\n");
    } else {
        const mik_variant *const v = &set->variants[plan.kernel[0]];
        mik_say(&text, "  plan: %s, %lld blocks, which share the tiles of all, %.1f us in one launch\n", v->name,
                (long long)mik_ragged_blocks(v, q), plan.cost * 1e-6);
    }
    return (int)text.length;
}
