/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How traces call loops. */
#pragma once
#include "trace.h"

/* The operator, and what they are in it. */
typedef struct {
    const char *op, *stage;
} mik_loop_names;
#if MIK_WITH_NAMED_LOOPS

/* The name of an instruction set, whatever its number has above it: the class of a call; less than 0: loops go as they are written. */
static const char *mik_loop_kernel(int isa)
{
    static const char *const names[] = {NULL, MIK_LOOP_SETS};
    const unsigned set = isa > 0 ? (unsigned)isa % 16 : 0;
    return isa < 0 ? "as written" : set < sizeof names / sizeof names[0] ? names[set] : NULL;
}
#endif
#if MIK_WITH_UNCUT

/* Tells of loops that are not cut for threads, which began when mik_trace_begin() says. */
static void mik_tell_loops(const mik_loop_names *names, int isa, uint64_t begin, const mikgen_options *opt)
{
    mikgen_trace_event e = {.op = names->op, .stage = names->stage, .what = "loops", .kernel = mik_loop_kernel(isa), .begin = begin};
    if (begin)
        mik_trace_end(opt, 0, &e);
}
#endif
