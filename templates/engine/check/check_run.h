/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Runs a case in all ways, or in some. */
#pragma once
#include "check_settings.h"
#if MIK_CUDA
#include "device_ways.cuh"
#else
#include "ways.h"
#endif

static int mik_run_all_ways(const Case *c)
{
    int wrong = 0;
    for (int w = 0; w < mik_way_count(c->op) && !wrong; w++)
        for (int flush = AT_END; flush <= AT_BEGIN && !wrong; flush++) {
            Way way = mik_way(c->op, w);
            wrong = mik_run_way(c, &way, (Flush)flush) > 0;
#if !MIK_CUDA
            char name[80];
            snprintf(name, sizeof name, "constants prepacked, %s", way.name);
            way.name = name;
            way.packed = c->op->packed != NULL;
            wrong = wrong || (way.packed && mik_run_way(c, &way, (Flush)flush) > 0);
#endif
        }
    return wrong;
}

#if MIK_CUDA
/* The dispatcher's choice, and as many plans sampled as are wanted; what the operator refuses is sampled again, but not for ever. */
static int mik_run_some_ways(const Case *c)
{
    const Way choice = mik_way(c->op, 0);
    int wrong = mik_run_way(c, &choice, AT_BEGIN) > 0;
    for (int draw = 0, done = 0; draw < 20 * ways_wanted && done < ways_wanted && !wrong; draw++) {
        const Way way = mik_way(c->op, (int)mik_below(mik_way_count(c->op)));
        const int result = mik_run_way(c, &way, (Flush)mik_below(2));
        wrong = result > 0;
        done += result >= 0;
    }
    return wrong;
}

#endif
static void mik_run_case(Case *c, DataKind data)
{
    if (!mik_measure(c) || !mik_prepare(c, data)) {
        skipped++;
        mik_finish(c);
        return;
    }
#if MIK_CUDA
    int wrong = ways_wanted > 0 ? mik_run_some_ways(c) : mik_run_all_ways(c);
#else
    int wrong = mik_run_all_ways(c);
#endif
    passed += !wrong;
    failed += wrong;
    mik_finish(c);
}
