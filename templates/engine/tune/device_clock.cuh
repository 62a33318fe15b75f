/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Clocks of the device, and the one loop that times things. */
#pragma once
#include "tune_config.cuh"

static double tune_sample = 2e6; /* nanoseconds that one measurement lasts at least */

static void tune_check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

__global__ void tune_nothing(void) {}

/* Keeps the device busy for so many microseconds, about, while the host enqueues what is measured. */
__global__ void tune_wait(int microseconds)
{
    for (int i = 0; i < microseconds; i++)
        __nanosleep(1000);
}

/* Nanoseconds per call of n calls of run(arg), which enqueue work on the default stream, one behind the other on the device: the
   host is ahead of it. */
static double tune_calls(cudaError_t (*run)(const void *), const void *arg, int n, int wait)
{
    static cudaEvent_t from, to;
    float ms = 0;
    if (!from) {
        tune_check(cudaEventCreate(&from), "an event");
        tune_check(cudaEventCreate(&to), "an event");
    }
    if (wait > 0)
        tune_wait<<<1, 1>>>(wait);
    tune_check(cudaEventRecord(from, 0), "an event");
    for (int i = 0; i < n; i++)
        tune_check(run(arg), "a kernel");
    tune_check(cudaEventRecord(to, 0), "an event");
    tune_check(cudaEventSynchronize(to), "a kernel");
    tune_check(cudaEventElapsedTime(&ms, from, to), "an event");
    return 1e6 * ms / n;
}

/* Nanoseconds of one run(arg): the mean of as many as fill a sample, after one that warms up, unless that alone takes long. */
static double tune_time(cudaError_t (*run)(const void *), const void *arg)
{
    enum { MOST = 64, ENQUEUE = 16 }; /* calls, which the device's queue takes; microseconds of the host for one, at most */
    const double first = tune_calls(run, arg, 1, 0), one = first < 10 * tune_sample ? tune_calls(run, arg, 1, ENQUEUE) : first;
    const int n = one * MOST < tune_sample ? MOST : (int)(tune_sample / one) + 1;
    if (one >= tune_sample)
        return one;
    return tune_calls(run, arg, n, one < 1e3 * ENQUEUE ? n * ENQUEUE : 0);
}
