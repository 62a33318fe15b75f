/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What calls tell of themselves, where they are generated with --trace: in interfaces, for all targets. */
#pragma once
#include <stdint.h>

#ifndef MIKGEN_TRACE_EVENT_1
#define MIKGEN_TRACE_EVENT_1
/* What a call has done: all of it, one of its stages, or a part of one that a worker has had. Those of one worker lie one behind the
   other, or one in the other. Ranges that say nothing are 0 to 0.
   what: "call"; of its stages "product", "loops" if they are not cut for threads, "waves", "blocks" of rows, "ragged batch"; of their
   parts "region", "loops", "block", "pack A", "pack B", and "sums" that workers have left; on CUDA "call" and "launch", before which
   comes "launching", whose end is 0.
   kernel: its symbol, or in words how a region is computed, behind its type and instruction set; of loops the instruction set; NULL where
   there are several, or none. It lasts until the hook returns, the other texts as long as the code. */
typedef struct mikgen_trace_event_1 {
    const char *op, *stage;  /* the operator; which of its stages, NULL: the whole call */
    const char *what, *kernel;
    int worker;              /* which thread, as parallel_for counts its tasks, from options.trace_worker on */
    int64_t b0, b1;          /* batches; steps of waves */
    int64_t m0, m1, n0, n1;  /* rows and columns of outputs; iterations of a loop, and of the one in it; m1 and n1 are behind the last */
    int64_t k0, k1;          /* steps of their sums */
    int64_t blocks;          /* of a launch, */
    int threads;             /* of each block, */
    void *stream;            /* and where it is enqueued: a cudaStream_t; */
    void **held;             /* what a hook leaves here when it hears "launching" it finds again at "launch"; else NULL */
    uint64_t begin, end;     /* nanoseconds on a clock that only goes forward */
} mikgen_trace_event_1;
#endif
/* Short for the newest of those that are included. Files of versions that number nothing ask for MIKGEN_TRACE, and take it. */
#ifndef MIKGEN_TRACE_EVENT
#undef MIKGEN_TRACE
#define MIKGEN_TRACE_EVENT 1
#define MIKGEN_TRACE
#define mikgen_trace_event mikgen_trace_event_1
#endif
