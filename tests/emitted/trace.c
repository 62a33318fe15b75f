/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls with a log behind their hooks: trace WHICH FILE.json, of trace.sh. */
#include "trace_header.h"

#include "mikgen_trace.h"
#include <stdlib.h>
#include <string.h>

enum { N = 192 };
static float a[N * N], b[N * N], c[N * N];

/* Threads one after the other. */
static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = 0; i < n; i++)
        task(arg, i);
}

int main(int argc, char **argv)
{
    mikgen_trace_log log;
    mikgen_options opt = {0};
    int status = argc == 3 ? mikgen_trace_open(&log, 20000) : -1;
    if (status)
        return 2;
    opt.trace = mikgen_trace_keep;
    opt.trace_ctx = &log;
    for (int i = 0; i < N * N; i++)
        a[i] = b[i] = (float)(i % 7);
    if (strcmp(argv[1], "forms") == 0) { /* tiny, small, planned, packed, transposed or not, k in parts, k in blocks, unequal */
        static const float speeds[] = {1, 2, 1};
        static const int size[][3] = {{2, 2, 2},     {5, 30, 9},    {64, 64, 64},  {150, 170, 190},
                                      {192, 3, 192}, {3, 192, 192}, {1, 192, 192}, {190, 1, 190}};
        static const int plan[] = {0, 0x10a, 0x5, 0x2100, 0x300a, 0x80, 0xa000, 0x600, 0x940};
        for (unsigned i = 0; !status && i < sizeof size / sizeof size[0]; i++)
            for (unsigned j = 0; !status && j < sizeof plan / sizeof plan[0]; j++) {
                opt.plan = plan[j];
                opt.threads = j % 3 == 2 ? 1 : 3;
                opt.parallel_for = in_turn;
                opt.speeds = j == 3 ? speeds : NULL;
                status = product_with(&opt, size[i][0], size[i][1], size[i][2], a, b, c);
            }
    } else { /* loops, with OpenMP's threads */
        opt.threads = 2;
        opt.isa = 1;
        status = smooth_with(&opt, 20, N, 96, a, c);
    }
    status = status ? status : mikgen_trace_write(&log, argv[2]);
    mikgen_trace_close(&log);
    return status;
}
