/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Outputs that no cache will hold. */
#pragma once
#include "compiler.h"

#ifndef MIK_PAST_BYTES
#define MIK_PAST_BYTES 16e6 /* of outputs, from which on that pays: with 32 MB of cache twice as fast at 17 MB, half at 8; bench/nests.sh */
#endif

/* Non-temporal stores are done for other threads, too. */
#if MIK_X86
__attribute__((target("sse2"))) static void mik_past_fence(void) { _mm_sfence(); }
#else
static void mik_past_fence(void) {}
#endif
