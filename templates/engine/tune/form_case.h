/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The operator and the extents that are measured, and their arrays. */
#pragma once
#include "tune_config.h"

#include "../check/check_data.h"
#include "../check/guard_pages.h"

typedef struct {
    const Op *op;
    int number;
    Arg args[MAX_PARAMS];
    int64_t extent[MAX_PARAMS][MAX_RANK], limit[MAX_PARAMS];
    size_t bytes[MAX_PARAMS];       /* of arrays */
    Buffer buffers[MAX_PARAMS];
    void *entry[MAX_PARAMS];        /* values on entry of arrays that a call reads and changes; NULL: of others */
} FormCase;

static FormCase tune_case;

static void tune_case_end(FormCase *c)
{
    for (int i = 0; i < MAX_PARAMS; i++) {
        mik_release(&c->buffers[i]);
        free(c->entry[i]);
    }
    memset(c, 0, sizeof *c);
}

/* The coefficient 1, of a narrow type as its bits. */
static void tune_coefficient(const Param *p, Arg *a)
{
    const int narrow = p->elem == E_HALF || p->elem == E_BF16 || p->elem == E_E4M3 || p->elem == E_E5M2;
    if (narrow)
        a->i = p->elem == E_HALF ? 0x3c00 : p->elem == E_BF16 ? 0x3f80 : p->elem == E_E4M3 ? 0x38 : 0x3c;
    else
        a->f = 1;
}

/* Bytes of each array; 0: there are no such extents, or too much memory. */
static int tune_case_measure(FormCase *c)
{
    const double most = (double)((int64_t)1 << 31);
    double all = 0;
    if (!c->op->extents(c->args, c->extent, c->limit))
        return 0;
    for (int i = 0; i < c->op->count; i++) {
        const Param *p = &c->op->params[i];
        double count = p->kind == P_ARRAY ? (double)elem_size[p->elem] : 0;
        for (int d = 0; d < p->rank; d++) {
            if (c->extent[i][d] < 0)
                return 0;
            count *= (double)c->extent[i][d];
        }
        all += count;
        if (all > most)
            return 0;
        c->bytes[i] = (size_t)count;
    }
    return 1;
}

static void tune_case_fill(FormCase *c)
{
    random_state = 1;
    for (int i = 0; i < c->op->count; i++) {
        const Param *p = &c->op->params[i];
        if (p->kind != P_ARRAY)
            continue;
        c->buffers[i] = mik_allocate(c->bytes[i], AS_IN_USE);
        c->args[i].p = c->buffers[i].data;
        memset(c->buffers[i].data, 0, c->bytes[i]);
        if (p->read || p->is_const)
            mik_fill(p, c->buffers[i].data, c->extent[i], (int64_t)(c->bytes[i] / elem_size[p->elem]), c->limit[i], D_RANDOM);
        if (!p->read || p->is_const || p->unwritten)
            continue;
        c->entry[i] = malloc(c->bytes[i] + 1);
        if (!c->entry[i])
            mik_fatal("malloc");
        memcpy(c->entry[i], c->buffers[i].data, c->bytes[i]);
    }
}

static int tune_case_has_entry(const FormCase *c)
{
    int found = 0;
    for (int i = 0; i < c->op->count; i++)
        found = found || c->entry[i];
    return found;
}

/* Arrays that a call reads and changes get their values on entry. */
static void tune_case_restore(const FormCase *c)
{
    for (int i = 0; i < c->op->count; i++)
        if (c->entry[i])
            memcpy(c->buffers[i].data, c->entry[i], c->bytes[i]);
}

/* Operator number `op` on such extents, "64x1000x3": one number for each integer parameter. The bytes of its arrays; -1: it has none. */
static double tune_case_begin(FormCase *c, int op, const char *extents)
{
    double bytes = 0;
    tune_case_end(c);
    if (op < 0 || op >= OPS)
        return -1;
    c->op = &ops[op];
    c->number = op;
    for (int i = 0; i < c->op->count; i++) {
        char *end;
        if (c->op->params[i].kind == P_COEF)
            tune_coefficient(&c->op->params[i], &c->args[i]);
        if (c->op->params[i].kind != P_INT)
            continue;
        c->args[i].i = strtoll(extents, &end, 10);
        if (end == extents)
            return -1;
        extents = end + (*end == 'x');
    }
    if (*extents || !tune_case_measure(c))
        return -1;
    tune_case_fill(c);
    for (int i = 0; i < c->op->count; i++)
        bytes += (double)c->bytes[i];
    return bytes;
}
