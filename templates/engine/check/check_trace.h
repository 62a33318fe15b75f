/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What calls tell while they are checked (--trace): whether it can be true. */
#pragma once
#include "check_config.h"
#if MIK_TRACE

static long told_events;                 /* written by all threads, */
static const char *volatile untrue_event; /* as is this: what is wrong with the last one that cannot be true; NULL: all can */

/* options.trace. */
static void mik_hear(void *ctx, const mikgen_trace_event *e)
{
    const int is_ahead = strcmp(e->what, "launching") == 0, is_launch = is_ahead || strcmp(e->what, "launch") == 0;
    const int is_part = is_launch || strcmp(e->what, "region") == 0 || strcmp(e->what, "loops") == 0;
    (void)ctx;
    __atomic_fetch_add(&told_events, 1, __ATOMIC_RELAXED);
    if (e->begin == 0 || (is_ahead ? e->end != 0 : e->begin > e->end))
        untrue_event = is_ahead ? "has ended before it is launched" : "ends before it begins";
    else if (is_launch != (e->held != NULL) || (is_launch && *e->held != (is_ahead ? NULL : (const void *)&told_events)))
        untrue_event = "is a launch that finds another hook's pointer, or else has one";
    else if (e->b0 > e->b1 || e->m0 > e->m1 || e->n0 > e->n1 || e->k0 > e->k1)
        untrue_event = "has a range that ends before it begins";
    else if (e->worker < 0 || e->worker > 4096)
        untrue_event = "is of no worker";
    else if (!e->op || (e->stage == NULL) != (strcmp(e->what, "call") == 0))
        untrue_event = "is of no operator, or of no stage";
    else if ((e->kernel != NULL) != is_part)
        untrue_event = is_part ? "has no kernel" : "has a kernel";
    if (is_ahead)
        *e->held = &told_events;
}
#endif
