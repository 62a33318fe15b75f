/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: masks of 16 bytes. */
#pragma once
#include "../../../vec/shape.h"

MIK_INLINE MIK_LANES int maskp4_any(maskp4 where)
{
#if MIK_X86
    return _mm_movemask_epi8((__m128i)where) != 0;
#elif MIK_NEON
    return vmaxvq_u32((uint32x4_t)where) != 0;
#else
    P4_WIDEST any = 0;
    for (int i = 0; i < P4_LANES; i++)
        any |= where[i];
    return any != 0;
#endif
}
