/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What would be faster, by the cost model: for explanations. Each line is about one thing that the call could have otherwise, and what
 * it would be expected to take then; there is none for what gains less than 3 %.
 */
#pragma once
#include "append.h"
#include "call.h"

#define MIK_F32_WORTH_SAYING 0.97f
#define MIK_F32_AS_LONG      1.01f

enum { MIK_F32_ADVISED_THREADS = 64 }; /* at most */

/* Stands for the caller's pool where none is given: nothing runs. */
static void mik_f32_no_pool(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { (void)ctx, (void)n, (void)task, (void)arg; }

/* Nanoseconds of a call on p, of all batches, by so many threads. 0: there is nothing to do. */
static float mik_f32_expected(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt, int threads)
{
    mikgen_options other = {0};
    mik_f32_job job;
    if (opt)
        other = *opt;
    other.threads = threads;
    other.speeds = NULL;
    if (!other.parallel_for)
        other.parallel_for = mik_f32_no_pool;
    if (p->batch <= 0 || p->m <= 0 || p->n <= 0 || p->k < 0 || !mik_f32_prepare(&job, op, NULL, p, &other))
        return 0;
    return job.plan.cost * (threads > 1 ? 1 : (float)p->batch);
}

/* The fewest threads by which a call takes about as long as by the best number of them. */
static int mik_f32_best_threads(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    float cost[MIK_F32_ADVISED_THREADS + 1], best = 1e30f;
    int threads;
    for (threads = 1; threads <= MIK_F32_ADVISED_THREADS; threads *= 2) {
        cost[threads] = mik_f32_expected(op, p, opt, threads);
        best = cost[threads] < best ? cost[threads] : best;
    }
    for (threads = 1; cost[threads] * MIK_F32_WORTH_SAYING > best; threads *= 2)
        ;
    return threads;
}

/* Where *extent, one of p's, would be better, a quarter larger at most: where a call takes least, in *cost, if that is less than it takes
   now; else the last that takes about as long. */
static int64_t mik_f32_better_extent(const mik_f32_operation *op, const mik_problem *p, int64_t *extent, int64_t step,
                                     const mikgen_options *opt, int threads, float *cost)
{
    const int64_t now = *extent, most = now + mik_max(now / 4, step);
    int64_t last = now, best = now;
    float least = *cost;
    for (*extent = mik_round_up(now + 1, step); *extent <= most; *extent += step) {
        const float other = mik_f32_expected(op, p, opt, threads);
        if (other > MIK_F32_AS_LONG * *cost)
            break;
        last = *extent;
        best = other < least ? *extent : best;
        least = other < least ? other : least;
    }
    if (least >= MIK_F32_WORTH_SAYING * *cost)
        return last;
    *cost = least;
    return best;
}

static void mik_f32_say_times(char *buf, size_t size, size_t *used, float cost, float other)
{
    mik_f32_say(buf, size, used, "%.0f ns, %.2f times as fast\n", (double)other, (double)(cost / other));
}

#if MIK_F32_UNIT == 1
/* Would rows further apart not compete for cache sets? */
static void mik_f32_advise_strides(char *buf, size_t size, size_t *used, const mik_f32_operation *op, const mik_problem *p,
                                   const mikgen_options *opt, int threads, float cost)
{
    for (int i = 0; i < 2; i++) {
        mik_problem q = *p;
        int64_t *const apart = i == 0 ? (q.a_k == 1 ? &q.a_m : &q.a_k) : q.b_n == 1 ? &q.b_k : &q.b_n;
        *apart += *apart < 0 ? -64 / (int64_t)sizeof(mik_f32_panel) : 64 / (int64_t)sizeof(mik_f32_panel);
        const float other = (i == 0 ? p->a_in_place : p->b_in_place) ? mik_f32_expected(op, &q, opt, threads) : 0;
        if (other > 0 && other < MIK_F32_WORTH_SAYING * cost) {
            mik_f32_say(buf, size, used, "advice: lines of %s 64 bytes further apart (they compete for cache sets): ", i ? "B" : "A");
            mik_f32_say_times(buf, size, used, cost, other);
        }
    }
}

#endif
/* Extents nearby that take no longer, or less. */
static void mik_f32_advise_extents(char *buf, size_t size, size_t *used, const mik_f32_operation *op, const mik_problem *p,
                                   const mikgen_options *opt, int threads, float cost)
{
    const int lanes = mik_f32_choose(mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS))->lanes;
    for (int i = 0; i < 3; i++) {
        mik_problem q = *p;
        const int64_t now = i == 0 ? p->m : i == 1 ? p->n : p->k;
        float other = cost;
        const int64_t better = mik_f32_better_extent(op, &q,
                                                     i == 0   ? &q.m
                                                     : i == 1 ? &q.n
                                                              : &q.k,
                                                     i == 0   ? 1
                                                     : i == 1 ? lanes
                                                              : 8,
                                                     opt, threads, &other);
        if (other < cost) {
            mik_f32_say(buf, size, used, "advice: %c %lld: ", "mnk"[i], (long long)better);
            mik_f32_say_times(buf, size, used, cost, other);
        } else if (100 * better >= 103 * now) {
            mik_f32_say(buf, size, used, "advice: %c up to %lld takes no longer than %lld\n", "mnk"[i], (long long)better, (long long)now);
        }
    }
}

