/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what SSE2 and NEON have for pairs of neighbours of 64 bits. */
#pragma once
#include "../../../vec/lanes_f64.h"

MIK_INLINE MIK_LANES f64p2 f64p2_even(f64p2 x, f64p2 y)
{
#if MIK_X86
    return (f64p2)_mm_unpacklo_pd((__m128d)x, (__m128d)y);
#elif MIK_NEON
    return (f64p2)vzip1q_u64((uint64x2_t)x, (uint64x2_t)y);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = i < P2_LANES / 2 ? x[2 * i % P2_LANES] : y[2 * i % P2_LANES];
    return z;
#endif
}
MIK_INLINE MIK_LANES f64p2 f64p2_odd(f64p2 x, f64p2 y)
{
#if MIK_X86
    return (f64p2)_mm_unpackhi_pd((__m128d)x, (__m128d)y);
#elif MIK_NEON
    return (f64p2)vzip2q_u64((uint64x2_t)x, (uint64x2_t)y);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = i < P2_LANES / 2 ? x[2 * i % P2_LANES + 1] : y[2 * i % P2_LANES + 1];
    return z;
#endif
}
MIK_INLINE MIK_LANES f64p2 f64p2_zip_low(f64p2 x, f64p2 y)
{
#if MIK_X86
    return (f64p2)_mm_unpacklo_pd((__m128d)x, (__m128d)y);
#elif MIK_NEON
    return (f64p2)vzip1q_u64((uint64x2_t)x, (uint64x2_t)y);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = i % 2 ? y[i / 2] : x[i / 2];
    return z;
#endif
}
MIK_INLINE MIK_LANES f64p2 f64p2_zip_high(f64p2 x, f64p2 y)
{
#if MIK_X86
    return (f64p2)_mm_unpackhi_pd((__m128d)x, (__m128d)y);
#elif MIK_NEON
    return (f64p2)vzip2q_u64((uint64x2_t)x, (uint64x2_t)y);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = i % 2 ? y[(P2_LANES + i) / 2] : x[(P2_LANES + i) / 2];
    return z;
#endif
}
/* Neighbours change places; even lanes twice each, odd ones. */
MIK_INLINE MIK_LANES f64p2 f64p2_swap(f64p2 x)
{
#if MIK_X86
    return (f64p2)_mm_shuffle_pd((__m128d)x, (__m128d)x, 1);
#elif MIK_NEON
    return (f64p2)vextq_u64((uint64x2_t)x, (uint64x2_t)x, 1);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = x[i ^ 1];
    return z;
#endif
}
MIK_INLINE MIK_LANES f64p2 f64p2_evens(f64p2 x)
{
#if MIK_X86
    return (f64p2)_mm_unpacklo_pd((__m128d)x, (__m128d)x);
#elif MIK_NEON
    return (f64p2)vzip1q_u64((uint64x2_t)x, (uint64x2_t)x);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = x[i / 2 * 2];
    return z;
#endif
}
MIK_INLINE MIK_LANES f64p2 f64p2_odds(f64p2 x)
{
#if MIK_X86
    return (f64p2)_mm_unpackhi_pd((__m128d)x, (__m128d)x);
#elif MIK_NEON
    return (f64p2)vzip2q_u64((uint64x2_t)x, (uint64x2_t)x);
#else
    f64p2 z = x;
    for (int i = 0; i < P2_LANES; i++)
        z[i] = x[i | 1];
    return z;
#endif
}
