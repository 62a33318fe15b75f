/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Four rows of four, turned round. */
#pragma once
#include "interleaved.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load4_0(const float *p, int64_t apart)
{
    const f32p4 even = f32p4_zip_low(f32p4_load(p), f32p4_load(p + 2 * apart));
    return f32p4_zip_low(even, f32p4_zip_low(f32p4_load(p + apart), f32p4_load(p + 3 * apart)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load4_1(const float *p, int64_t apart)
{
    const f32p4 even = f32p4_zip_low(f32p4_load(p), f32p4_load(p + 2 * apart));
    return f32p4_zip_high(even, f32p4_zip_low(f32p4_load(p + apart), f32p4_load(p + 3 * apart)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load4_2(const float *p, int64_t apart)
{
    const f32p4 even = f32p4_zip_high(f32p4_load(p), f32p4_load(p + 2 * apart));
    return f32p4_zip_low(even, f32p4_zip_high(f32p4_load(p + apart), f32p4_load(p + 3 * apart)));
}
MIK_INLINE MIK_LANES f32p4 f32p4_load4_3(const float *p, int64_t apart)
{
    const f32p4 even = f32p4_zip_high(f32p4_load(p), f32p4_load(p + 2 * apart));
    return f32p4_zip_high(even, f32p4_zip_high(f32p4_load(p + apart), f32p4_load(p + 3 * apart)));
}
MIK_INLINE MIK_LANES void f32p4_store4(float *p, int64_t apart, f32p4 x, f32p4 y, f32p4 z, f32p4 w)
{
    const f32p4 xz = f32p4_zip_low(x, z), yw = f32p4_zip_low(y, w), zx = f32p4_zip_high(x, z), wy = f32p4_zip_high(y, w);
    f32p4_store(p, f32p4_zip_low(xz, yw));
    f32p4_store(p + apart, f32p4_zip_high(xz, yw));
    f32p4_store(p + 2 * apart, f32p4_zip_low(zx, wy));
    f32p4_store(p + 3 * apart, f32p4_zip_high(zx, wy));
}
