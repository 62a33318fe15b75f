/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Arguments that an operator must refuse with nothing written: negative extents, arrays too large. */
#pragma once
#include "check_settings.h"
#include "compare.h"
#include "draw_tuple.h"

/* All extents `size`, all other integers 1; false when the spec is not meant for that. */
static int mik_uniform(Case *c, const Op *op, int size)
{
    memset(c, 0, sizeof *c);
    c->op = op;
    mik_draw_coefficients(c, 0);
    for (int i = 0; i < op->count; i++)
        if (op->params[i].kind == P_INT)
            c->args[i].i = op->params[i].role == R_EXTENT ? size : 1;
    return mik_measure(c);
}

static void mik_check_negative_extents(const Op *op)
{
    Case c;
    if (!mik_uniform(&c, op, 5))
        return;
    unsigned char *nowhere = (unsigned char *)mmap(NULL, mik_page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((void *)nowhere == MAP_FAILED)
        mik_fatal("mmap");
    for (int i = 0; i < op->count; i++)
        if (mik_is_array(&c, i))
            c.args[i].p = nowhere;
    for (int i = 0; i < op->count; i++) {
        Case broken = c;
        if (op->params[i].kind != P_INT || op->params[i].role != R_EXTENT)
            continue;
        broken.args[i].i = -1;
        if (!mik_has_negative_extent(&broken))
            continue;
        const int ok = mik_refuses(&broken, broken.args, op->params[i].name);
        passed += ok;
        failed += !ok;
    }
    munmap(nowhere, mik_page_size());
}

/* Where addresses have 32 bits: arrays of 2^14 or more elements along each extent, which together have more bytes than that. */
static void mik_check_large(const Op *op)
{
    Case c;
    for (int size = 1 << 14; size <= 1 << 15 && PTRDIFF_MAX <= 0x7fffffff; size *= 2) {
        int large = 0;
        (void)mik_uniform(&c, op, size);
        if (!op->extents(c.args, c.extent, c.limit))
            return;
        for (int i = 0; i < op->count; i++) {
            double bytes = mik_is_array(&c, i) ? (double)elem_size[op->params[i].elem] : 0;
            for (int d = 0; d < op->params[i].rank; d++)
                bytes *= (double)c.extent[i][d];
            large = large || bytes > (double)PTRDIFF_MAX;
            c.args[i].p = mik_is_array(&c, i) ? (void *)(uintptr_t)(mik_page_size() * (size_t)(i + 1)) : c.args[i].p;
        }
        if (large) {
            const int ok = mik_refuses(&c, c.args, "arrays too large");
            passed += ok;
            failed += !ok;
        }
    }
}
