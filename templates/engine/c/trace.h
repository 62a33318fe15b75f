/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Telling what a call does, if its options ask: where they do not, it costs a test. */
#pragma once
#include "trace_clock.h"
#include "config.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* When something begins, of which mik_trace_end() is to tell; 0: nobody asks. */
static inline uint64_t mik_trace_begin(const mikgen_options *opt) { return opt && opt->trace ? mik_now() : 0; }

/* Tells of *e, whose beginning is known, that worker w has done it. */
static inline void mik_trace_end(const mikgen_options *opt, int w, mikgen_trace_event *e)
{
    e->end = mik_now();
    e->worker = opt->trace_worker + w;
#if defined(_OPENMP)
    if (!opt->parallel_for && omp_in_parallel())
        e->worker = opt->trace_worker + omp_get_thread_num();
#endif
    opt->trace(opt->trace_ctx, e);
}

/* Tells that an operator's call is over, and hands on how it came back. */
static inline int mik_tell_call(const mikgen_options *opt, const char *op, uint64_t begin, int status)
{
    if (begin) {
        mikgen_trace_event e = {.op = op, .what = "call", .begin = begin};
        mik_trace_end(opt, 0, &e);
    }
    return status;
}
#if MIK_WITH_OWN_OPTIONS

/* What worker w adds to trace_worker in options of its own, by which it calls others. */
static inline int mik_trace_offset(const mikgen_options *opt, int w)
{
#if defined(_OPENMP)
    if (!opt->parallel_for && omp_in_parallel())
        return 0;
#else
    (void)opt;
#endif
    return w;
}
#endif
