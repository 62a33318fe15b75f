/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: floats; a product with 1 is not rounded. */
#pragma once
#include "types.h"

/* x - y in even lanes, x + y in odd ones. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_sub_add(f32z16 x, f32z16 y) { return _mm512_fmaddsub_ps(x, _mm512_set1_ps(1), y); }
