/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a call finds out about a ragged batch before it runs. */
#pragma once
#include "ragged_batch.h"

#ifndef MIK_FAR_BYTES
#define MIK_FAR_BYTES 32e6 /* of all products' Bs together, which come from memory then: what a last cache holds */
#endif

/* May the iterations run in any order? Yes, if what they have to themselves lies one behind the other. Changes *args. */
static int mik_is_in_order(const mik_ragged *r, void *args)
{
    int64_t before = INT64_MIN;
    for (int64_t i = 0; i < r->count; i++) {
        int64_t first, end;
        r->group(args, i, &first, &end);
        if (end <= first)
            continue;
        if (first < before)
            return 0;
        before = end;
    }
    return 1;
}

/* Bytes of all the Bs, of elements of so many. Changes *args. */
static double mik_bytes_of_b(const mik_ragged *r, void *args, size_t element)
{
    double all = 0;
    for (int64_t i = 0; i < r->count; i++) {
        int64_t first, end;
        mik_problem p;
        memset(&p, 0, sizeof p);
        r->group(args, i, &first, &end);
        r->problem(args, &p);
        all += p.m > 0 ? (double)p.batch * (double)p.n * (double)p.k * (double)element : 0;
    }
    return all;
}