/* Would it pay to pack B once? What calls of one thread spend on it, of the operators that cannot yet. */
static void mik_f32_advise_packing(char *buf, size_t size, size_t *used, const mik_f32_operation *op, const mik_problem *p,
                                   const mikgen_options *opt, int threads, float cost, const mik_f32_ahead_call *ahead)
{
    float other = 0;
    if (ahead->op) {
        other = mik_f32_expected(ahead->op, &ahead->p, opt, threads);
    } else {
        mikgen_options one = {0};
        mik_f32_job job;
        mik_f32_search x;
        one.isa = opt ? opt->isa : 0;
        if (!mik_f32_prepare(&job, op, NULL, p, &one) || job.flipped || !(job.plan.pack_b & 1))
            return;
        mik_f32_search_begin(&x, job.isa, &job.shape, job.plan.kc);
        other = cost * (1 - mik_f32_packing(&x, p->n) / job.plan.cost);
    }
    if (other <= 0 || other >= MIK_F32_WORTH_SAYING * cost)
        return;
    if (ahead->op)
        mik_f32_say(buf, size, used, "advice: %s, with B packed once: ", ahead->call);
    else
        mik_f32_say(buf, size, used, "advice: #pragma mikgen constant(%s) in the spec, and %s, with B packed once: about ", ahead->array,
                    ahead->call);
    mik_f32_say_times(buf, size, used, cost, other);
}

/* Says what would be faster. */
static void mik_f32_advise(char *buf, size_t size, size_t *used, const mik_f32_operation *op, const mik_problem *p,
                           const mikgen_options *opt, const mik_f32_ahead_call *ahead)
{
    const int threads = mik_threads(opt);
    const float cost = mik_f32_expected(op, p, opt, threads);
    const size_t need = mik_f32_workspace(op, p, opt), has = opt && opt->workspace ? opt->workspace_bytes : 0;
    if (mik_f32_is_unequal(opt) || (opt && opt->plan) || cost <= 0)
        return;
    const int best = mik_f32_best_threads(op, p, opt);
    const float other = mik_f32_expected(op, p, opt, best);
    if (best > threads && other < MIK_F32_WORTH_SAYING * cost) {
        mik_f32_say(buf, size, used, "advice: %d threads: ", best);
        mik_f32_say_times(buf, size, used, cost, other);
    }
    if (need > has)
        mik_f32_say(buf, size, used, "advice: a workspace of %lu bytes, which each call allocates without it\n", (unsigned long)need);
    if (ahead)
        mik_f32_advise_packing(buf, size, used, op, p, opt, threads, cost, ahead);
#if MIK_F32_UNIT == 1
    mik_f32_advise_strides(buf, size, used, op, p, opt, threads, cost);
#endif
    mik_f32_advise_extents(buf, size, used, op, p, opt, threads, cost);
}
