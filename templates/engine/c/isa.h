/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The processor's instruction sets at run time. */
#pragma once
#include "needs.h"
#include "processor.h"

/* The instruction set to use: 1 portable, 2 AVX2 with FMA, 3 AVX-512, 4 NEON, 5 AVX-512 and its dot products where they
   are of use; 0 when `wish` (0: the best) is not there. */
MIK_SHARED int mik_isa(int wish, int needs)
{
    int best = 1;
#if MIK_X86
    const int found = mik_sets(); /* once: this is part of every call */
    if (mik_has(found, MIK_HAS_AVX2 | MIK_HAS_FMA))
        best = 2;
#if MIK_WITH_LOOPS
    if (needs & MIK_NEEDS_LOOPS && !mik_has(found, MIK_HAS_F16C))
        best = 1;
#endif
    if (best == 2 && mik_has(found, needs & MIK_NEEDS_BW ? MIK_HAS_AVX512F | MIK_HAS_AVX512BW : MIK_HAS_AVX512F))
        best = 3;
#if MIK_WITH_LOOPS
    if (best == 3 && needs & MIK_NEEDS_LOOPS && !mik_has(found, MIK_HAS_AVX512BW | MIK_HAS_AVX512DQ | MIK_HAS_AVX512VL))
        best = 2;
#endif
#endif
#if MIK_WITH_DOTS
#if MIK_X86_DOTS
    if (best == 3 && needs & MIK_NEEDS_VNNI && mik_has(found, MIK_HAS_AVX512VNNI))
        best = 5;
    if (best == 3 && needs & MIK_NEEDS_BF16 && mik_has(found, MIK_HAS_AVX512BF16))
        best = 5;
#endif
#endif
#if MIK_NEON
    best = 4;                          /* part of every AArch64 that the file is compiled for */
#endif
    if (wish == 5 && !(needs & MIK_NEEDS_DOTS) && best == 3)
        wish = 3;
#if MIK_SOME_SETS
    static const signed char bases[] = {MIK_BASES}; /* of the sets that this file holds a bit for each number: what a set stands on */
    while (best > 0 && !(MIK_HELD >> best & 1))
        best = bases[best];
    if (wish != 0 && (wish < 0 || wish >= (int)sizeof bases || !(MIK_HELD >> wish & 1)))
        return 0;
#endif
    if (wish == 0)
        return best;
    return wish == 1 || wish == best || (wish < best && wish != 4 && best != 4) ? wish : 0;
}
