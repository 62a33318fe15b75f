/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Lanes of 16 bits with a sign to bytes in memory, which saturate. Written for int8_t. */
#pragma once
#include "bytes.h"

MIK_INLINE MIK_LANES i32p4 i32p4_saturated_i8(i32p4 x)
{
    const int32_t least = (int8_t)-1 < 0 ? -128 : 0, greatest = least + 255;
    return i32p4_min(i32p4_max(x, i32p4_all(least)), i32p4_all(greatest));
}
MIK_INLINE MIK_LANES void i32p4_store_sat_i8(int8_t *p, i32p4 x) { i32p4_store_i8(p, i32p4_saturated_i8(x)); }
MIK_INLINE MIK_LANES void i32p4_store_sat_part_i8(int8_t *p, i32p4 x, int64_t n) { i32p4_store_part_i8(p, i32p4_saturated_i8(x), n); }
MIK_INLINE MIK_LANES void i32p4_store_sat_where_i8(int8_t *p, i32p4 x, maskp4 where)
{
    i32p4_store_where_i8(p, i32p4_saturated_i8(x), where);
}
