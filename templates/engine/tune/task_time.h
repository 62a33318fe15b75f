/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a task costs that another thread does. */
#pragma once
#include "clock.h"
#include "tune_machine.h"
#include "../c/runtime.h"

static int tune_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#if defined(_OPENMP)
static void tune_nothing(void *arg, int i) { (void)arg, (void)i; }

/* Nanoseconds that the emitted file's own parallel loop takes for nothing: the median. */
static double tune_task(void)
{
    enum { TIMES = 101 };
    double times[TIMES];
    mikgen_options opt;
    memset(&opt, 0, sizeof opt);
    opt.threads = CPU_COUNT(&tune_all);
    sched_setaffinity(0, sizeof tune_all, &tune_all);
    for (int i = 0; i < TIMES; i++) {
        const double from = tune_clock(CLOCK_MONOTONIC);
        mik_parallel(&opt, opt.threads, tune_nothing, NULL);
        times[i] = tune_clock(CLOCK_MONOTONIC) - from;
    }
    sched_setaffinity(0, sizeof tune_mine, &tune_mine);
    qsort(times, TIMES, sizeof *times, tune_compare);
    return times[TIMES / 2];
}
#else
/* A thread of a pool that sleeps until there is work. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int posted, done, stop;
} tune_pool;

static void *tune_worker(void *arg)
{
    tune_pool *pool = arg;
    cpu_set_t others = tune_all;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &tune_mine))
            CPU_CLR(i, &others);
    sched_setaffinity(0, sizeof others, &others);
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop) {
        while (pool->posted == pool->done && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->lock);
        pool->done = pool->posted;
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Nanoseconds from handing an empty task to a thread of a pool until it is known to be done: the median. */
static double tune_task(void)
{
    enum { TIMES = 101 };
    double times[TIMES];
    tune_pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, tune_worker, &pool)) {
        fprintf(stderr, "cannot start a thread\n");
        exit(1);
    }
    for (int i = 0; i < TIMES; i++) {
        const double from = tune_clock(CLOCK_MONOTONIC);
        pthread_mutex_lock(&pool.lock);
        pool.posted++;
        pthread_cond_broadcast(&pool.wake);
        while (pool.done != pool.posted)
            pthread_cond_wait(&pool.wake, &pool.lock);
        pthread_mutex_unlock(&pool.lock);
        times[i] = tune_clock(CLOCK_MONOTONIC) - from;
    }
    pthread_mutex_lock(&pool.lock);
    pool.stop = 1;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    pthread_join(thread, NULL);
    qsort(times, TIMES, sizeof *times, tune_compare);
    return times[TIMES / 2];
}
#endif
