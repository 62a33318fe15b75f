/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Timing whole calls of one family, as its planner decides them under the engine's blocking parameters of the moment. */
#pragma once
#include "kernel_time.h"

typedef struct {
    const mik_f32_panel *a, *b;
    mik_f32_acc *c;
    mik_f32_job job;
    int small;                        /* no plan is made for it */
} tune_f32_call;

static const mik_f32_panel *tune_f32_call_a(const void *s, int64_t batch) { return (void)batch, ((const tune_f32_call *)s)->a; }
static const mik_f32_panel *tune_f32_call_b(const void *s, int64_t batch) { return (void)batch, ((const tune_f32_call *)s)->b; }
static mik_f32_acc *tune_f32_call_c(const void *s, int64_t batch) { return (void)batch, ((const tune_f32_call *)s)->c; }

static const mik_f32_operation tune_f32_call_operation = {
    .a = tune_f32_call_a, .b = tune_f32_call_b, .c = tune_f32_call_c, .kind = MIK_STORE};

static void tune_f32_run_call(void *arg)
{
    tune_f32_call *x = arg;
    if (x->small)
        mik_f32_small(x->job.op, x, &x->job.p, x->job.opt);
    else
        mik_f32_work(&x->job, 0);
}

/* m x n x k, all of it in place: rows of A `a_m` elements apart, those of B and C `row`. */
static mik_problem tune_f32_problem(int64_t m, int64_t n, int64_t k, int64_t a_m, int64_t row)
{
    const mik_problem p = {.batch = 1,
                           .m = m,
                           .n = n,
                           .k = k,
                           .a_m = a_m,
                           .a_k = 1,
                           .b_k = row,
                           .b_n = 1,
                           .c_m = row,
                           .c_n = 1,
                           .a_in_place = 1,
                           .b_in_place = 1,
                           .c_direct = 1};
    return p;
}

/* Nanoseconds of a call of one thread on m x n x k, A, B and C without gaps between their rows. Plans that are kept belong to other
   numbers, so the call's is made anew, outside the time. */
static double tune_f32_called(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    tune_f32_call x;
    mikgen_options opt;
    memset(&x, 0, sizeof x);
    memset(&opt, 0, sizeof opt);
    opt.isa = isa->level;
    x.a = tune_keep(TUNE_A, (size_t)(m * k) * sizeof *x.a + 4096);
    x.b = tune_keep(TUNE_B, (size_t)(k * n) * sizeof *x.b + 4096);
    x.c = tune_keep(TUNE_C, (size_t)(m * n) * sizeof *x.c + 4096);
    const mik_problem p = tune_f32_problem(m, n, k, k, n);
    x.small = mik_f32_small(&tune_f32_call_operation, &x, &p, &opt);
    if (!mik_f32_prepare(&x.job, &tune_f32_call_operation, &x, &p, &opt))
        return -1;
    mik_f32_decide(x.job.isa, &x.job.shape, &x.job.plan);
    x.job.count = mik_f32_regions(x.job.isa, &x.job.shape, &x.job.plan, x.job.regions);
    return tune_time(tune_f32_run_call, &x);
}
