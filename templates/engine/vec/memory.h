/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Vectors from and to memory, whole and in part; one value in every lane. */
#pragma once
#include "shape.h"
#include "lanes_types.h"

MIK_INLINE MIK_LANES f32p4 f32p4_all(float x) { return x - (f32p4){0}; }
/* Of the first n lanes, 0 <= n: others are 0, and are not touched in memory. */
MIK_INLINE MIK_LANES f32p4 f32p4_load_part(const float *p, int64_t n)
{
    f32p4 x = {0};
    memcpy(&x, p, n < P4_LANES ? (size_t)n * sizeof *p : sizeof x);
    return x;
}
MIK_INLINE MIK_LANES void f32p4_store_part(float *p, f32p4 x, int64_t n) { memcpy(p, &x, n < P4_LANES ? (size_t)n * sizeof *p : sizeof x); }
MIK_INLINE MIK_LANES f32p4 f32p4_load(const float *p) { return f32p4_load_part(p, P4_LANES); }
MIK_INLINE MIK_LANES void f32p4_store(float *p, f32p4 x) { memcpy(p, &x, sizeof x); }

/* Of the lanes that the mask names. */
MIK_INLINE MIK_LANES f32p4 f32p4_load_where(const float *p, maskp4 where)
{
    f32p4 x = {0};
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            x[i] = p[i];
    return x;
}
MIK_INLINE MIK_LANES void f32p4_store_where(float *p, f32p4 x, maskp4 where)
{
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            p[i] = x[i];
}

/* How many elements from p on until a vector is aligned. */
MIK_INLINE MIK_LANES int64_t f32p4_until_aligned(const float *p) { return (int64_t)((-(uintptr_t)p & (sizeof(f32p4) - 1)) / sizeof *p); }
/* A non-temporal store, if `non_temporal`, to where a vector is aligned. */
MIK_INLINE MIK_LANES void f32p4_store_non_temporal(float *p, f32p4 x, int non_temporal)
{
    (void)non_temporal;
    memcpy(p, &x, sizeof x);
}
