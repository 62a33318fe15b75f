/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Clocks, and the one loop that times things. */
#pragma once
#include "tune_config.h"

static double tune_sample = 1e6;        /* nanoseconds that one measurement lasts at least */

static double tune_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds of one run(arg): the average of as many as fill a sample, after one that warms up. */
static double tune_time_by(clockid_t clock, void (*run)(void *), void *arg)
{
    run(arg);
    for (double n = 1;;) {
        const double from = tune_clock(clock);
        for (double i = 0; i < n; i++)
            run(arg);
        const double spent = tune_clock(clock) - from;
        if (spent >= tune_sample)
            return spent / n;
        n *= spent < tune_sample / 100 ? 20 : 1.2 * tune_sample / spent + 0.1;
    }
}

/* The time of this thread alone counts, not that of others on the same core. */
static double tune_time(void (*run)(void *), void *arg) { return tune_time_by(CLOCK_THREAD_CPUTIME_ID, run, arg); }
