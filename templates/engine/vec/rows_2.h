/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Two rows of four. */
#pragma once
#include "interleaved.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load4_0(const float *p, int64_t apart) { return f32p4_zip_low(f32p4_load(p), f32p4_load(p + apart)); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_1(const float *p, int64_t apart) { return f32p4_zip_high(f32p4_load(p), f32p4_load(p + apart)); }
MIK_INLINE MIK_LANES f32p4 f32p4_load4_2(const float *p, int64_t apart)
{
    return f32p4_zip_low(f32p4_load(p + 2), f32p4_load(p + apart + 2));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load4_3(const float *p, int64_t apart)
{
    return f32p4_zip_high(f32p4_load(p + 2), f32p4_load(p + apart + 2));
}
MIK_INLINE MIK_LANES void f32p4_store4(float *p, int64_t apart, f32p4 x, f32p4 y, f32p4 z, f32p4 w)
{
    f32p4_store(p, f32p4_zip_low(x, y));
    f32p4_store(p + 2, f32p4_zip_low(z, w));
    f32p4_store(p + apart, f32p4_zip_high(x, y));
    f32p4_store(p + apart + 2, f32p4_zip_high(z, w));
}
