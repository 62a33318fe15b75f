/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Groups of two to four, of six or of eight bytes, of which each lane of 16 bits has one. Written for int8_t. */
#pragma once
#include "memory.h"
#include "integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_member_part_i8(const int8_t *p, int size, int which, int64_t n)
{
    i32p4 x = {0};
    for (int i = 0; i < P4_LANES && i < n; i++)
        x[i] = p[size * i + which];
    return x;
}
MIK_INLINE MIK_LANES i32p4 i32p4_load_member_i8(const int8_t *p, int size, int which)
{
    return i32p4_load_member_part_i8(p, size, which, P4_LANES);
}
MIK_INLINE MIK_LANES void i32p4_store_groups2_i8(int8_t *p, i32p4 x, i32p4 y)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[2 * i] = (int8_t)x[i];
        p[2 * i + 1] = (int8_t)y[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups2_part_i8(int8_t *p, i32p4 x, i32p4 y, int64_t n)
{
    int8_t group[2 * P4_LANES];
    i32p4_store_groups2_i8(group, x, y);
    memcpy(p, group, (size_t)(2 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups3_i8(int8_t *p, i32p4 x, i32p4 y, i32p4 z)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[3 * i] = (int8_t)x[i];
        p[3 * i + 1] = (int8_t)y[i];
        p[3 * i + 2] = (int8_t)z[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups3_part_i8(int8_t *p, i32p4 x, i32p4 y, i32p4 z, int64_t n)
{
    int8_t group[3 * P4_LANES];
    i32p4_store_groups3_i8(group, x, y, z);
    memcpy(p, group, (size_t)(3 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups4_i8(int8_t *p, i32p4 x, i32p4 y, i32p4 z, i32p4 w)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[4 * i] = (int8_t)x[i];
        p[4 * i + 1] = (int8_t)y[i];
        p[4 * i + 2] = (int8_t)z[i];
        p[4 * i + 3] = (int8_t)w[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups4_part_i8(int8_t *p, i32p4 x, i32p4 y, i32p4 z, i32p4 w, int64_t n)
{
    int8_t group[4 * P4_LANES];
    i32p4_store_groups4_i8(group, x, y, z, w);
    memcpy(p, group, (size_t)(4 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups6_i8(int8_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[6 * i] = (int8_t)x0[i];
        p[6 * i + 1] = (int8_t)x1[i];
        p[6 * i + 2] = (int8_t)x2[i];
        p[6 * i + 3] = (int8_t)x3[i];
        p[6 * i + 4] = (int8_t)x4[i];
        p[6 * i + 5] = (int8_t)x5[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups6_part_i8(int8_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, int64_t n)
{
    int8_t group[6 * P4_LANES];
    i32p4_store_groups6_i8(group, x0, x1, x2, x3, x4, x5);
    memcpy(p, group, (size_t)(6 * (n < P4_LANES ? n : P4_LANES)));
}
MIK_INLINE MIK_LANES void i32p4_store_groups8_i8(int8_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, i32p4 x6, i32p4 x7)
{
    for (int i = 0; i < P4_LANES; i++) {
        p[8 * i] = (int8_t)x0[i];
        p[8 * i + 1] = (int8_t)x1[i];
        p[8 * i + 2] = (int8_t)x2[i];
        p[8 * i + 3] = (int8_t)x3[i];
        p[8 * i + 4] = (int8_t)x4[i];
        p[8 * i + 5] = (int8_t)x5[i];
        p[8 * i + 6] = (int8_t)x6[i];
        p[8 * i + 7] = (int8_t)x7[i];
    }
}
MIK_INLINE MIK_LANES void i32p4_store_groups8_part_i8(int8_t *p, i32p4 x0, i32p4 x1, i32p4 x2, i32p4 x3, i32p4 x4, i32p4 x5, i32p4 x6,
                                                      i32p4 x7, int64_t n)
{
    int8_t group[8 * P4_LANES];
    i32p4_store_groups8_i8(group, x0, x1, x2, x3, x4, x5, x6, x7);
    memcpy(p, group, (size_t)(8 * (n < P4_LANES ? n : P4_LANES)));
}
