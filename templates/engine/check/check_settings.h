/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Which cases to run, and the counts. */
#pragma once
#include "check_data.h"

typedef struct {
    unsigned seed;
    int tuples;                  /* how many tuples to draw for each operator */
    DataKind data;
    const char *only;            /* the only operator to check, or NULL */
} Settings;

static long passed, failed, skipped;
static int ways_wanted;          /* so many ways of each tuple are run, if they fit; 0: all */
#if MIK_CUDA
static const char *every_kernel; /* of these operators, "": of all, it is a failure that a kernel has not run */
#endif
