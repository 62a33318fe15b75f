/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: masks, of any width. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX2L int masky8_any(masky8 where) { return _mm256_movemask_epi8((__m256i)where) != 0; }
