/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Two neighbours of at most 16 bits in each lane, written for int8_t. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_load_pairs_i8(const int8_t *p)
{
    int16_t pair[2 * P4_LANES];
    i32p4 x = {0};
    for (int i = 0; i < 2 * P4_LANES; i++)
        pair[i] = p[i];
    memcpy(&x, pair, sizeof x);
    return x;
}
/* Of the first n elements, of 1 to all; others are 0. */
MIK_INLINE MIK_LANES i32p4 i32p4_load_pairs_part_i8(const int8_t *p, int64_t n)
{
    int8_t element[2 * P4_LANES] = {0};
    memcpy(element, p, n < 2 * P4_LANES ? (size_t)n * sizeof *p : sizeof element);
    return i32p4_load_pairs_i8(element);
}
/* The sum of a lane's two products. */
MIK_INLINE MIK_LANES i32p4 i32p4_dot(i32p4 x, i32p4 y) { return (x >> 16) * (y >> 16) + ((x << 16) >> 16) * ((y << 16) >> 16); }
