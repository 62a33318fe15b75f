/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Loops' instruction set where kernels have one. */
#pragma once
#include "processor.h"

/* The instruction set of loops, 1, 2 or 3, within what a processor has that runs the kernels of `isa`. Loops want more of it: F16C,
   and of AVX-512 the parts that all processors but the first have. */
MIK_INLINE int mik_hook_isa(int isa)
{
#if MIK_X86
    const int found = mik_sets();
    if (MIK_RUNS(isa, avx512) && mik_has(found, MIK_HAS_AVX512BW | MIK_HAS_AVX512DQ | MIK_HAS_AVX512VL))
        return 3;
    return MIK_RUNS(isa, avx2) && mik_has(found, MIK_HAS_F16C) ? 2 : 1;
#else
    (void)isa;
    return 1;
#endif
}
