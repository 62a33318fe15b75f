/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls are said to run, and what they run, of explain_trace.spec: explain_trace <CALLS, a line "OPERATOR THREADS M N K" for each. */
#include "explain_trace_dyn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 25 };

static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = 0; i < n; i++)
        task(arg, i);
}

static void tell(void *ctx, const mikgen_trace_event *e)
{
    (void)ctx;
    if (strcmp(e->what, "product") == 0 || strcmp(e->what, "region") == 0)
        printf("%s|%s|%d|%" PRId64 "|%" PRId64 "|%" PRId64 "\n", e->what, e->kernel ? e->kernel : "", e->worker, e->b1 - e->b0,
               e->m1 - e->m0, e->n1 - e->n0);
}

#define CALL(NAME, ...) \
    if (strcmp(name, #NAME) == 0) { \
        NAME##_options opt = {.trace = tell, .threads = threads, .parallel_for = in_turn}; \
        NAME##_explain_with(&opt, m, n, k, text, sizeof text); \
        printf("call %s %d %d %d %d\n%send\n", name, threads, m, n, k, text); \
        const int status = NAME##_with(&opt, m, n, k, __VA_ARGS__); \
        printf("status %d\n", status); \
    }

int main(void)
{
    static char text[20000];
    char name[20];
    int threads, m, n, k;
    void *a = calloc(1, BYTES), *b = calloc(1, BYTES), *c = calloc(1, BYTES), *bias = calloc(1, BYTES);
    while (a && b && c && bias && scanf("%19s %d %d %d %d", name, &threads, &m, &n, &k) == 5) {
        CALL(plain, a, b, c)
        CALL(wide, a, b, c)
        CALL(turned, a, b, c)
        CALL(biased, a, b, bias, c)
        CALL(bytes, a, b, c)
        CALL(batched, a, b, c)
        CALL(repeated, a, b, c)
    }
    free(a), free(b), free(c), free(bias);
    return 0;
}
