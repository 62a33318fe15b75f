/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What would be faster, by the cost model: for explanations. Each line is about one thing that the call could have otherwise, and what
 * it would be expected to take then; there is none for what gains less than 3 %.
 */
#pragma once
#include "append.h"
#include "call.h"

/* A call, what it is expected to take, and where the advice goes. */
typedef struct {
    const mik_f32_operation *op;
    const mik_problem *p;
    mikgen_options opt;
    int threads;
    float cost;
    char *buf;
    size_t size, *used;
} mik_f32_advice;

/* Stands for the caller's pool where none is given: nothing runs. */
static void mik_f32_no_pool(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { (void)ctx, (void)n, (void)task, (void)arg; }

/* Nanoseconds of a call on p, of all batches, by so many threads. 0: there is nothing to do. */
static float mik_f32_expected(const mik_f32_advice *a, const mik_f32_operation *op, const mik_problem *p, int threads)
{
    mikgen_options opt = a->opt;
    mik_f32_job job;
    opt.threads = threads;
    if (p->batch <= 0 || p->m <= 0 || p->n <= 0 || p->k < 0 || !mik_f32_prepare(&job, op, NULL, p, &opt))
        return 0;
    return job.plan.cost * (threads > 1 ? 1 : (float)p->batch);
}

/* A line, if what it is about is worth it. */
MIK_FORMAT(3, 4) static int mik_f32_advise(const mik_f32_advice *a, float other, const char *format, ...)
{
    char what[400];
    va_list args;
    if (other <= 0 || other >= 0.97f * a->cost)
        return 0;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    mik_f32_say(a->buf, a->size, a->used, "advice: %s %.0f ns, %.2f times as fast\n", what, (double)other, (double)(a->cost / other));
    return 1;
}

/* The fewest threads by which a call takes about as long as by the best number of them. */
static void mik_f32_advise_threads(const mik_f32_advice *a)
{
    float best = 1e30f;
    int n;
    for (n = 1; n <= 64; n *= 2)
        best = mik_f32_expected(a, a->op, a->p, n) < best ? mik_f32_expected(a, a->op, a->p, n) : best;
    for (n = 1; n < 64 && mik_f32_expected(a, a->op, a->p, n) * 0.97f > best; n *= 2)
        ;
    if (n > a->threads)
        mik_f32_advise(a, mik_f32_expected(a, a->op, a->p, n), "%d threads:", n);
}

/* Where m, n or k is better, a quarter larger at most, and so many steps: by which a call takes least, or else the last by which it takes
   no longer. */
static void mik_f32_advise_extent(const mik_f32_advice *a, int which, int64_t step)
{
    enum { TRIED = 64 };
    mik_problem q = *a->p;
    int64_t *const extent = which == 0 ? &q.m : which == 1 ? &q.n : &q.k;
    const int64_t now = *extent, most = now + mik_min(mik_max(now / 4, step), TRIED * step);
    int64_t last = now, best = now;
    float least = a->cost;
    for (*extent = mik_round_up(now + 1, step); *extent <= most; *extent += step) {
        const float other = mik_f32_expected(a, a->op, &q, a->threads);
        if (other > 1.01f * a->cost)
            break;
        last = *extent;
        best = other < least ? last : best;
        least = other < least ? other : least;
    }
    if (!mik_f32_advise(a, least, "%c %lld:", "mnk"[which], (long long)best) && 100 * last >= 103 * now)
        mik_f32_say(a->buf, a->size, a->used, "advice: %c up to %lld takes no longer than %lld\n", "mnk"[which], (long long)last,
                    (long long)now);
}

/* What a call takes without the time of packing B, which is what it is for one thread. */
static float mik_f32_without_packing(const mik_f32_advice *a)
{
    mikgen_options one = {0};
    mik_f32_job job;
    mik_f32_search x;
    one.isa = a->opt.isa;
    if (!mik_f32_prepare(&job, a->op, NULL, a->p, &one) || job.transposed || !(job.plan.pack_b & 1))
        return 0;
    mik_f32_search_begin(&x, job.isa, &job.shape, job.plan.kc);
    return a->cost * (1 - mik_f32_packing(&x, a->p->n) / job.plan.cost);
}

/* Says what would be faster. */
static void mik_f32_advise_all(char *buf, size_t size, size_t *used, const mik_f32_operation *op, const mik_problem *p,
                               const mikgen_options *opt, const mik_f32_ahead_call *ahead)
{
    mik_f32_advice a = {op, p, opt ? *opt : (mikgen_options){0}, mik_threads(opt), 0, buf, size, used};
    const size_t need = mik_f32_workspace(op, p, opt), has = opt && opt->workspace ? opt->workspace_bytes : 0;
    a.opt.speeds = NULL;
    a.opt.parallel_for = a.opt.parallel_for ? a.opt.parallel_for : mik_f32_no_pool;
    a.cost = mik_f32_expected(&a, op, p, a.threads);
    if (mik_f32_is_unequal(opt) || a.opt.plan || a.cost <= 0)
        return;
    mik_f32_advise_threads(&a);
    if (need > has)
        mik_f32_say(buf, size, used, "advice: a workspace of %lu bytes, which each call allocates without it\n", (unsigned long)need);
    if (ahead && ahead->op)
        mik_f32_advise(&a, mik_f32_expected(&a, ahead->op, &ahead->p, a.threads), "%s, with B packed once:", ahead->call);
    else if (ahead)
        mik_f32_advise(&a, mik_f32_without_packing(&a), "#pragma mikgen constant(%s) in the spec, and %s, with B packed once: about",
                       ahead->array, ahead->call);
#if MIK_F32_UNIT == 1
    for (int i = 0; i < 2; i++) {
        mik_problem q = *p;
        int64_t *const apart = i == 0 ? (q.a_k == 1 ? &q.a_m : &q.a_k) : q.b_n == 1 ? &q.b_k : &q.b_n;
        *apart += (*apart < 0 ? -64 : 64) / (int64_t)sizeof(mik_f32_panel);
        if (i == 0 ? p->a_in_place : p->b_in_place)
            mik_f32_advise(&a, mik_f32_expected(&a, op, &q, a.threads),
                           "lines of %s 64 bytes further apart (they compete for cache sets):", i ? "B" : "A");
    }
#endif
    const int steps[] = {1, mik_f32_choose(mik_isa(a.opt.isa, MIK_F32_NEEDS))->lanes, 8};
    for (int i = 0; i < 3; i++)
        mik_f32_advise_extent(&a, i, steps[i]);
}
