/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Vectors of integers from and to narrower ones in memory, written for int8_t. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_i8(const int8_t *p)
{
    i32p4 x = {0};
    for (int i = 0; i < P4_LANES; i++)
        x[i] = p[i];
    return x;
}
MIK_INLINE MIK_LANES void i32p4_store_i8(int8_t *p, i32p4 x)
{
    for (int i = 0; i < P4_LANES; i++)
        p[i] = (int8_t)x[i];
}
/* Of the first n lanes, of 1 to all; of those that the mask names. */
MIK_INLINE MIK_LANES i32p4 i32p4_load_part_i8(const int8_t *p, int64_t n)
{
    int8_t lane[P4_LANES] = {0};
    for (int i = 0; i < P4_LANES && i < n; i++)
        lane[i] = p[i];
    return i32p4_load_i8(lane);
}
MIK_INLINE MIK_LANES void i32p4_store_part_i8(int8_t *p, i32p4 x, int64_t n)
{
    int8_t lane[P4_LANES] = {0};
    i32p4_store_i8(lane, x);
    for (int i = 0; i < P4_LANES && i < n; i++)
        p[i] = lane[i];
}
MIK_INLINE MIK_LANES i32p4 i32p4_load_where_i8(const int8_t *p, maskp4 where)
{
    int8_t lane[P4_LANES] = {0};
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            lane[i] = p[i];
    return i32p4_load_i8(lane);
}
MIK_INLINE MIK_LANES void i32p4_store_where_i8(int8_t *p, i32p4 x, maskp4 where)
{
    int8_t lane[P4_LANES] = {0};
    i32p4_store_i8(lane, x);
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            p[i] = lane[i];
}
