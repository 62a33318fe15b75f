/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains and plans calls of all sizes, many of each: as explain_large.sh limits the time of a processor, none may take any time. */
#include "explain_large_dyn.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { (void)ctx, (void)n, (void)task, (void)arg; }

#define ASK(NAME) \
    do { \
        NAME##_options opt = {.threads = threads, .parallel_for = in_turn}; \
        const int length = NAME##_explain_with(&opt, m, n, k, text, sizeof text); \
        bytes += NAME##_workspace(&opt, m, n, k); \
        if (length <= 0 || (size_t)length != strlen(text)) { \
            printf("FAILED: %s with %d threads, %d, %d, %d: length %d\n", #NAME, threads, m, n, k, length); \
            return 1; \
        } \
    } while (0)

int main(void)
{
    static char text[100000];
    static const int extents[] = {0, 1, 5, 47, 1000, 1000003, 100000000, INT_MAX - 1, INT_MAX};
    enum { N = sizeof extents / sizeof *extents };
    size_t bytes = 0;
    for (int i = 0; i < N * N * N; i++)
        for (int threads = 1; threads < 10; threads += 6) {
            const int m = extents[i % N], n = extents[i / N % N], k = extents[i / N / N];
            ASK(product);
            ASK(chain);
            ASK(batches);
        }
    printf("%zu\n", bytes);
    return 0;
}
