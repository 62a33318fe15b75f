/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The options of a way to run, and a pool of two threads for the operators' parallel_for. */
#pragma once
#include "check_table.h"

typedef struct {
    int n;
    void (*task)(void *arg, int i);
    void *arg;
} Half;

static void *run_odd(void *pointer)
{
    const Half *h = pointer;
    for (int i = 1; i < h->n; i += 2)
        h->task(h->arg, i);
    return NULL;
}

/* How often the operator has asked for its tasks in this run. */
static int asked;

/* Odd tasks on a new thread, even ones here. An operator may ask once for each row of something, and threads take long to
   start: after a few times all tasks mostly run here, one by one, the last one first. */
static void two_threads(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    Half half = {n, task, arg};
    pthread_t thread;
    (void)ctx;
    const int real = asked < 3 || asked % 64 == 0;
    asked++;
    for (int i = n - 1; !real && i >= 0; i--)
        task(arg, i);
    if (!real)
        return;
    int started = n > 1 && pthread_create(&thread, NULL, run_odd, &half) == 0;
    for (int i = 0; i < n; i += started ? 2 : 1)
        task(arg, i);
    if (started)
        pthread_join(thread, NULL);
}

static mikgen_options mik_options_of(const Way *way)
{
    static const float unequal[] = {1, 0.25f, 2, 1, 0.5f};
    mikgen_options opt;
    memset(&opt, 0, sizeof opt);
    asked = 0;
    opt.threads = way->threads;
    opt.isa = way->isa;
    opt.plan = way->plan;
    opt.parallel_for = way->threads > 1 ? two_threads : NULL;
    opt.speeds = way->threads == 5 ? unequal : NULL;
    return opt;
}
