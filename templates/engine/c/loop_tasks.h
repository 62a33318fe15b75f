/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Non-GEMM loops, cut for threads: the outermost loop, and the one in it where that alone has too few iterations. */
#pragma once
#include "runtime.h"
#if MIK_TRACE
#include "loop_names.h"
#endif

#ifndef MIK_LOOP_TASK_NS
#define MIK_LOOP_TASK_NS 50000.0 /* of estimated work that is worth a task of its own: chosen, not measured */
#endif

/* Iterations [begin, end) of the outermost loop, of each [first, last) of the one in it. */
typedef struct {
    int isa, non_temporal;               /* the instruction set; are outputs stored non-temporally? */
    int64_t begin, end;
#if MIK_WITH_INNER
    int64_t first, last;
#endif
#if MIK_TRACE
    const mik_loop_names *names;
#endif
} mik_piece;

typedef void mik_loop_part(const void *args, const mik_piece *piece);
#if MIK_TRACE
#if MIK_WITH_NAMED_LOOPS

/* Runs a piece, and tells that worker w has done so. */
static void mik_told_piece(mik_loop_part *part, const void *args, const mik_piece *piece, const mikgen_options *opt, int w)
{
    const uint64_t begin = mik_trace_begin(opt);
    part(args, piece);
    if (begin && piece->begin < piece->end) {
        mikgen_trace_event e = {
            .op = piece->names->op, .stage = piece->names->stage, .what = "loops", .kernel = mik_loop_kernel(piece->isa)};
        e.m0 = piece->begin;
        e.m1 = piece->end;
#if MIK_WITH_INNER
        e.n0 = piece->first;
        e.n1 = piece->last;
#endif
        e.begin = begin;
        mik_trace_end(opt, w, &e);
    }
}
#endif
#endif

#if MIK_WITH_NESTS
typedef struct {
    mik_loop_part *part;
    const void *args;
    const mik_piece *all;
    int pieces, inner;           /* of the outermost loop, and of the one in it */
    const float *speeds;         /* of the threads that have them; NULL: all are alike */
#if MIK_TRACE
    const mikgen_options *opt;
#endif
} mik_loops;

#endif
/* Where piece i begins. */
static int64_t mik_cut(int64_t count, int pieces, int i) { return count / pieces * i + count % pieces * i / pieces; }

/* The same, each piece as long as its thread is fast. */
static int64_t mik_cut_by_speed(int64_t count, int pieces, int i, const float *speeds)
{
    double before = 0, all = 0;
    if (!speeds || i == pieces)
        return mik_cut(count, pieces, i);
    for (int j = 0; j < pieces; j++) {
        before += j < i ? (double)speeds[j] : 0;
        all += (double)speeds[j];
    }
    return (int64_t)((double)count * (before / all));
}
#if MIK_WITH_NESTS

static void mik_loop_task(void *arg, int i)
{
    const mik_loops *l = arg;
    mik_piece piece = *l->all;
    piece.begin = mik_cut_by_speed(l->all->end, l->pieces, i / l->inner, l->speeds);
    piece.end = mik_cut_by_speed(l->all->end, l->pieces, i / l->inner + 1, l->speeds);
#if MIK_WITH_INNER
    piece.first = mik_cut(l->all->last, l->inner, i % l->inner);
    piece.last = mik_cut(l->all->last, l->inner, i % l->inner + 1);
#endif
#if MIK_TRACE
    mik_told_piece(l->part, l->args, &piece, l->opt, i);
#else
    l->part(l->args, &piece);
#endif
}

#if MIK_WITH_TASKS
/* How many tasks: `each` for a thread, fewer where not so many are worth one. */
static int64_t mik_count_tasks(int threads, double most, int each)
{
    const int64_t worth = most < INT32_MAX ? (int64_t)most : INT32_MAX, of_thread = worth / threads;
    return worth < threads ? worth : threads * (of_thread < each ? of_thread : each);
}

/* As mik_parallel() runs them; where they are more than threads, one that is done takes the next. */
static void mik_deal_tasks(const mikgen_options *opt, int n, void (*task)(void *, int), void *arg)
{
#if defined(_OPENMP)
    if (n > opt->threads && !opt->parallel_for) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(opt->threads)
        for (int i = 0; i < n; i++)
            task(arg, i);
        return;
    }
#endif
    mik_parallel(opt, n, task, arg);
}

/* *all: from iteration 0 on. *nanoseconds: what it would take one thread. each: tasks for a thread; threads of different speeds have one, as
   long as they are fast. Which iterations are cut where changes no result. */
static int mik_run_loops(mik_loop_part *part, const void *args, const mik_piece *all, double nanoseconds, int each,
                         const mikgen_options *opt)
#else
/* *all: from iteration 0 on. *nanoseconds: what it would take one thread. Which iterations are cut where changes no result. */
static int mik_run_loops(mik_loop_part *part, const void *args, const mik_piece *all, double nanoseconds, const mikgen_options *opt)
#endif
{
#if MIK_TRACE
    mik_loops l = {part, args, all, 1, 1, NULL, opt};
#else
    mik_loops l = {part, args, all, 1, 1, NULL};
#endif
    const int threads = mik_threads(opt);
    const double most = threads > 1 ? nanoseconds / MIK_LOOP_TASK_NS : 0; /* tasks */
#if MIK_WITH_TASKS
    const int64_t tasks = mik_count_tasks(threads, most, opt && opt->speeds ? 1 : each);
#else
    const int64_t tasks = threads < most ? threads : (int64_t)most;
#endif
    if (!all->isa)
        return MIKGEN_UNSUPPORTED;
    if (tasks > 1 && all->end > 0) {
        l.pieces = (int)(tasks < all->end ? tasks : all->end);
#if MIK_WITH_INNER
        const int64_t left = tasks / l.pieces;
        l.inner = (int)(left < 2 ? 1 : left < all->last ? left : all->last > 1 ? all->last : 1);
#endif
        l.speeds = l.inner == 1 ? opt->speeds : NULL;
#if MIK_WITH_TASKS
        mik_deal_tasks(opt, l.pieces * l.inner, mik_loop_task, &l);
#else
        mik_parallel(opt, l.pieces * l.inner, mik_loop_task, &l);
#endif
    } else {
#if MIK_TRACE
        mik_told_piece(part, args, all, opt, 0);
#else
        part(args, all);
#endif
    }
    return MIKGEN_OK;
}
#endif
