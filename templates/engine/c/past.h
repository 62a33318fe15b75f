/* Outputs that no cache will hold. */
#pragma once
#include "compiler.h"

#define MIK_PAST_BYTES 8e6 /* of outputs, from which on stores past the caches pay: bench/nests.sh; 2 x faster at 16 MB on a Zen 4 */

/* Stores past the caches are done for other threads, too. */
#if MIK_X86
__attribute__((target("sse2"))) static void mik_past_fence(void) { _mm_sfence(); }
#else
static void mik_past_fence(void) {}
#endif
