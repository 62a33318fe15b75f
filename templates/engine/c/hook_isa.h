/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Loops' instruction set where kernels have one. */
#pragma once
#include "compiler.h"

/* The instruction set of loops, 1, 2 or 3, within what a processor has that runs the kernels of `isa`. Loops want more of it: F16C,
   and of AVX-512 the parts that all processors but the first have. */
MIK_INLINE int mik_hook_isa(int isa)
{
#if MIK_X86
    if (isa >= 3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 3;
    return isa >= 2 && __builtin_cpu_supports("f16c") ? 2 : 1;
#else
    (void)isa;
    return 1;
#endif
}
