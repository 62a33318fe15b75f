/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPINS = 10000 };

struct Pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    int nworkers;
    atomic_uint job; /* number of the current job; changes when one begins */
    atomic_int next; /* task to be claimed */
    atomic_int busy; /* workers that are not done with the job */
    atomic_bool stop;
    int n;
    void (*task)(void *arg, int i);
    void *arg;
    pthread_t workers[];
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void claim_tasks(Pool *pool)
{
    for (int i; (i = atomic_fetch_add(&pool->next, 1)) < pool->n;)
        pool->task(pool->arg, i);
}

static void wait_for_job(Pool *pool, unsigned last)
{
    for (int spin = 0; spin < SPINS; spin++) {
        if (atomic_load(&pool->job) != last)
            return;
        relax();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->job) == last)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *arg)
{
    Pool *pool = arg;
    for (unsigned last = 0;; last++) {
        wait_for_job(pool, last);
        if (atomic_load(&pool->stop))
            return NULL;
        claim_tasks(pool);
        atomic_fetch_sub(&pool->busy, 1);
    }
}

static void begin_job(Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

Pool *pool_start(int n)
{
    Pool *pool = calloc(1, sizeof *pool + (size_t)n * sizeof pool->workers[0]);
    if (!pool)
        abort();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (; pool->nworkers < n - 1; pool->nworkers++)
        if (pthread_create(&pool->workers[pool->nworkers], NULL, work, pool) != 0) {
            perror("pthread_create");
            exit(2);
        }
    return pool;
}

void pool_for(Pool *pool, int n, void (*task)(void *arg, int i), void *arg)
{
    pool->n = n;
    pool->task = task;
    pool->arg = arg;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->busy, pool->nworkers);
    begin_job(pool);
    claim_tasks(pool);
    while (atomic_load(&pool->busy) > 0)
        relax();
}

int pool_threads(const Pool *pool) { return pool->nworkers + 1; }

void pool_stop(Pool *pool)
{
    atomic_store(&pool->stop, true);
    begin_job(pool);
    for (int i = 0; i < pool->nworkers; i++)
        pthread_join(pool->workers[i], NULL);
    free(pool);
}
