/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The processor's instruction sets at run time, for loops. */
#pragma once
#include "processor.h"

/* The instruction set to use: 1 portable, 2 AVX2, 3 AVX-512, 4 NEON; 0 when `wish` (0: the best; 5: as 3) is not there. */
static int mik_loop_isa(int wish)
{
    int best = 1;
#if MIK_X86
    const int found = mik_sets();
    if (mik_has(found, MIK_HAS_AVX2 | MIK_HAS_FMA | MIK_HAS_F16C))
        best = 2;
    if (best == 2 && mik_has(found, MIK_HAS_AVX512F | MIK_HAS_AVX512BW | MIK_HAS_AVX512DQ | MIK_HAS_AVX512VL))
        best = 3;
#elif MIK_NEON
    best = 4;                          /* part of every AArch64 that the file is compiled for */
#endif
#if MIK_SOME_SETS
    static const signed char bases[] = {MIK_BASES}; /* of the sets that this file holds a bit for each number: what a set stands on */
    while (best > 0 && !(MIK_HELD >> best & 1))
        best = bases[best];
    wish = wish == 5 ? 3 : wish;
    if (wish != 0 && (wish < 0 || wish >= (int)sizeof bases || !(MIK_HELD >> wish & 1)))
        return 0;
#endif
    wish = wish == 0 ? best : wish == 5 ? 3 : wish;
    return wish == 1 || wish == best || (wish < best && best != 4) ? wish : 0;
}
