/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Loops' instruction set where kernels have one. */
#pragma once
#include "processor.h"

/* The instruction set of loops within what a processor has that runs the kernels of `isa`. Loops want more of it: F16C, and of AVX-512 the
   parts that all processors but the first have. */
/* clang-format off */
MIK_INLINE int mik_hook_isa(int isa)
{
    MIK_HOOK_SETS;
}
/* clang-format on */
