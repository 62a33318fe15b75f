/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: what SSE2 has instructions for, two neighbours in each of four lanes. */
#pragma once
#include "../../../vec/integer.h"

MIK_INLINE MIK_LANES i32p4 i32p4_dot(i32p4 x, i32p4 y)
{
#if MIK_X86
    return (i32p4)_mm_madd_epi16((__m128i)x, (__m128i)y);
#else
    return (x >> 16) * (y >> 16) + ((x << 16) >> 16) * ((y << 16) >> 16);
#endif
}
