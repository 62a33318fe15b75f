/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Runs a case in all ways, or in some. */
#pragma once
#include "check_settings.h"
#if MIK_CUDA
#include "device_ways.cuh"
#else
#include "ways.h"
#endif

/* Way number w, and the same with constants prepacked. 1: wrong; less than 0: the operator refuses it. */
static int mik_run_way_of(const Case *c, int w, Flush flush)
{
    Way way = mik_way(c->op, w);
    int result = mik_run_way(c, &way, flush);
#if !MIK_CUDA
    if (result <= 0 && c->op->packed) {
        char name[80];
        snprintf(name, sizeof name, "constants prepacked, %s", way.name);
        way.name = name;
        way.packed = 1;
        if (mik_run_way(c, &way, flush) > 0)
            result = 1;
    }
#endif
    return result;
}

static int mik_run_all_ways(const Case *c)
{
    int wrong = 0;
    for (int w = 0; w < mik_way_count(c->op) && !wrong; w++)
        for (int flush = AT_END; flush <= AT_BEGIN && !wrong; flush++)
            wrong = mik_run_way_of(c, w, (Flush)flush) > 0;
    return wrong;
}

/* The first way, which for GPUs is the dispatcher's choice, and as many sampled as are wanted; what the operator refuses is sampled again,
   but not for ever. */
static int mik_run_some_ways(const Case *c)
{
    int wrong = mik_run_way_of(c, 0, AT_BEGIN) > 0;
    for (int draw = 0, done = 0; draw < 20 * ways_wanted && done < ways_wanted && !wrong; draw++) {
        const int w = (int)mik_below(mik_way_count(c->op)), result = mik_run_way_of(c, w, (Flush)mik_below(2));
        wrong = result > 0;
        done += result >= 0;
    }
    return wrong;
}

static void mik_run_case(Case *c, DataKind data)
{
    if (!mik_measure(c) || !mik_prepare(c, data)) {
        skipped++;
        mik_finish(c);
        return;
    }
    const int wrong = ways_wanted > 0 && ways_wanted < mik_way_count(c->op) ? mik_run_some_ways(c) : mik_run_all_ways(c);
    passed += !wrong;
    failed += wrong;
    mik_finish(c);
}
