/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What the families share at run time: tasks for threads. */
#pragma once
#include "isa.h"
#include "problem.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* How many tasks may run at once. */
static int mik_threads(const mikgen_options *opt)
{
    if (!opt || opt->threads <= 1)
        return 1;
    if (opt->parallel_for)
        return opt->threads;
#if defined(_OPENMP)
    if (!omp_in_parallel())
        return opt->threads;
#endif
    return 1;
}

#if MIK_WITH_FAMILIES
/* How fast worker w is beside the others. */
static double mik_speed(const mikgen_options *opt, int w) { return opt->speeds ? (double)opt->speeds[w] : 1; }

/* How fast the first n of them are together. */
static double mik_speeds(const mikgen_options *opt, int n)
{
    double all = 0;
    for (int w = 0; w < n; w++)
        all += mik_speed(opt, w);
    return all;
}

#endif
/* Runs task(arg, 0) .. task(arg, n - 1), in any order, and returns when all are done. */
static void mik_parallel(const mikgen_options *opt, int n, void (*task)(void *, int), void *arg)
{
    if (n > 1 && opt && opt->parallel_for) {
        opt->parallel_for(opt->parallel_ctx, n, task, arg);
#if defined(_OPENMP)
    } else if (n > 1) {
#pragma omp parallel for schedule(static, 1) num_threads(n)
        for (int i = 0; i < n; i++)
            task(arg, i);
#endif
    } else {
        for (int i = 0; i < n; i++)
            task(arg, i);
    }
}
