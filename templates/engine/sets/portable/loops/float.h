/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what SSE2 and NEON have instructions for, written for four floats. */
#pragma once
#include "../../../vec/lanes_compare.h"

/* x > y ? x : y and x < y ? x : y: of a NaN y. */
MIK_INLINE MIK_LANES f32p4 f32p4_max(f32p4 x, f32p4 y)
{
#if MIK_X86
    return _mm_max_ps(x, y);
#else
    return f32p4_select((maskp4)(x > y), x, y);
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_min(f32p4 x, f32p4 y)
{
#if MIK_X86
    return _mm_min_ps(x, y);
#else
    return f32p4_select((maskp4)(x < y), x, y);
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_sqrt(f32p4 x)
{
#if MIK_X86
    return _mm_sqrt_ps(x);
#elif MIK_NEON
    return (f32p4)P4_NEON_SQRT((P4_NEON)x);
#else
    for (int i = 0; i < P4_LANES; i++)
        x[i] = sqrtf(x[i]);
    return x;
#endif
}
