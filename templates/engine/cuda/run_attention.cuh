/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Attention in one launch: the host's side. */
#pragma once
#include "attention.cuh"
#include "explain.cuh"
#include "plan_cache.cuh"
#include "prepare.cuh"
#include "several.cuh"

/* Kernels of m rows, k keys at a time, and n: the most steps of the first product and columns of the second. Sets of the two products;
   bytes of a score. */
typedef struct {
    const mik_set *scores, *product;
    const mik_variant *variants;
    int count, bytes;
} mik_attention_set;

/* How a cached plan says which launches there are. */
enum { MIK_ONE_LAUNCH = 1, MIK_THREE_LAUNCHES = 2 };

static cudaError_t mik_prepare_attention(const mik_attention_set *set, const mik_device *d, unsigned char *ready)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < set->count && error == cudaSuccess && !__atomic_load_n(ready, __ATOMIC_ACQUIRE); i++)
        error = mik_prepare_kernel(set->variants[i].kernel, set->variants[i].shared, d);
    if (error == cudaSuccess)
        __atomic_store_n(ready, (unsigned char)1, __ATOMIC_RELEASE);
    return error;
}

static int mik_attends(const mik_variant *v, const mik_request q[2])
{
    return q[0].p.k <= v->n && q[1].p.n <= v->n && q[0].p.n < 0x40000000 && v->shared <= q[0].d.shared_block;
}

/* One launch: its blocks, in waves; the least that memory allows. Rows have that `part` of all keys. */
static double mik_attention_cost(const mik_attention_set *set, const mik_variant *v, const mik_request q[2], double part)
{
    const mik_problem *const p = &q[0].p;
    const mik_device *const d = &q[0].d;
    const mik_deal deal = mik_deal_out(p->batch * mik_ceil(p->m, v->m), mik_steps(v, (int64_t)((double)p->n * part)), 0);
    const double bytes = (double)p->m * p->k * set->scores->a_bytes + (double)p->n * p->k * set->scores->b_bytes +
                         (double)p->n * q[1].p.n * set->product->b_bytes + (double)p->m * q[1].p.n * set->product->c_bytes;
    return mik_deal_cost(set->scores, v, d, &deal, (double)p->batch * bytes / d->bandwidth);
}

/* Three: the two products, and between them one that reads and writes scores twice. */
static double mik_apart_cost(const mik_attention_set *set, const mik_request q[2])
{
    mik_plan best[2];
    double cost = q[0].d.launch + 4.0 * (double)q[0].p.batch * (double)q[0].p.m * (double)q[0].p.n * set->bytes / q[0].d.bandwidth;
    mik_choose(set->scores, &q[0], 1, best);
    cost += best[0].cost;
    mik_choose(set->product, &q[1], 1, best);
    return cost + best[0].cost;
}

/* The cheapest kernel, of rows with that `part` of all keys, if that is cheaper than three launches. *apart: what those take, in picoseconds. */
static mik_plan mik_choose_attention(const mik_attention_set *set, const mik_request q[2], double part, double *apart)
{
    mik_plan plan = {MIK_ONE_LAUNCH, {0, 0}, -1, 0, {0, 0}, 1e300};
    for (int i = 0; i < set->count; i++) {
        if (!mik_attends(&set->variants[i], q))
            continue;
        const double cost = mik_attention_cost(set, &set->variants[i], q, part);
        if (cost < plan.cost) {
            plan.cost = cost;
            plan.kernel[0] = i;
        }
    }
    *apart = mik_apart_cost(set, q);
    if (*apart < plan.cost)
        plan.pattern = MIK_THREE_LAUNCHES;
    return plan;
}

/* *kernel: which one computes all of it; -1: the products and what is between them have launches of their own, which may only be where
   scores have room in memory. */
static cudaError_t mik_decide_attention(const mik_attention_set *set, mik_cache *plans, const mikgen_cuda_options *opt,
                                        const mik_request q[2], double part, int room, int *kernel)
{
    mik_plan plan;
    double apart;
    *kernel = -1;
    if (opt->pattern == MIK_ATTENTION) {
        *kernel = opt->kernel[0];
        return *kernel < 0 || *kernel >= set->count || !mik_attends(&set->variants[*kernel], q) ? cudaErrorInvalidValue : cudaSuccess;
    }
    if (opt->pattern != 0 && opt->pattern != MIK_GROUPED)
        return room ? cudaSuccess : cudaErrorInvalidValue;
    const mik_request key = mik_several_key(q, 2);
    if (!mik_recall(plans, &key, &plan)) {
        plan = mik_choose_attention(set, q, part, &apart);
        plan.split = plan.cost < 1e300; /* some kernel can */
        mik_remember(plans, &key, &plan);
    }
    if (plan.pattern == MIK_ONE_LAUNCH || (!room && plan.split))
        *kernel = plan.kernel[0];
    return *kernel < 0 && !room ? cudaErrorInvalidValue : cudaSuccess;
}

/* Enqueues it: a block for each tile of rows, at most 2^31 - 1 in one grid. */
static cudaError_t mik_launch_attention(const mik_variant *v, const void *args, const mik_request q[2], cudaStream_t stream)
{
    mik_attention w = {};
    w.of[0].p = q[0].p;
    w.of[1].p = q[1].p;
    w.tiles = mik_ceil(q[0].p.m, v->m);
    const int64_t all = w.tiles * q[0].p.batch, most = 0x7fffffff;
    for (w.first = 0; w.first < all; w.first += most) {
        const int64_t left = all - w.first < most ? all - w.first : most;
        void *params[2] = {(void *)args, &w};
        const cudaError_t error = cudaLaunchKernel(v->kernel, dim3((unsigned)left), dim3((unsigned)v->threads), params, (size_t)v->shared,
                                                   stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* What would run. */
static int mik_explain_attention(const mik_attention_set *set, const char *what, const mik_request q[2], double part, char *buf,
                                 size_t size)
{
    double apart;
    mik_text text = {buf, size, 0};
    const mik_plan plan = mik_choose_attention(set, q, part, &apart);
    mik_say(&text, "%s: %.1f us in three launches; ", what, apart * 1e-6);
    if (plan.cost < 1e300)
        mik_say(&text, "%.1f us in one, by %s: ", plan.cost * 1e-6, set->variants[plan.kernel[0]].name);
    else
        mik_say(&text, "no kernel for one launch of these extents: ");
    mik_say(&text, plan.pattern == MIK_ONE_LAUNCH ? "that one\n" : "those three\n");
    return (int)text.length;
}
