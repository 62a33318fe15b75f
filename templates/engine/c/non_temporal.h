/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Outputs that no cache will hold. */
#pragma once
#include "compiler.h"

#ifndef MIK_NON_TEMPORAL_BYTES
#define MIK_NON_TEMPORAL_BYTES 16e6 /* above which they pay: twice as fast at 17 MB, half at 8, with 32 MB of cache; bench/nests.sh */
#endif

/* Non-temporal stores are done for other threads, too. */
#if MIK_X86
__attribute__((target("sse2"))) static void mik_non_temporal_fence(void) { _mm_sfence(); }
#else
static void mik_non_temporal_fence(void) {}
#endif
