/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Threads for the tasks of calls, each on a core of its own as far as there are so many: OpenMP's, where the compiler is asked for them, else
   some that stay, look for work a while after the last, then sleep. */
#pragma once
#include "tune_machine.h"

typedef void tune_parallel(void *ctx, int n, void (*task)(void *arg, int i), void *arg);

#if defined(_OPENMP)
/* What calls on so many threads get as parallel_for: nothing. */
static tune_parallel *tune_threads(int threads)
{
    if (threads > 1)
        sched_setaffinity(0, sizeof tune_all, &tune_all); /* OpenMP's threads may go where the one goes that first needs them */
    return NULL;
}
#else
enum { TUNE_LOOKS = 100000 };

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int threads;                    /* with the one that calls */
    int looks;                      /* before a thread sleeps */
    int n, next, left;              /* tasks: how many; the first that nobody has; those that are not done */
    unsigned posted, done;          /* jobs */
    void (*task)(void *arg, int i);
    void *arg;
} tune_crew;

static tune_crew tune_workers = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .threads = 1};

/* Until *number is another one. As all below, in the lock when it begins and when it ends. */
static void tune_await(tune_crew *c, const unsigned *number, unsigned before)
{
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->looks && __atomic_load_n(number, __ATOMIC_RELAXED) == before; i++)
        ;
    pthread_mutex_lock(&c->lock);
    while (__atomic_load_n(number, __ATOMIC_RELAXED) == before)
        pthread_cond_wait(&c->changed, &c->lock);
}

static void tune_count_up(tune_crew *c, unsigned *number)
{
    __atomic_store_n(number, *number + 1, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&c->changed);
}

/* Those that nobody has yet, one after the other. */
static void tune_take_tasks(tune_crew *c)
{
    while (c->next < c->n) {
        const int i = c->next++;
        pthread_mutex_unlock(&c->lock);
        c->task(c->arg, i);
        pthread_mutex_lock(&c->lock);
        if (--c->left == 0)
            tune_count_up(c, &c->done);
    }
}

static void *tune_worker(void *number)
{
    tune_crew *c = &tune_workers;
    tune_stay((int)(intptr_t)number);
    pthread_mutex_lock(&c->lock);
    for (;;) {
        const unsigned posted = c->posted;
        tune_take_tasks(c);
        tune_await(c, &c->posted, posted);
    }
    return NULL;
}

static void tune_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    tune_crew *c = &tune_workers;
    (void)ctx;
    if (n < 1)
        return;
    pthread_mutex_lock(&c->lock);
    const unsigned done = c->done;
    c->task = task;
    c->arg = arg;
    c->next = 0;
    c->n = c->left = n;
    tune_count_up(c, &c->posted);
    tune_take_tasks(c);
    tune_await(c, &c->done, done);
    pthread_mutex_unlock(&c->lock);
}

/* What calls on so many threads get as parallel_for; NULL: on one. Once there are some, there are no more than these. */
static tune_parallel *tune_threads(int threads)
{
    tune_crew *c = &tune_workers;
    pthread_t thread;
    c->looks = threads <= CPU_COUNT(&tune_all) ? TUNE_LOOKS : 0; /* on the core of one that works looking is in the way */
    for (; c->threads < threads; c->threads++)
        if (pthread_create(&thread, NULL, tune_worker, (void *)(intptr_t)c->threads)) {
            fprintf(stderr, "cannot start a thread\n");
            exit(1);
        }
    return threads > 1 ? tune_for : NULL;
}
#endif
