/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* All checks of one operator, or those of one tuple. */
#pragma once
#include "check_explain.h"
#include "overlaps.h"
#if MIK_CUDA
#include "cover_kernels.cuh"
#else
#include "each_kernel.h"
#endif
#if !MIK_CUDA
#include "check_time.h"
#endif

static void mik_check_op(const Op *op, const Settings *s)
{
    random_state = s->seed * 2654435761u + 12345;
    mik_check_errors(op);
    mik_check_explain(op);
#if !MIK_CUDA
    mik_check_kernels(op, s->data != D_MIXED ? s->data : D_EIGHTHS);
#endif
    const long before = skipped;
    for (int round = 0; round < s->tuples; round++) {
        Case c;
        memset(&c, 0, sizeof c);
        c.op = op;
        mik_draw_coefficients(&c, round);
#if MIK_CUDA
        mik_draw_tuple(&c, round, (round + round / 4 + s->seed) % 2 ? ALIGNED : ODD);
#else
        mik_draw_tuple(&c, round, ODD);
#endif
        mik_run_case(&c, s->data != D_MIXED ? s->data : round % 2 ? D_RANDOM : D_EIGHTHS);
    }
    if (s->tuples > 0 && skipped - before == s->tuples) {
        printf("FAILED: %s: the spec is not meant for any of the sampled tuples: nothing has been compared\n", op->name);
        failed++;
    }
#if MIK_CUDA
    if (op->kernels > 0 && mik_must_run(op))
        mik_cover(op, s->data != D_MIXED ? s->data : D_EIGHTHS);
#endif
}

/* A tuple from the command line, "64x64x3": one number for each integer parameter. */
static void mik_check_tuple(const Op *op, const Settings *s, const char *text)
{
    Case c;
    memset(&c, 0, sizeof c);
    c.op = op;
    random_state = s->seed * 2654435761u + 12345;
    mik_draw_coefficients(&c, 1);
    for (int i = 0; i < op->count; i++)
        if (op->params[i].kind == P_INT) {
            char *end;
            c.args[i].i = strtoll(text, &end, 10);
            if (end == text || (*end != 'x' && *end != '\0')) {
                printf("%s: not enough numbers for %s\n", text, op->name);
                exit(2);
            }
            text = *end ? end + 1 : end;
        }
#if MIK_CUDA
    mik_run_case(&c, s->data != D_MIXED ? s->data : D_EIGHTHS);
#else
    if (timing)
        mik_time_case(&c, s->data != D_MIXED ? s->data : D_EIGHTHS);
    else
        mik_run_case(&c, s->data != D_MIXED ? s->data : D_EIGHTHS);
#endif
}
