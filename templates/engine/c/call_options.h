/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include <stddef.h>
#if MIK_TRACE
#include "trace_event.h"
#endif

/* What the entry points return, the same numbers in all versions. An output may not overlap another array; two arrays that are only read
   may. */
#define MIKGEN_OK              0
#define MIKGEN_NEGATIVE_EXTENT 1 /* an array has a negative extent, or an extent divides by zero; nothing was written */
#define MIKGEN_NULL_POINTER    2 /* an array that the call uses has no address; nothing was written */
#define MIKGEN_TOO_LARGE       3 /* an array has more bytes than an address can count; nothing was written */
#define MIKGEN_OUT_OF_MEMORY   4 /* no room for the operator's own intermediate arrays; nothing was written */
#define MIKGEN_UNSUPPORTED     5 /* the options ask for an instruction set that this CPU does not have */
#undef MIKGEN_OVERLAP            /* files for CUDA may have another */
#define MIKGEN_OVERLAP    6 /* an output or the workspace, where the operator takes it, overlaps another array; nothing was written */
#define MIKGEN_NOT_PACKED 7 /* a constant is not packed, or for other extents; nothing was written */

#ifndef MIKGEN_OPTIONS_1
#define MIKGEN_OPTIONS_1
/* How a call runs. All zero is the default: serial, memory as needed, the best instruction set. */
typedef struct mikgen_options_1 {
    int threads;             /* at most so many; 0 and 1: serial */
    int isa;                 /* 0: the best this CPU has; MIK_SETS_IN_FULL */
    int plan;                /* 0: the cheapest plan; other values force decisions, for tests */
    void *workspace;         /* scratch memory of the caller, aligned to 64 bytes; NULL: allocated when needed */
    size_t workspace_bytes;
    /* The caller's own threads: call task(arg, i) for every i in 0 .. n-1, in any order, and return when all are
       done. NULL: OpenMP when the file is compiled with it, else serial. */
    void (*parallel_for)(void *ctx, int n, void (*task)(void *arg, int i), void *arg);
    void *parallel_ctx;
    const float *speeds;     /* of the threads, of unequal cores: task i runs on one that is speeds[i] > 0 times as fast as some
                                other; NULL: all are alike */
#if MIK_TRACE
    /* Called by whichever thread has done something, at once with others; NULL: nobody asks. */
    void (*trace)(void *ctx, const mikgen_trace_event_1 *event);
    void *trace_ctx;
    int trace_worker;        /* the first worker's number, for callers whose own threads call */
#endif
} mikgen_options_1;
#endif
/* A short name: for these options where all included files have the same, else for the newest; for those with hooks where there are any.
   NAME_options are those of NAME in any case. Files of versions that number nothing ask for MIKGEN_INTERFACE, and take these. */
#if MIK_TRACE
#if !defined MIKGEN_OPTIONS || MIKGEN_OPTIONS < 3
#undef MIKGEN_OPTIONS
#undef MIKGEN_INTERFACE
#undef mikgen_options
#define MIKGEN_OPTIONS   3
#define MIKGEN_INTERFACE 1
#define mikgen_options   mikgen_options_1
#endif
#else
#ifndef MIKGEN_OPTIONS
#undef MIKGEN_INTERFACE
#define MIKGEN_OPTIONS 2
#define MIKGEN_INTERFACE
#define mikgen_options mikgen_options_1
#endif
#endif
