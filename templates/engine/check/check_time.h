/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Times one tuple: --time=TUPLE. */
#pragma once
#include "check_case.h"
#include "check_settings.h"

enum { PLACES = 4, MOST_CALLS = 1000 }; /* where arrays are: how pages fall into caches is a matter of luck; calls in a row */
static const double SHORT = 5e-6, LONG = 4e-5; /* seconds: of what is called several times in a row, and what these are to take */

/* Where a function begins in a line of the cache costs up to a nanosecond a call. */
#if defined(__GNUC__)
#define MIK_OWN_PLACE __attribute__((noinline, aligned(64)))
#else
#define MIK_OWN_PLACE
#endif

/* Who is called. NEITHER: what is left is giving the arrays their values. */
enum { EMITTED, REFERENCE, NEITHER, CALLED };

typedef struct {
    Arg args[MAX_PARAMS];
    Buffer buffers[MAX_PARAMS];
} TimedCall;

/* Arrays that a call reads and changes get their values on entry. */
static void mik_restore(const Case *c, TimedCall *call)
{
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i) && !c->op->params[i].is_const && c->op->params[i].read)
            memcpy(call->args[i].p, c->entry[i], mik_bytes(c, i));
}

/* So many calls in a row, with what gives the arrays their values between them. Each has a loop of its own, alike to the instruction: of an
   indirect call with two targets the processor predicts one sooner, which were up to 0.9 ns of 3. */
#define MIK_CALLS(name, call_once) \
    static MIK_OWN_PLACE void name(const Case *c, TimedCall *call, int calls) \
    { \
        for (int i = 0; i < calls; i++) { \
            if (calls > 1) \
                mik_restore(c, call); \
            call_once; \
        } \
    }
MIK_CALLS(mik_call_emitted, c->op->serial(call->args))
MIK_CALLS(mik_call_reference, c->op->reference(call->args))
MIK_CALLS(mik_call_neither, (void)0)
#undef MIK_CALLS

/* Seconds of one of so many calls in a row. */
static double mik_time_call(const Case *c, TimedCall *call, int called, int calls)
{
    struct timespec from, to;
    mik_restore(c, call);
    clock_gettime(CLOCK_MONOTONIC, &from);
    (called == EMITTED ? mik_call_emitted : called == REFERENCE ? mik_call_reference : mik_call_neither)(c, call, calls);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / calls;
}

/* Each twice in turn, the second right after the first: code, tables and pages are where they are in a program that calls it often. */
static double mik_time_round(const Case *c, TimedCall *calls, int round, int in_a_row, double *best)
{
    double total = 0;
    for (int turn = 0; turn < 4; turn++) {
        const int called = (turn / 2 + round) % 2 ? REFERENCE : EMITTED; /* neither is always the first */
        const double t = mik_time_call(c, &calls[called], called, in_a_row);
        total += t * in_a_row;
        best[called] = t < best[called] ? t : best[called];
    }
    const double t = in_a_row > 1 ? mik_time_call(c, &calls[EMITTED], NEITHER, in_a_row) : 0;
    best[NEITHER] = t < best[NEITHER] ? t : best[NEITHER];
    return total + t * in_a_row;
}

/* At PLACES places in turn, the best of all. */
static void mik_time_places(const Case *c, int in_a_row, double *best)
{
    static TimedCall calls[2];
    double total = 0;
    for (int called = 0; called < CALLED; called++)
        best[called] = 1e30;
    for (int place = 1; place <= PLACES; place++) {
        for (int i = 0; i < 2; i++)
            mik_place(c, calls[i].args, calls[i].buffers, AS_IN_USE);
        for (int round = 0; round < 2 || (total < 0.1 * place && round < 100); round++)
            total += mik_time_round(c, calls, round, in_a_row, best);
        for (int i = 0; i < 2; i++)
            mik_release_all(calls[i].buffers);
    }
}

/* The spec as it was compiled and the emitted operator in turn, serial; the best of each. */
static void mik_time_case(Case *c, DataKind data)
{
    double best[CALLED];
    if (!mik_measure(c) || !mik_prepare(c, data)) {
        printf("%s: the spec is not meant for these extents\n", mik_describe(c));
        skipped++;
        mik_finish(c);
        return;
    }
    mik_time_places(c, 1, best);
    const double least = best[REFERENCE] < best[EMITTED] ? best[REFERENCE] : best[EMITTED];
    if (least < SHORT)
        mik_time_places(c, least * MOST_CALLS < LONG ? MOST_CALLS : (int)(LONG / least), best);
    printf("%s: spec %.4g us, emitted %.4g us, ratio %.3f\n", mik_describe(c), (best[REFERENCE] - best[NEITHER]) * 1e6,
           (best[EMITTED] - best[NEITHER]) * 1e6, (best[REFERENCE] - best[NEITHER]) / (best[EMITTED] - best[NEITHER]));
    passed++;
    mik_finish(c);
}
