/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What tensor maps say of operands. */
#pragma once
#include "plan.cuh"

/* What a tensor map says of an operand, or of outputs: elements of so many bytes from `base` on, `inner` of them in each of `outer` lines, which are
   `line` bytes apart, in each of `batches`, `batch` bytes apart. */
typedef struct {
    const void *base;
    int64_t inner, outer, batches, line, batch;
    CUtensorMapDataType type;
    int bytes; /* of an element: 1, 2, 4 */
    int turns; /* kernels read columns as lines: a copy has them so */
    size_t copy; /* bytes of a copy that a tensor map can describe; 0: none is needed */
} mik_lines;

/* Can a tensor map describe it? */
static int mik_maps(const mik_lines *x)
{
    const int64_t limit = 0x7fffffff, far = (int64_t)1 << 40;
    return x->inner > 0 && x->inner <= limit && x->outer <= limit && x->batches <= limit && x->line >= 0 && x->line < far &&
           x->batch >= 0 && x->batch < far && (double)x->line * (double)x->outer < (double)far && (uintptr_t)x->base % 16 == 0 &&
           (x->outer == 1 || (x->line > 0 && x->line % 16 == 0)) && x->batch % 16 == 0;
}

/* Its copy, in lines of whole 16 bytes, one after the other; nowhere yet. */
static mik_lines mik_copied(const mik_lines *x)
{
    mik_lines copy = *x;
    copy.base = NULL;
    copy.inner = x->turns ? x->outer : x->inner;
    copy.outer = x->turns ? x->inner : x->outer;
    copy.line = mik_ceil(copy.inner, 16 / x->bytes) * 16;
    copy.batch = x->batch != 0 ? copy.line * copy.outer : 0;
    copy.turns = 0;
    return copy;
}

/* Finds out whether a copy is needed; 0 when that would not help. */
static int mik_plan_copy(mik_lines *x)
{
    const mik_lines copy = mik_copied(x);
    x->copy = 0;
    if (!x->turns && mik_maps(x))
        return 1;
    if (!mik_maps(&copy))
        return 0;
    x->copy = (size_t)((x->batch != 0 ? x->batches : 1) * copy.outer * copy.line + 255) / 256 * 256;
    return 1;
}
