/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Options, and the program. */
#pragma once
#include "check_operator.h"

static void mik_usage(void)
{
    printf("usage: check [--seed=N] [--tuples=N] [--data=eighths|random|dominant|scaled] [--exact] [--slack=N] [--strict] [--op=NAME] "
           "[--ways=N] "
#if MIK_CUDA
           "[--every-kernel[=NAME,...]] [--margin=N] "
#else
           "[--time] "
#endif
           "[TUPLE...]\n"
           "TUPLE is one number for each integer parameter, joined by x. Without one, tuples are sampled.\n"
           "--slack: differences N times as large as usual are right, of a spec that magnifies them.\n"
           "--strict: where the spec does not use an array, it must be allowed to be null.\n"
           "--ways: run N of the ways to run each tuple, sampled anew each time, and some of the smallest shapes; without, all.\n"
#if MIK_CUDA
           "--every-kernel: it is a failure when no tuple has let a kernel of operator NAME, or of any, run for which this device is\n"
           "new and large enough.\n"
           "--margin: so many bytes around arrays are watched; 0, where something else notices accesses outside of allocations.\n");
#else
           "--time: do not check, but time the spec and the emitted operator on each TUPLE.\n");
#endif
    exit(2);
}

static int mik_parse_option(const char *arg, Settings *s)
{
    if (strncmp(arg, "--seed=", 7) == 0)
        s->seed = (unsigned)strtoul(arg + 7, NULL, 10);
    else if (strncmp(arg, "--tuples=", 9) == 0)
        s->tuples = atoi(arg + 9);
    else if (strncmp(arg, "--op=", 5) == 0)
        s->only = arg + 5;
    else if (strncmp(arg, "--ways=", 7) == 0)
        ways_wanted = atoi(arg + 7);
#if MIK_CUDA
    else if (strncmp(arg, "--margin=", 9) == 0)
        margin = (size_t)atol(arg + 9);
    else if (strncmp(arg, "--every-kernel", 14) == 0 && (arg[14] == '\0' || arg[14] == '='))
        every_kernel = arg + 14 + (arg[14] == '=');
#endif
    else if (strcmp(arg, "--data=eighths") == 0)
        s->data = D_EIGHTHS;
    else if (strcmp(arg, "--data=random") == 0)
        s->data = D_RANDOM;
    else if (strcmp(arg, "--data=dominant") == 0)
        s->data = D_DOMINANT;
    else if (strcmp(arg, "--data=scaled") == 0)
        s->data = D_SCALED;
    else if (strcmp(arg, "--strict") == 0)
        strict = 1;
    else if (strcmp(arg, "--exact") == 0)
        exact = 1;
    else if (strncmp(arg, "--slack=", 8) == 0)
        slack = atof(arg + 8);
    else if (strcmp(arg, "--time") == 0)
        timing = 1;
    else
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    Settings s = {1, 60, D_MIXED, NULL};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++)
        if (!mik_parse_option(argv[at], &s))
            mik_usage();
    mik_catch_faults();
    for (int o = 0; o < OPS; o++) {
        if (s.only != NULL && strcmp(s.only, ops[o].name) != 0)
            continue;
        if (at == argc)
            mik_check_op(&ops[o], &s);
        for (int i = at; i < argc; i++)
            mik_check_tuple(&ops[o], &s, argv[i]);
    }
#if MIK_CUDA
    for (int o = 0; o < OPS && at == argc; o++)
        if (ops[o].kernels > 0 && (s.only == NULL || strcmp(s.only, ops[o].name) == 0))
            mik_print_launches(&ops[o]);
#else
    mik_print_isas();
#endif
    printf("%ld passed, %ld failed", passed, failed);
    if (skipped > 0)
        printf(", %ld skipped: the spec itself is not meant for them", skipped);
    if (cautious > 0)
        printf(", %ld null arrays refused that the spec does not use", cautious);
#if MIK_CUDA
    if (forced > 0)
        printf(", %ld forced plans, of which %ld do not fit their shapes", forced, refused);
#endif
#if MIK_TRACE
    printf(", %ld events told", told_events);
#endif
    printf("\n");
    return failed > 0 || passed == 0;
}
