/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* One case: an operator, its integer arguments, its data, the reference's results. */
#pragma once
#include "check_data.h"
#include "guard_pages.h"
#include "guarded_calls.h"

enum { MAX_ELEMENTS = 1 << 19 }; /* of one array: enough for every edge of a tile, and quick */

typedef struct {
    const Op *op;
    Arg args[MAX_PARAMS];
    int64_t extent[MAX_PARAMS][MAX_RANK];
    int64_t count[MAX_PARAMS];
    int64_t limit[MAX_PARAMS];
    int64_t largest_extent;
    void *entry[MAX_PARAMS];     /* array values on entry, owned */
    Buffer want[MAX_PARAMS];     /* and after the reference ran */
} Case;

static int exact;                /* no difference at all is allowed */
static double slack = 1;         /* how much larger than usual differences may be */
static int timing;               /* measure instead of checking */

static const char *mik_describe(const Case *c)
{
    static char text[1000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s(", c->op->name);
    for (int i = 0; i < c->op->count; i++) {
        const Param *p = &c->op->params[i];
        if (p->kind == P_INT)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s=%lld ", p->name, (long long)c->args[i].i);
        else if (p->kind == P_COEF)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s=%g ", p->name, c->args[i].f);
        if (at + 100 > sizeof text)
            break;
    }
    snprintf(text + at - (text[at - 1] == ' '), sizeof text - at, ")");
    return text;
}

static int mik_is_array(const Case *c, int i) { return c->op->params[i].kind == P_ARRAY; }

static size_t mik_bytes(const Case *c, int i) { return (size_t)c->count[i] * elem_size[c->op->params[i].elem]; }

/* What the address of array i is a multiple of. */
static size_t mik_alignment(const Case *c, int i)
{
    const Param *p = &c->op->params[i];
    size_t most = elem_size[p->elem];
    for (int r = 0; r < p->runs; r++)
        most = elem_size[p->layout[r].elem] > most ? elem_size[p->layout[r].elem] : most;
    return most;
}

/* Evaluates the extents; false when one is negative or an array is too large for a test. */
static int mik_measure(Case *c)
{
    if (!c->op->extents(c->args, c->extent, c->limit))
        return 0;
    c->largest_extent = 1;
    for (int i = 0; i < c->op->count; i++) {
        c->count[i] = 1;
        for (int d = 0; mik_is_array(c, i) && d < c->op->params[i].rank; d++) {
            int64_t e = c->extent[i][d];
            if (e < 0)
                return 0;
            c->count[i] *= e;
            c->largest_extent = e > c->largest_extent ? e : c->largest_extent;
            if (c->count[i] > (timing ? (int64_t)1 << 28 : (int64_t)MAX_ELEMENTS))
                return 0;
        }
    }
    return 1;
}

/* Whether an array has a negative extent: an error that the operator must report. */
static int mik_has_negative_extent(Case *c)
{
    if (!c->op->extents(c->args, c->extent, c->limit))
        return 0;
    for (int i = 0; i < c->op->count; i++)
        for (int d = 0; mik_is_array(c, i) && d < c->op->params[i].rank; d++)
            if (c->extent[i][d] < 0)
                return 1;
    return 0;
}

static void mik_place(const Case *c, Arg *args, Buffer *buffers, Flush flush)
{
    memcpy(args, c->args, sizeof c->args);
    memset(buffers, 0, MAX_PARAMS * sizeof *buffers);
    for (int i = 0; i < c->op->count; i++)
        if (mik_is_array(c, i)) {
            buffers[i] = mik_allocate(mik_bytes(c, i), flush);
            memcpy(buffers[i].data, c->entry[i], mik_bytes(c, i));
            args[i].p = buffers[i].data;
        }
}

static void mik_release_all(Buffer *buffers)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        mik_release(&buffers[i]);
}

/* Runs the reference; false when it leaves its arrays. */
static int mik_run_reference(Case *c, Flush flush)
{
    Arg args[MAX_PARAMS];
    mik_place(c, args, c->want, flush);
    int fault = sigsetjmp(fault_return, 1);
    if (fault == 0) {
        guarded = 1;
        c->op->reference(args);
    }
    guarded = 0;
    for (int i = 0; i < c->op->count && fault == 0; i++)
        fault = mik_is_array(c, i) && !mik_intact(&c->want[i]);
    return fault == 0;
}

/* Fills the arrays and runs the reference; false when the reference itself leaves its arrays, at one end or the
   other: the spec is not meant for these extents. */
static int mik_prepare(Case *c, DataKind data)
{
    for (int i = 0; i < c->op->count; i++) {
        const Param *p = &c->op->params[i];
        if (!mik_is_array(c, i))
            continue;
        c->entry[i] = malloc(mik_bytes(c, i) + 1);
        if (c->entry[i] == NULL)
            mik_fatal("malloc");
        if (p->read || p->is_const)
            mik_fill(p, c->entry[i], c->extent[i], c->count[i], c->limit[i], data);
        else
            memset(c->entry[i], PATTERN, mik_bytes(c, i));
    }
    if (!mik_run_reference(c, AT_BEGIN))
        return 0;
    mik_release_all(c->want);
    return mik_run_reference(c, AT_END);
}

static void mik_finish(Case *c)
{
    mik_release_all(c->want);
    for (int i = 0; i < c->op->count; i++) {
        free(c->entry[i]);
        c->entry[i] = NULL;
    }
}
