/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What text for an instruction set wants of the processor besides it; dot products are a set above AVX-512. */
#pragma once
#include "compiler.h"

enum { MIK_NEEDS_BW = 1, MIK_NEEDS_VNNI = 2, MIK_NEEDS_BF16 = 4, MIK_NEEDS_DOTS = 6 };
#if MIK_WITH_LOOPS
enum { MIK_NEEDS_LOOPS = 8 };
#endif
