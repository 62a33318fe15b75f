/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls operators of several versions; C and C++. versions.sh includes it behind their headers, in some order. CALLS: this unit's name. */
#include <stdio.h>
#include <string.h>

#define COUNT 12

static const float x[COUNT] = {1, 2, 4, 8, 3, 1, 4, 1, -5, 9, 2, 6}, gamma_[4] = {1, 2, 3, 4}, beta[4] = {0, 1, 0, -1};

/* By a pool of the caller's, which finds its context; its tasks are counted. */
static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    for (int i = 0; i < n; i++)
        task(arg, i);
    *(int *)ctx += n;
}

/* All members that have a meaning in each version. */
#define CALL(NAME, Y) \
    do { \
        NAME##_options opt; \
        memset(&opt, 0, sizeof opt); \
        opt.threads = 2; \
        opt.isa = 1; \
        opt.parallel_for = in_turn; \
        opt.parallel_ctx = &tasks; \
        status |= NAME##_with(&opt, 3, 4, 1e-5f, x, gamma_, beta, Y); \
        status |= NAME(3, 4, 1e-5f, x, gamma_, beta, Y) != MIKGEN_OK; \
        opt.isa = 4000; \
        status |= NAME##_with(&opt, 3, 4, 1e-5f, x, gamma_, beta, Y) != MIKGEN_UNSUPPORTED; \
    } while (0)

int CALLS(void);
int CALLS(void)
{
    float of[4][COUNT];
    int tasks = 0, status = 0, n = 0;
#ifdef LAYERNORM_DYN_H
    CALL(layernorm, of[n]);
    n++;
#endif
#ifdef NOW_LAYERNORM_DYN_H
    CALL(now_layernorm, of[n]);
    n++;
#endif
#ifdef TRACED_LAYERNORM_DYN_H
    CALL(traced_layernorm, of[n]);
    n++;
#endif
#ifdef LATER_LAYERNORM_DYN_H
    CALL(later_layernorm, of[n]);
    n++;
#endif
    for (int i = 1; i < n; i++)
        for (int j = 0; j < COUNT; j++)
            status |= !(of[i][j] - of[0][j] < 1e-6f && of[0][j] - of[i][j] < 1e-6f);
    return status;
}
