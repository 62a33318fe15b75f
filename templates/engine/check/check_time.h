/* Times one tuple: --time=TUPLE. */
#pragma once
#include "check_case.h"
#include "check_settings.h"

enum { PLACES = 4 }; /* where arrays are: how pages fall into caches is a matter of luck */

typedef struct {
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
} TimedCall;

/* Seconds of one call on the arrays' values on entry. */
static double mik_time_call(const Case *c, TimedCall *call, int reference)
{
    struct timespec from, to;
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i) && !c->op->params[i].is_const)
            memcpy(call->args[i].p, c->entry[i], mik_bytes(c, i));
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (reference)
        c->op->reference(call->args);
    else
        c->op->serial(call->args);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Two calls of each in turn, the second right after the first: code, tables and pages are where they are in a program that calls it
   often. best[]: of the emitted operator, of the reference. */
static double mik_time_round(const Case *c, TimedCall *calls, int round, double *best)
{
    double total = 0;
    for (int turn = 0; turn < 4; turn++) {
        const int reference = (turn / 2 + round) % 2; /* neither is always the first */
        const double t = mik_time_call(c, &calls[reference], reference);
        total += t;
        best[reference] = t < best[reference] ? t : best[reference];
    }
    return total;
}

/* The spec as it was compiled and the emitted operator in turn, serial; the best of each. */
static void mik_time_case(Case *c, DataKind data)
{
    static TimedCall calls[2];
    double best[2] = {1e30, 1e30}, total = 0;
    if (!mik_measure(c) || !mik_prepare(c, data)) {
        printf("%s: the spec is not meant for these extents\n", mik_describe(c));
        skipped++;
        mik_finish(c);
        return;
    }
    for (int place = 1; place <= PLACES; place++) {
        for (int i = 0; i < 2; i++)
            mik_place(c, calls[i].args, calls[i].buffers, AS_IN_USE);
        for (int round = 0; round < 2 || (total < 0.1 * place && round < 100); round++)
            total += mik_time_round(c, calls, round, best);
        for (int i = 0; i < 2; i++)
            mik_release_all(calls[i].buffers);
    }
    printf("%s: spec %.3g us, emitted %.3g us, ratio %.3f\n", mik_describe(c), best[1] * 1e6, best[0] * 1e6, best[1] / best[0]);
    passed++;
    mik_finish(c);
}
