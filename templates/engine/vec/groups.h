/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Groups of two to four, of six or of eight bytes, of which each lane has one: number `which` of `size`. Written as if of 32 bits in memory. */
#pragma once
#include "memory.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_member_part(const int32_t *p, int size, int which, int64_t n)
{
    i32p4 x = {0};
    for (int i = 0; i < P4_LANES && i < n; i++)
        x[i] = p[size * i + which];
    return x;
}
MIK_INLINE MIK_LANES i32p4 i32p4_load_member(const int32_t *p, int size, int which)
{
    return i32p4_load_member_part(p, size, which, P4_LANES);
}
MIK_INLINE MIK_LANES void i32p4_store_groups2(int32_t *p, i32p4 x, i32p4 y)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[2 * i] = (int32_t)x[i];
        p[2 * i + 1] = (int32_t)y[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups2_part(int32_t *p, i32p4 x, i32p4 y, int64_t n)
{
    int32_t group[2 * P4_LANES];
    i32p4_store_groups2(group, x, y);
    memcpy(p, group, (size_t)(2 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups3(int32_t *p, i32p4 x, i32p4 y, i32p4 z)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[3 * i] = (int32_t)x[i];
        p[3 * i + 1] = (int32_t)y[i];
        p[3 * i + 2] = (int32_t)z[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups3_part(int32_t *p, i32p4 x, i32p4 y, i32p4 z, int64_t n)
{
    int32_t group[3 * P4_LANES];
    i32p4_store_groups3(group, x, y, z);
    memcpy(p, group, (size_t)(3 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups4(int32_t *p, i32p4 x, i32p4 y, i32p4 z, i32p4 w)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[4 * i] = (int32_t)x[i];
        p[4 * i + 1] = (int32_t)y[i];
        p[4 * i + 2] = (int32_t)z[i];
        p[4 * i + 3] = (int32_t)w[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups4_part(int32_t *p, i32p4 x, i32p4 y, i32p4 z, i32p4 w, int64_t n)
{
    int32_t group[4 * P4_LANES];
    i32p4_store_groups4(group, x, y, z, w);
    memcpy(p, group, (size_t)(4 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups6(int32_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[6 * i] = (int32_t)x0[i];
        p[6 * i + 1] = (int32_t)x1[i];
        p[6 * i + 2] = (int32_t)x2[i];
        p[6 * i + 3] = (int32_t)x3[i];
        p[6 * i + 4] = (int32_t)x4[i];
        p[6 * i + 5] = (int32_t)x5[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups6_part(int32_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, int64_t n)
{
    int32_t group[6 * P4_LANES];
    i32p4_store_groups6(group, x0, x1, x2, x3, x4, x5);
    memcpy(p, group, (size_t)(6 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups8(int32_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, i32p4 x6, i32p4 x7)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[8 * i] = (int32_t)x0[i];
        p[8 * i + 1] = (int32_t)x1[i];
        p[8 * i + 2] = (int32_t)x2[i];
        p[8 * i + 3] = (int32_t)x3[i];
        p[8 * i + 4] = (int32_t)x4[i];
        p[8 * i + 5] = (int32_t)x5[i];
        p[8 * i + 6] = (int32_t)x6[i];
        p[8 * i + 7] = (int32_t)x7[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups8_part(int32_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, i32p4 x6,
                                                   i32p4 x7, int64_t n)
{
    int32_t group[8 * P4_LANES];
    i32p4_store_groups8(group, x0, x1, x2, x3, x4, x5, x6, x7);
    memcpy(p, group, (size_t)(8 * (n < P4_LANES ? n : P4_LANES)));
}
