/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A ragged batch: the products of a loop's iterations, whose extents differ. */
#pragma once
#include "problem.h"

typedef struct {
    int64_t count;               /* of iterations */
    /* Makes *args those of iteration number `index`, which alone touches [*first, *end) of what all of them write parts of. */
    void (*group)(void *args, int64_t index, int64_t *first, int64_t *end);
    void (*problem)(const void *args, mik_problem *p);
    int (*run)(const void *args, const mikgen_options *opt);
    void (*task)(void *job, int w); /* calls the job's work() with arguments of its own, copies of `args` */
} mik_ragged;

/* What tasks are called with. */
typedef struct {
    const void *args;
    void (*work)(void *job, void *args, int w);
} mik_ragged_job;
