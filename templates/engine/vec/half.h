/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Vectors of floats from and to 16-bit floats in memory, written for binary16. */
#pragma once
#include "floats.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load_half(const uint16_t *p)
{
    f32p4 x = {0};
    for (int i = 0; i < P4_LANES; i++)
        x[i] = mik_half_to_float(p[i]);
    return x;
}
MIK_INLINE MIK_LANES f32p4 f32p4_all_half(const uint16_t *p) { return f32p4_all(mik_half_to_float(*p)); }
MIK_INLINE MIK_LANES void f32p4_store_half(uint16_t *p, f32p4 x)
{
    for (int i = 0; i < P4_LANES; i++)
        p[i] = mik_float_to_half(x[i]);
}
/* Of the first n lanes, of 1 to all; of those that the mask names. */
MIK_INLINE MIK_LANES f32p4 f32p4_load_part_half(const uint16_t *p, int64_t n)
{
    uint16_t lane[P4_LANES] = {0};
    memcpy(lane, p, n < P4_LANES ? (size_t)n * sizeof *p : sizeof lane);
    return f32p4_load_half(lane);
}
MIK_INLINE MIK_LANES void f32p4_store_part_half(uint16_t *p, f32p4 x, int64_t n)
{
    uint16_t lane[P4_LANES] = {0};
    f32p4_store_half(lane, x);
    memcpy(p, lane, n < P4_LANES ? (size_t)n * sizeof *p : sizeof lane);
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_where_half(const uint16_t *p, maskp4 where)
{
    uint16_t lane[P4_LANES] = {0};
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            lane[i] = p[i];
    return f32p4_load_half(lane);
}
MIK_INLINE MIK_LANES void f32p4_store_where_half(uint16_t *p, f32p4 x, maskp4 where)
{
    uint16_t lane[P4_LANES] = {0};
    f32p4_store_half(lane, x);
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            p[i] = lane[i];
}
/* The nearest value that a 16-bit float has: what arithmetic in that type gives. */
MIK_INLINE MIK_LANES f32p4 f32p4_to_half(f32p4 x)
{
    uint16_t lane[P4_LANES] = {0};
    f32p4_store_half(lane, x);
    return f32p4_load_half(lane);
}
