/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what NEON has for rows of three elements of 32 bits. */
#pragma once
#include "../../../vec/apart.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load3_0(const float *p)
{
#if MIK_NEON
    return (f32p4)vld3q_u32((const uint32_t *)(const void *)p).val[0];
#else
    return f32p4_load_apart(p, 3);
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_load3_1(const float *p)
{
#if MIK_NEON
    return (f32p4)vld3q_u32((const uint32_t *)(const void *)p).val[1];
#else
    return f32p4_load_apart(p + 1, 3);
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_load3_2(const float *p)
{
#if MIK_NEON
    return (f32p4)vld3q_u32((const uint32_t *)(const void *)p).val[2];
#else
    return f32p4_load_apart(p + 2, 3);
#endif
}
MIK_INLINE MIK_LANES void f32p4_store3(float *p, f32p4 x, f32p4 y, f32p4 z)
{
#if MIK_NEON
    const uint32x4x3_t all = {{(uint32x4_t)x, (uint32x4_t)y, (uint32x4_t)z}};
    vst3q_u32((uint32_t *)(void *)p, all);
#else
    f32p4_store_apart(p, x, 3);
    f32p4_store_apart(p + 1, y, 3);
    f32p4_store_apart(p + 2, z, 3);
#endif
}
