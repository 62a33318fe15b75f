/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Rows of neighbours, one for each lane: element i of all rows is a vector. Rows of three follow one another, those of four are `apart`. */
#pragma once
#include "apart.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load3_0(const float *p) { return f32p4_load_apart(p, 3); }
MIK_INLINE MIK_LANES f32p4 f32p4_load3_1(const float *p) { return f32p4_load_apart(p + 1, 3); }
MIK_INLINE MIK_LANES f32p4 f32p4_load3_2(const float *p) { return f32p4_load_apart(p + 2, 3); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_0(const float *p, int64_t apart) { return f32p4_load_apart(p, apart); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_1(const float *p, int64_t apart) { return f32p4_load_apart(p + 1, apart); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_2(const float *p, int64_t apart) { return f32p4_load_apart(p + 2, apart); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_3(const float *p, int64_t apart) { return f32p4_load_apart(p + 3, apart); }
MIK_INLINE MIK_LANES void f32p4_store3(float *p, f32p4 x, f32p4 y, f32p4 z)
{
    f32p4_store_apart(p, x, 3);
    f32p4_store_apart(p + 1, y, 3);
    f32p4_store_apart(p + 2, z, 3);
}
MIK_INLINE MIK_LANES void f32p4_store4(float *p, int64_t apart, f32p4 x, f32p4 y, f32p4 z, f32p4 w)
{
    f32p4_store_apart(p, x, apart);
    f32p4_store_apart(p + 1, y, apart);
    f32p4_store_apart(p + 2, z, apart);
    f32p4_store_apart(p + 3, w, apart);
}
