/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Eight floats as half, rounded to nearest even. */
#pragma once
#include "../../c/float16.h"
#include "turn.h"

#define MIK_STORE_HALF __attribute__((target("avx2,f16c")))
MIK_INLINE __attribute__((target("avx2,f16c"))) __m128i mik_store_half_eight(__m256 x)
{
    return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
