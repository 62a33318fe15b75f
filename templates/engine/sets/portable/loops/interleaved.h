/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what SSE2 and NEON have for pairs of neighbours of 32 bits. */
#pragma once
#include "../../../vec/lanes_types.h"

MIK_INLINE MIK_LANES f32p4 f32p4_even(f32p4 x, f32p4 y)
{
#if MIK_X86
    return (f32p4)_mm_shuffle_ps((__m128)x, (__m128)y, 0x88);
#elif MIK_NEON
    return (f32p4)vuzp1q_u32((uint32x4_t)x, (uint32x4_t)y);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i < P4_LANES / 2 ? x[2 * i % P4_LANES] : y[2 * i % P4_LANES];
    return z;
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_odd(f32p4 x, f32p4 y)
{
#if MIK_X86
    return (f32p4)_mm_shuffle_ps((__m128)x, (__m128)y, 0xdd);
#elif MIK_NEON
    return (f32p4)vuzp2q_u32((uint32x4_t)x, (uint32x4_t)y);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i < P4_LANES / 2 ? x[2 * i % P4_LANES + 1] : y[2 * i % P4_LANES + 1];
    return z;
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_zip_low(f32p4 x, f32p4 y)
{
#if MIK_X86
    return (f32p4)_mm_unpacklo_ps((__m128)x, (__m128)y);
#elif MIK_NEON
    return (f32p4)vzip1q_u32((uint32x4_t)x, (uint32x4_t)y);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i % 2 ? y[i / 2] : x[i / 2];
    return z;
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_zip_high(f32p4 x, f32p4 y)
{
#if MIK_X86
    return (f32p4)_mm_unpackhi_ps((__m128)x, (__m128)y);
#elif MIK_NEON
    return (f32p4)vzip2q_u32((uint32x4_t)x, (uint32x4_t)y);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = i % 2 ? y[(P4_LANES + i) / 2] : x[(P4_LANES + i) / 2];
    return z;
#endif
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_LANES f32p4 f32p4_swap(f32p4 x)
{
#if MIK_X86
    return (f32p4)_mm_shuffle_ps((__m128)x, (__m128)x, 0xb1);
#elif MIK_NEON
    return (f32p4)vrev64q_u32((uint32x4_t)x);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i ^ 1];
    return z;
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_evens(f32p4 x)
{
#if MIK_X86
    return (f32p4)_mm_shuffle_ps((__m128)x, (__m128)x, 0xa0);
#elif MIK_NEON
    return (f32p4)vtrn1q_u32((uint32x4_t)x, (uint32x4_t)x);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i / 2 * 2];
    return z;
#endif
}
MIK_INLINE MIK_LANES f32p4 f32p4_odds(f32p4 x)
{
#if MIK_X86
    return (f32p4)_mm_shuffle_ps((__m128)x, (__m128)x, 0xf5);
#elif MIK_NEON
    return (f32p4)vtrn2q_u32((uint32x4_t)x, (uint32x4_t)x);
#else
    f32p4 z = x;
    for (int i = 0; i < P4_LANES; i++)
        z[i] = x[i | 1];
    return z;
#endif
}
