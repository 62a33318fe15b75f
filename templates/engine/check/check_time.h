/* Times one tuple: --time=TUPLE. */
#pragma once
#include "check_case.h"
#include "check_settings.h"

/* Seconds of one call on fresh copies of the arrays, right after another one: code, tables and pages are where they are in
   a program that calls it often. */
static double mik_time_call(const Case *c, int reference)
{
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
    struct timespec from, to;
    mik_place(c, args, buffers, AT_END);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < c->op->count && turn > 0; i++)
            if (mik_is_array(c, i))
                memcpy(args[i].p, c->entry[i], mik_bytes(c, i));
        clock_gettime(CLOCK_MONOTONIC, &from);
        if (reference)
            c->op->reference(args);
        else
            c->op->serial(args);
        clock_gettime(CLOCK_MONOTONIC, &to);
    }
    mik_release_all(buffers);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* The spec as it was compiled and the emitted operator in turn, serial; the best of each. */
static void mik_time_case(Case *c, DataKind data)
{
    double best[2] = {1e30, 1e30}, total = 0;
    if (!mik_measure(c) || !mik_prepare(c, data)) {
        printf("%s: the spec is not meant for these extents\n", mik_describe(c));
        skipped++;
        mik_finish(c);
        return;
    }
    for (int round = 0; round < 7 || (total < 0.5 && round < 1000); round++)
        for (int turn = 0; turn < 2; turn++) {
            int reference = (turn + round) % 2; /* neither is always the first */
            double t = mik_time_call(c, reference);
            total += t;
            best[reference] = t < best[reference] ? t : best[reference];
        }
    printf("%s: spec %.3g us, emitted %.3g us, ratio %.3f\n", mik_describe(c), best[1] * 1e6, best[0] * 1e6, best[1] / best[0]);
    passed++;
    mik_finish(c);
}
