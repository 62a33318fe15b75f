/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Sixteen floats as half, likewise. */
#pragma once
#include "../avx2/turn.h"

#define MIK_STORE_HALF_AVX512 __attribute__((target("avx2,f16c,avx512f")))
MIK_INLINE __attribute__((target("avx512f"))) __m256i mik_store_half_sixteen(__m512 x)
{
    return _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
