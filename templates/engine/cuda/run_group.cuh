/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Contractions that have A and its rows in common, as one launch: the host's side. */
#pragma once
#include "explain.cuh"
#include "grouped.cuh"
#include "plan_cache.cuh"
#include "prepare.cuh"
#include "run_plan.cuh"
#include "several.cuh"

/* A group: the kernels that run all of it, by the numbers of the first member's variants; NULL for those that cannot. */
typedef struct {
    const mik_set *set;
    const void *const *kernels;
    int in_turn;
} mik_group_set;

/* How a plan of a group's cache says that each member has launches of its own. */
enum { MIK_TOGETHER = 1, MIK_APART = 2 };

static cudaError_t mik_prepare_group(const mik_group_set *group, const mik_device *d, unsigned char *ready)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < group->set->count && error == cudaSuccess && !__atomic_load_n(ready, __ATOMIC_ACQUIRE); i++)
        if (group->kernels[i])
            error = mik_prepare_kernel(group->kernels[i], group->set->variants[i].shared, d);
    if (error == cudaSuccess)
        __atomic_store_n(ready, (unsigned char)1, __ATOMIC_RELEASE);
    return error;
}

/* The members as one problem: of as many columns as all have together, or, in turn, of as many steps. No sums are shared. */
static mik_request mik_join(const mik_group_set *group, const mik_request *member, int count)
{
    mik_request q = member[0];
    q.p.n = q.p.k = 0;
    for (int i = 0; i < count; i++) {
        q.p.n += group->in_turn && i > 0 ? 0 : member[i].p.n;
        q.p.k += group->in_turn || i == 0 ? member[i].p.k : 0;
        q.align = member[i].align < q.align ? member[i].align : q.align;
    }
    q.tma = 0;
    q.copies = 0;
    q.copying = 0;
    q.scratch = 0;
    return q;
}

/* The cheapest kernel for all members at once; pattern 0: there is none. */
static mik_plan mik_choose_together(const mik_group_set *group, const mik_request *member, int count)
{
    const mik_request q = mik_join(group, member, count);
    const double memory = mik_memory_cost(group->set, &q.d, 1, q.p.m, q.p.n, q.p.k);
    mik_candidate all[MIK_KERNELS];
    const int candidates = mik_is_too_large(&q.p) ? 0 : mik_consider(group->set, &q, all);
    mik_plan best[2];
    best[0] = best[1] = mik_plan{0, {0, 0}, -1, 0, {0, 0}, 1e300};
    for (int i = 0; i < candidates; i++)
        if (group->kernels[all[i].kernel] && all[i].tiles < 0x40000000)
            mik_choose_whole(group->set, &q, &all[i], memory, 1, best);
    return best[0];
}

/* The same, or pattern MIK_APART where members are cheaper by themselves. *apart: what they take then, in picoseconds. */
static mik_plan mik_choose_group(const mik_group_set *group, const mik_request *member, int count, double *apart)
{
    mik_plan plan = mik_choose_together(group, member, count), best[2];
    *apart = 0;
    for (int i = 0; i < count; i++) {
        mik_choose(group->set, &member[i], 1, best);
        *apart += best[0].cost;
    }
    if (plan.pattern == 0 || *apart < plan.cost)
        plan.pattern = MIK_APART;
    return plan;
}

/* *kernel: by which variant one launch computes all members, which have outputs; -1: each has launches of its own. */
static cudaError_t mik_decide_group(const mik_group_set *group, mik_cache *plans, const mikgen_cuda_options *opt, const mik_request *member,
                                    int count, int *kernel)
{
    mik_plan plan;
    double apart;
    if (opt->pattern != 0 && opt->pattern != MIK_ATTENTION) {
        const mik_request joined = mik_join(group, member, count);
        *kernel = opt->kernel[0];
        if (opt->pattern != MIK_GROUPED)
            *kernel = -1;
        else if (*kernel < 0 || *kernel >= group->set->count || group->kernels[*kernel] == NULL ||
                 !mik_usable(&group->set->variants[*kernel], &joined))
            return cudaErrorInvalidValue;
        return cudaSuccess;
    }
    const mik_request key = mik_several_key(member, count);
    if (!mik_recall(plans, &key, &plan)) {
        plan = mik_choose_group(group, member, count, &apart);
        mik_remember(plans, &key, &plan);
    }
    *kernel = plan.pattern == MIK_TOGETHER ? plan.kernel[0] : -1;
    return cudaSuccess;
}

/* Enqueues all members by one variant. */
static cudaError_t mik_launch_group(const mik_group_set *group, int kernel, const void *args, const mik_request *member, int count,
                                    cudaStream_t stream)
{
    const mik_variant *const v = &group->set->variants[kernel];
    mik_works works = {};
    int64_t blocks = 0;
    works.count = count;
    for (int i = 0; i < count; i++) {
        const mik_problem *const p = &member[i].p;
        works.of[i].p = *p;
        works.of[i].region[0] = mik_make_region(v, 1, p->k, 0, p->m, 0, p->n, 0);
        works.of[i].region[0].b0 = p->member;
        blocks = group->in_turn ? works.of[0].region[0].blocks : blocks + works.of[i].region[0].blocks;
    }
    void *params[2] = {(void *)args, &works};
    return cudaLaunchKernel(group->kernels[kernel], dim3((unsigned)blocks), dim3((unsigned)v->threads), params, (size_t)v->shared, stream);
}

/* What would run: one launch, or the members' own. */
static int mik_explain_group(const mik_group_set *group, const char *what, const mik_request *member, int count, char *buf, size_t size)
{
    double apart;
    mik_text text = {buf, size, 0};
    const mik_plan plan = mik_choose_group(group, member, count, &apart);
    mik_say(&text, "%s: %s, %.1f us in launches of their own; ", what, group->in_turn ? "tile by tile in turn" : "side by side",
            apart * 1e-6);
    if (plan.cost < 1e300)
        mik_say(&text, "%.1f us in one, by %s: ", plan.cost * 1e-6, group->set->variants[plan.kernel[0]].name);
    mik_say(&text, plan.pattern == MIK_TOGETHER ? "that one\n" : "their own\n");
    return (int)text.length;
}
