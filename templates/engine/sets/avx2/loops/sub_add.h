/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: floats. */
#pragma once
#include "types.h"

/* x - y in even lanes, x + y in odd ones. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_sub_add(f32y8 x, f32y8 y) { return _mm256_addsub_ps(x, y); }
