/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What text for an instruction set wants of the processor besides it. */
#pragma once
#include "compiler.h"

enum { MIK_ALL_NEEDS };
#if MIK_WITH_LOOPS
enum { MIK_LOOPS_NEED };
#endif
