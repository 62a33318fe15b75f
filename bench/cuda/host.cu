/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host.h"

#include <algorithm>
#include <math.h>
#include <stdio.h>

#include "operator_options.h"

static double clock_cost(void)
{
    double least = INFINITY;
    for (int i = 0; i < 1000; i++) {
        const double begin = seconds_now();
        least = std::min(least, seconds_now() - begin);
    }
    return 1e9 * least;
}

static void report_decisions(const Operator *op, const std::vector<Shape> &shapes)
{
    const double clock = clock_cost();
    std::vector<double> times;
    mikgen_cuda_options plan = {};
    for (const Shape &s : shapes) {
        const double begin = seconds_now();
        op->plan(s, &plan);
        times.push_back(std::max(0.0, 1e9 * (seconds_now() - begin) - clock));
    }
    if (times.empty())
        return;
    std::sort(times.begin(), times.end());
    printf("a decision, NAME_plan, over %zu shapes: median %.0f, 99 %% %.0f, most %.0f\n", times.size(), times[times.size() / 2],
           times[times.size() * 99 / 100], times.back());
}

static __global__ void empty_kernel(Layout layout, Shape shape)
{
    (void)layout;
    (void)shape;
}

static bool call_empty(void *self, int)
{
    const Bench *const bench = (const Bench *)self;
    Layout layout = bench->layout;
    Shape shape = bench->shape;
    void *arguments[] = {&layout, &shape};
    return cudaLaunchKernel((const void *)empty_kernel, dim3(1), dim3(32), arguments, 0, bench->race->stream) == cudaSuccess;
}

static bool call_ours(void *self, int copy) { return bench_call((Bench *)self, NULL, copy); }

static bool call_cublas(void *self, int)
{
    Bench *const bench = (Bench *)self;
    return cublas_run(bench->cublas, bench->shape, bench->random, bench->random + bench->layout.a, bench->out);
}

/* Nanoseconds that enqueuing takes, of the best of 20 bursts that fit the stream's queue. */
static double enqueue(Bench *bench, bool (*call)(void *, int))
{
    enum { BURST = 200 };
    double least = INFINITY;
    for (int round = 0; round < 20; round++) {
        const double begin = seconds_now();
        for (int i = 0; i < BURST; i++)
            if (!call(bench, 0))
                return INFINITY;
        least = std::min(least, (seconds_now() - begin) / BURST);
        CHECK(cudaStreamSynchronize(bench->race->stream));
    }
    return 1e9 * least;
}

/* Different small shapes, each for the first time: the decision included. The median. */
static double enqueue_new(Bench *bench)
{
    std::vector<double> times;
    for (int i = 0; i < 300; i++) {
        bench_take(bench, {"new", 32 + i % 7, 40 + i % 11, 48 + i % 13});
        const double begin = seconds_now();
        if (!call_ours(bench, 0))
            return INFINITY;
        times.push_back(seconds_now() - begin);
        if (i % 50 == 49)
            CHECK(cudaStreamSynchronize(bench->race->stream));
    }
    CHECK(cudaStreamSynchronize(bench->race->stream));
    std::sort(times.begin(), times.end());
    return 1e9 * times[times.size() / 2];
}

void host_report(Bench *bench, const std::vector<Shape> &shapes)
{
    printf("\n%s, nanoseconds of the host\n", bench->op->type);
    report_decisions(bench->op, shapes);
    bench_take(bench, {"small", 64, 64, 64});
    printf("a call enqueued, 64x64x64: %.0f; a kernel that does nothing: %.0f", enqueue(bench, call_ours), enqueue(bench, call_empty));
    if (bench->cublas)
        printf("; cuBLAS: %.0f", enqueue(bench, call_cublas));
    printf("\na call of a new shape, enqueued: %.0f\n", enqueue_new(bench));
    fflush(stdout);
}
