/* Loops that are no contraction, cut for threads: the outermost loop, and the one in it where that alone has too few iterations. */
#pragma once
#include "runtime.h"

#define MIK_LOOP_TASK_NS 50000.0 /* of estimated work that is worth a task of its own: chosen, not measured */

/* Iterations [begin, end) of the outermost loop, of each [first, last) of the one in it; past: outputs go past the caches. */
typedef void mik_loop_part(const void *args, int isa, int past, int64_t begin, int64_t end, int64_t first, int64_t last);

typedef struct {
    mik_loop_part *part;
    const void *args;
    int isa, past;
    int64_t count[2];            /* iterations, */
    int pieces[2];               /* and in how many pieces each loop is cut */
} mik_loops;

static void mik_loop_task(void *arg, int i)
{
    const mik_loops *l = arg;
    const int64_t outer = i / l->pieces[1], inner = i % l->pieces[1];
    const int64_t *count = l->count;
    const int *pieces = l->pieces;
    l->part(l->args, l->isa, l->past, count[0] / pieces[0] * outer + count[0] % pieces[0] * outer / pieces[0],
            count[0] / pieces[0] * (outer + 1) + count[0] % pieces[0] * (outer + 1) / pieces[0],
            count[1] / pieces[1] * inner + count[1] % pieces[1] * inner / pieces[1],
            count[1] / pieces[1] * (inner + 1) + count[1] % pieces[1] * (inner + 1) / pieces[1]);
}

/* *nanoseconds: what all of it would take one thread. Which iterations are cut where changes no result. */
static void mik_run_loops(mik_loops *l, double nanoseconds, const mikgen_options *opt)
{
    int64_t tasks = mik_threads(opt);
    if (tasks > nanoseconds / MIK_LOOP_TASK_NS)
        tasks = (int64_t)(nanoseconds / MIK_LOOP_TASK_NS);
    if (tasks <= 1 || l->count[0] <= 0) {
        l->part(l->args, l->isa, l->past, 0, l->count[0], 0, l->count[1]);
        return;
    }
    l->pieces[0] = (int)(tasks < l->count[0] ? tasks : l->count[0]);
    const int64_t left = tasks / l->pieces[0];
    l->pieces[1] = (int)(left < 2 ? 1 : left < l->count[1] ? left : l->count[1] > 1 ? l->count[1] : 1);
    mik_parallel(opt, l->pieces[0] * l->pieces[1], mik_loop_task, l);
}
