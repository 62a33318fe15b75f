/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Pairs of neighbours, one for each lane, as the parts of complex numbers are: two vectors of memory are one of first members and one of
 * second ones. Of p[0], p[1], p[2], ... p[0], p[2], ... are even, p[1], p[3], ... odd. */
#pragma once
#include "memory.h"
#include "integer.h"

/* Every other lane of x and then of y. */
MIK_INLINE MIK_LANES f32p4 f32p4_even(f32p4 x, f32p4 y)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i < P4_LANES / 2 ? x[2 * i % P4_LANES] : y[2 * i % P4_LANES];
    return z;
}
MIK_INLINE MIK_LANES f32p4 f32p4_odd(f32p4 x, f32p4 y)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i < P4_LANES / 2 ? x[2 * i % P4_LANES + 1] : y[2 * i % P4_LANES + 1];
    return z;
}
/* The lower half of both by turns, the upper half. */
MIK_INLINE MIK_LANES f32p4 f32p4_zip_low(f32p4 x, f32p4 y)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i % 2 ? y[i / 2] : x[i / 2];
    return z;
}
MIK_INLINE MIK_LANES f32p4 f32p4_zip_high(f32p4 x, f32p4 y)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i % 2 ? y[(P4_LANES + i) / 2] : x[(P4_LANES + i) / 2];
    return z;
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_LANES f32p4 f32p4_swap(f32p4 x)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i ^ 1];
    return z;
}
MIK_INLINE MIK_LANES f32p4 f32p4_evens(f32p4 x)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i / 2 * 2];
    return z;
}
MIK_INLINE MIK_LANES f32p4 f32p4_odds(f32p4 x)
{
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i | 1];
    return z;
}

MIK_INLINE MIK_LANES f32p4 f32p4_load_even(const float *p) { return f32p4_even(f32p4_load(p), f32p4_load(p + P4_LANES)); }
MIK_INLINE MIK_LANES f32p4 f32p4_load_odd(const float *p) { return f32p4_odd(f32p4_load(p), f32p4_load(p + P4_LANES)); }
/* Of n pairs, both members of which are there. */
MIK_INLINE MIK_LANES f32p4 f32p4_load_second(const float *p, int64_t n)
{
    return 2 * n > P4_LANES ? f32p4_load_part(p + P4_LANES, 2 * n - P4_LANES) : (f32p4){0};
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_even_part(const float *p, int64_t n)
{
    return f32p4_even(f32p4_load_part(p, 2 * n), f32p4_load_second(p, n));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_odd_part(const float *p, int64_t n)
{
    return f32p4_odd(f32p4_load_part(p, 2 * n), f32p4_load_second(p, n));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_even_where(const float *p, maskp4 where)
{
    return f32p4_even(f32p4_load_where(p, maskp4_low_twice(where)), f32p4_load_where(p + P4_LANES, maskp4_high_twice(where)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_odd_where(const float *p, maskp4 where)
{
    return f32p4_odd(f32p4_load_where(p, maskp4_low_twice(where)), f32p4_load_where(p + P4_LANES, maskp4_high_twice(where)));
}

MIK_INLINE MIK_LANES void f32p4_store_both(float *p, f32p4 x, f32p4 y)
{
    f32p4_store(p, f32p4_zip_low(x, y));
    f32p4_store(p + P4_LANES, f32p4_zip_high(x, y));
}
MIK_INLINE MIK_LANES void f32p4_store_both_part(float *p, f32p4 x, f32p4 y, int64_t n)
{
    f32p4_store_part(p, f32p4_zip_low(x, y), 2 * n);
    if (2 * n > P4_LANES)
        f32p4_store_part(p + P4_LANES, f32p4_zip_high(x, y), 2 * n - P4_LANES);
}
MIK_INLINE MIK_LANES void f32p4_store_both_where(float *p, f32p4 x, f32p4 y, maskp4 where)
{
    f32p4_store_where(p, f32p4_zip_low(x, y), maskp4_low_twice(where));
    f32p4_store_where(p + P4_LANES, f32p4_zip_high(x, y), maskp4_high_twice(where));
}
